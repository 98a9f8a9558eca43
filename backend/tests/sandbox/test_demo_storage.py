from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from tessera.kit.database import Connection
from tessera.sandbox.demo import PASSWORD, add_demo_data
from tessera.sandbox.demo_storage import add_demo_storage
from tessera.sandbox.demo_warehouses import add_demo_warehouses
from tessera_core import base64url
from tessera_core.bodies import open_body
from tessera_core.changes import ChangeBody
from tessera_core.entries import Change, Entry
from tessera_core.envelopes import open_user_key
from tessera_core.grants import Grant
from tessera_core.kdf import derive
from tessera_core.key_envelopes import RecordPin, open_keys
from tessera_core.log import LogState
from tessera_core.recovery_records import RecoveryRecord, check_records
from tessera_core.tree import Tree
from tests.factories.accounts import Factory
from tests.sandbox.test_demo_warehouses import leader_of_northwind


@pytest.fixture
async def get(app: FastAPI, client: httpx.AsyncClient, make: Factory, platform: Connection) -> Any:
    """Reads as the leader of Northwind, whose demo data was added."""
    async with platform.transaction():
        await add_demo_data(platform)
    await add_demo_warehouses(app.state.resources)
    assert await add_demo_storage(app.state.resources)
    headers = await make.session(await leader_of_northwind(platform))

    async def read(path: str) -> Any:
        answer = await client.get(f"/api/storage{path}", headers=headers)
        assert answer.status_code == 200, answer.text
        return answer.json()

    return read


async def test_figures_agree_with_what_is_stored(
    get: Any, app: FastAPI, platform: Connection, tmp_path: Path
) -> None:
    assert not await add_demo_storage(app.state.resources)
    usage, health = await get("/usage"), await get("/health")
    packs = await platform.fetch("SELECT length, booked_at, author FROM packs ORDER BY booked_at")
    starts = [datetime.fromisoformat(month["startsAt"]) for month in usage["months"]]
    assert len(starts) == 3
    assert starts[-1] == datetime.fromisoformat(usage["startsAt"])
    ends = [*starts[1:], datetime.max.replace(tzinfo=UTC)]
    for month, start, end in zip(usage["months"], starts, ends, strict=True):
        own = [row["length"] for row in packs if start <= row["booked_at"] < end]
        assert sum(own) == month["bytes"] > 0
    assert sum(member["bytes"] for member in usage["members"]) == usage["used"]
    assert len(usage["members"]) == 3
    assert usage["stored"] == sum(row["length"] for row in packs)
    objects = [path.stat().st_size for path in (tmp_path / "clouds").rglob("packs/*/*")]
    assert usage["storedCoded"] == sum(objects)
    assert len(objects) == sum(row["shards"] for row in health["warehouses"]) == 3 * len(packs) - 1
    assert (health["packs"], health["notSafe"], health["lost"]) == (len(packs), 1, 0)
    assert [row["missing"] for row in health["warehouses"]] == [0, 0, 1]
    assert len((await get("/devices"))["devices"]) == 2
    assert len((await get("/waiting"))["members"]) == 1


async def test_the_demo_password_opens_the_files(get: Any, platform: Connection) -> None:
    user = await platform.fetchrow(
        "SELECT u.uuid, u.salt, u.sealed_user_key, c.uuid AS company FROM users u"
        " JOIN companies c ON c.id = u.company_id WHERE u.email = 'leader@northwind.test'"
    )
    assert user is not None
    names = {"uid": str(user["uuid"]), "cid": str(user["company"])}
    user_key = open_user_key(
        user["sealed_user_key"],
        wrap_key=derive(PASSWORD, user["salt"]).wrap_key,
        salt=user["salt"],
        **names,
    )
    bundle, _ = open_keys((await get("/keys"))["envelope"], user_key=user_key, **names)
    ((space, pin),) = bundle.spaces.items()
    # The leader holds the pair that the record names, and that the space names too.
    (record,) = [
        RecoveryRecord.decode(base64url.decode(encoded))
        for encoded in (await get("/recovery"))["records"]
    ]
    check_records([record], user["company"])
    record.verify_leader(bundle.keys.public)
    assert bundle.record == RecordPin(1, record.hash)
    assert [pair.public for pair in bundle.pairs] == [record.keys]
    assert (await get("/health"))["recovery"]["spacesWithFormerPair"] == 0
    (own,) = [
        base64url.decode(row["grant"])
        for row in (await get(f"/spaces/{space}/grants"))["grants"]
        if row["member"] == str(user["uuid"])
    ]
    keyring = Grant.decode(own).open(bundle.keys, company=user["company"], space=space)
    state, tree = LogState(user["company"], space), Tree()
    page = await get(f"/spaces/{space}/log")
    for encoded in page["entries"]:
        entry = Entry.decode(base64url.decode(encoded))
        state.append(entry)
        if isinstance(entry.clear, Change):
            body = open_body(entry, keyring)
            assert isinstance(body, bytes)
            tree.apply(entry.head, ChangeBody.decode(body))
    assert (state.sequence, state.head) == (pin.sequence, pin.hash)
    assert tree.name == "Projects"
    assert len(list(tree.walk())) == 13
    assert len(tree.versions["Library/Tender.md"]) == 2
