"""The check that the leader asks for, the operator's command, and the platform key's change."""

import inspect

import pytest

from tessera.audit import anchors, workflows
from tessera.kit.database import Connection
from tessera.kit.encryption import KeyRing
from tessera.kit.keys import Keys
from tessera.maintenance.key_rewrap import rewrap
from tests.audit.audited import Audited
from tests.fixtures.command_line import Command
from tests.warehouses.leader import Leader

CHECK = "/activity/check"


async def run(audited: Audited, platform: Connection) -> None:
    row = await platform.fetchrow("SELECT company_id, id FROM activity_checks")
    assert row is not None
    await inspect.unwrap(workflows.check_chain.run)(*row)


async def test_leader_sees_what_is_wrong_in_words(
    leader: Leader, audited: Audited, platform: Connection, superuser: Connection
) -> None:
    await audited.recorded("a.done", "b.done")
    begun = await leader.ok("POST", CHECK, json={})
    assert begun["finishedAt"] is None
    await run(audited, platform)
    seen = (await leader.ok("GET", "/activity/stream"))["check"]
    assert (seen["checked"], seen["problems"], bool(seen["finishedAt"])) == (2, [], True)
    await superuser.execute("DELETE FROM activity WHERE action = 'a.done'")
    head = (await leader.ok("GET", "/activity/stream"))["head"]
    await leader.ok("POST", CHECK, json={"head": head.upper()})
    await run(audited, platform)
    seen = (await leader.ok("GET", "/activity/stream"))["check"]
    assert [each["text"] for each in seen["problems"]] == [
        "Record 1 is missing: it was removed from the database."
    ]
    assert seen["head"] == head
    turkish = await leader.ok("GET", "/activity/stream", headers={"Accept-Language": "tr"})
    assert turkish["check"]["problems"][0]["text"].startswith("1 numaralı kayıt eksik")


@pytest.mark.parametrize(
    "head", ["", "1", "0:" + "a" * 64, "1:" + "a" * 63, "1:" + "g" * 64, "-1:" + "a" * 64, "9" * 19]
)
async def test_a_head_that_is_none_is_refused(leader: Leader, head: str) -> None:
    assert (await leader.call("POST", CHECK, json={"head": head})).status_code == 422


async def test_checks_are_limited(leader: Leader) -> None:
    answers = [(await leader.call("POST", CHECK, json={})).status_code for _ in range(13)]
    assert answers == [200] * 12 + [429]


async def test_command_names_the_record_and_ends_with_1(
    audited: Audited, run_command: Command, superuser: Connection
) -> None:
    await audited.recorded("a.done", "b.done", "c.done")
    company = str(audited.company.uuid)
    fine = await run_command("activity", "verify", company)
    assert fine.exit_code == 0, fine.output
    assert "3 records are as they were." in fine.output
    head = fine.stdout.split("head ")[1].strip()
    assert (await run_command("activity", "verify", company, "--head", head)).exit_code == 0
    await superuser.execute("UPDATE activity SET action = 'x.done' WHERE action = 'b.done'")
    wrong = await run_command("activity", "verify", company, "--head", head)
    assert wrong.exit_code == 1
    assert "Record 2 is not what it was when it was written" in wrong.output
    assert (await run_command("activity", "verify", company, "--head", "x")).exit_code == 2
    unknown = await run_command("activity", "verify", "00000000-0000-0000-0000-000000000000")
    assert unknown.exit_code == 2


async def test_anchors_are_signed_again_with_a_new_platform_key(
    audited: Audited, platform: Connection
) -> None:
    for days in (500, 0):
        await audited.record(f"change.{days}", days_ago=days)
    await inspect.unwrap(workflows.sweep_activity)()
    old, new = audited.resources.keys, Keys(bytes(range(32)))
    await rewrap(audited.resources.database.platform, new, old)
    row = await platform.fetchrow(
        "SELECT anchor_sequence, anchor_hash, anchor_signature FROM activity_heads"
        " WHERE anchor_sequence > 0"
    )
    assert row is not None
    assert anchors.is_signed(KeyRing(new), audited.company.uuid, *row)
    assert not anchors.is_signed(KeyRing(old), audited.company.uuid, *row)
