"""The audit stream: every record to the webhook and as daily files, in order and at least once."""

import json
from typing import Any

import pytest

from tessera.audit import delivery, stream_queries
from tessera.integrations import webhooks
from tessera.kit.database import Connection
from tessera.settings import Settings
from tests.audit.audited import Audited, actions_of, documented_check, records_of
from tests.factories.people import People
from tests.fixtures.webhook_receiver import Receiver, documented_verify
from tests.warehouses.leader import AZURE, Leader

STREAM = "/activity/stream"
ON = {"webhook": True, "warehouseId": None}
OFF = {"webhook": False, "warehouseId": None}


@pytest.fixture
async def secret(leader: Leader, receiver: Receiver) -> str:
    answer = await leader.ok("PUT", "/warehouse-alerts/webhook", json={"url": receiver.url})
    return str(answer["secret"])


@pytest.fixture
async def streaming(leader: Leader, audited: Audited, secret: str) -> Audited:
    """Turned on, with what came before already in the chain."""
    await audited.chain()
    await leader.ok("PUT", STREAM, json=ON)
    await audited.round()
    return audited


async def state(leader: Leader, target: str = "webhook") -> Any:
    return (await leader.ok("GET", STREAM))[target]


class TestWebhook:
    async def test_every_record_arrives_signed_and_in_order(
        self, leader: Leader, streaming: Audited, receiver: Receiver, secret: str,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:  # fmt: skip
        monkeypatch.setitem(delivery.BATCH, "webhook", 3)
        await streaming.record(*(f"thing.{number}" for number in range(8)))
        await streaming.round()
        verify = documented_verify()
        assert all(verify(secret, each.headers, each.body) for each in receiver.posted)
        events = records_of(receiver.posted)
        assert actions_of(events) == [
            "activityStream.changed", *(f"thing.{number}" for number in range(8)),
        ]  # fmt: skip
        assert [json.loads(each.body)["type"] for each in receiver.posted] == [
            "activity.recorded"
        ] * 4
        check = documented_check()
        records = [event["unmapped"] for event in events]
        head = json.loads(receiver.posted[-1].body)["data"]["head"]
        assert check(records) == head["hash"]
        assert (await leader.ok("GET", STREAM))["head"] == f"{head['sequence']}:{head['hash']}"
        seen = await state(leader)
        assert (seen["sequence"], seen["behind"], seen["error"]) == (head["sequence"], 0, None)

    async def test_the_company_sees_what_was_taken_out_or_changed(
        self, streaming: Audited, receiver: Receiver
    ) -> None:
        await streaming.record("a.done", "b.done", "c.done")
        await streaming.round()
        records = [event["unmapped"] for event in records_of(receiver.posted)]
        check = documented_check()
        check(records)
        with pytest.raises(AssertionError):
            check([*records[:1], *records[2:]])
        records[1]["record"]["target"] = "nobody"
        with pytest.raises(AssertionError):
            check(records)

    async def test_a_failing_receiver_gets_the_same_batch_until_it_takes_it(
        self, leader: Leader, streaming: Audited, receiver: Receiver
    ) -> None:
        receiver.posted.clear()
        receiver.status = 500
        await streaming.record("first.done")
        await streaming.round()
        await streaming.record("second.done")
        for _ in range(3):
            await streaming.let_the_wait_pass()
            await streaming.round()
        failing = await state(leader)
        assert (failing["error"], failing["status"], failing["behind"]) == ("status", 500, 2)
        assert failing["failingSince"]
        assert failing["nextAttemptAt"]
        assert len(receiver.posted) == 4
        assert len({(each.headers["webhook-id"], each.body) for each in receiver.posted}) == 1
        receiver.status = 204
        await streaming.let_the_wait_pass()
        await streaming.round()
        assert actions_of(records_of(receiver.posted[4:])) == ["first.done", "second.done"]
        assert (await state(leader))["failingSince"] is None

    async def test_a_slow_receiver_counts_as_failing(
        self, leader: Leader, streaming: Audited, receiver: Receiver,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:  # fmt: skip
        monkeypatch.setattr(webhooks, "TIMEOUT_SECONDS", 0.3)
        receiver.answering.clear()
        await streaming.record("first.done")
        await streaming.round()
        assert (await state(leader))["error"] == "timeout"

    async def test_stream_waits_at_most_an_hour_and_never_gives_up(
        self, streaming: Audited, receiver: Receiver, platform: Connection
    ) -> None:
        receiver.status = 503
        await streaming.record("first.done")
        for _ in range(len(delivery.WAITS) + 3):
            await streaming.let_the_wait_pass()
            await streaming.round()
        wait = await platform.fetchval(
            "SELECT extract(epoch FROM next_attempt_at - now()) FROM activity_streams"
        )
        assert 3_500 < wait <= 3_600

    async def test_a_batch_that_was_sent_and_not_recorded_is_sent_again(
        self, streaming: Audited, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def killed(*_: Any, **__: Any) -> None:
            raise KeyboardInterrupt

        receiver.posted.clear()
        await streaming.record("first.done")
        with monkeypatch.context() as patch:
            patch.setattr(stream_queries, "record_success", killed)
            with pytest.raises(KeyboardInterrupt):
                await streaming.round()
        await streaming.run_batches()
        first, second = receiver.posted
        assert (first.headers["webhook-id"], first.body) == (
            second.headers["webhook-id"], second.body,
        )  # fmt: skip

    async def test_work_that_was_lost_is_begun_again(
        self, streaming: Audited, receiver: Receiver, platform: Connection
    ) -> None:
        receiver.posted.clear()
        await streaming.record("first.done")
        await streaming.chain()
        async with streaming.resources.database.tenant(streaming.company.id) as connection:
            assert await delivery.begin(connection, streaming.company.id, "webhook")
        await platform.execute(
            "UPDATE activity_streams SET next_attempt_at = now() - interval '1 hour'"
        )
        await streaming.round()
        assert actions_of(records_of(receiver.posted)) == ["first.done"]

    async def test_a_disabled_webhook_still_gets_the_stream_and_a_removed_one_waits(
        self, leader: Leader, streaming: Audited, receiver: Receiver, platform: Connection
    ) -> None:
        receiver.posted.clear()
        await platform.execute("UPDATE webhooks SET disabled_at = now()")
        await streaming.record("first.done")
        await streaming.round()
        assert actions_of(records_of(receiver.posted)) == ["first.done"]
        await leader.call("DELETE", "/warehouse-alerts/webhook")
        await streaming.record("second.done")
        await streaming.round()
        assert (await state(leader))["behind"] == 2
        await leader.ok("PUT", "/warehouse-alerts/webhook", json={"url": receiver.url})
        await streaming.round()
        assert "second.done" in actions_of(records_of(receiver.posted))

    async def test_replay_sends_the_last_thirty_days_again_with_other_ids(
        self, leader: Leader, streaming: Audited, receiver: Receiver
    ) -> None:
        await streaming.record("old.done", days_ago=31)
        await streaming.record("first.done")
        await streaming.round()
        before = [each.headers["webhook-id"] for each in receiver.posted]
        receiver.posted.clear()
        await leader.ok("POST", f"{STREAM}/replay", json={"target": "webhook"})
        await streaming.round()
        sent = actions_of(records_of(receiver.posted))
        assert sent[-2:] == ["first.done", "activityStream.replayed"]
        assert sent[0] == "webhook.added"
        assert not set(before) & {each.headers["webhook-id"] for each in receiver.posted}

    async def test_retention_of_what_was_never_taken_is_skipped(
        self, streaming: Audited, receiver: Receiver, platform: Connection
    ) -> None:
        receiver.posted.clear()
        await streaming.record("first.done")
        await streaming.chain()
        await platform.execute(
            "UPDATE activity_heads SET anchor_sequence = sequence, anchor_hash = hash,"
            " anchor_signature = 'x'"
        )
        await streaming.record("second.done")
        await streaming.round()
        assert actions_of(records_of(receiver.posted)) == ["second.done"]


class TestSettings:
    async def test_stream_needs_a_webhook_and_an_own_warehouse(
        self, leader: Leader, people: People, platform: Connection
    ) -> None:
        assert await leader.code("PUT", STREAM, json=ON) == (409, "stream_needs_webhook")
        other = await people.team(warehouses=True)
        for company_id in (1, other.company.id):
            await platform.execute(
                "INSERT INTO data_keys (company_id, version, wrapped, wrapped_by)"
                " VALUES ($1, 1, '', '') ON CONFLICT DO NOTHING",
                company_id,
            )
            foreign = await platform.fetchval(
                "INSERT INTO warehouses (company_id, type, sealed, key_version)"
                " VALUES ($1, 3, '', 1) RETURNING id",
                company_id,
            )
            if company_id == 1:
                await platform.execute(
                    "INSERT INTO shared_warehouses (company_id, warehouse_id) VALUES ($1, $2)",
                    leader.company_id, foreign,
                )  # fmt: skip
            assert await leader.code(
                "PUT", STREAM, json={"webhook": False, "warehouseId": foreign}
            ) == (404, "stream_needs_own_warehouse")
        assert (await leader.ok("GET", STREAM))["warehouses"] == []

    async def test_turning_off_and_on_begins_with_what_happens_next(
        self, leader: Leader, streaming: Audited, receiver: Receiver
    ) -> None:
        await leader.ok("PUT", STREAM, json=OFF)
        assert (await leader.ok("GET", STREAM))["webhook"] is None
        assert await leader.code("POST", f"{STREAM}/replay", json={"target": "webhook"}) == (
            409, "activity_stream_off",
        )  # fmt: skip
        await streaming.recorded("unseen.done")
        receiver.posted.clear()
        await leader.ok("PUT", STREAM, json=ON)
        await streaming.round()
        assert actions_of(records_of(receiver.posted)) == ["activityStream.changed"]

    async def test_changes_are_recorded_in_words(self, leader: Leader, streaming: Audited) -> None:
        rows = (await leader.ok("GET", "/activity"))["item1"]
        assert rows[0]["text"] == "Audit stream changed"
        assert rows[0]["changes"] == ["Activity to the webhook: from off to on"]
        await leader.ok("PUT", STREAM, json=ON)
        again = (await leader.ok("GET", "/activity"))["item1"]
        assert again[0]["id"] == rows[0]["id"]


class TestDailyFiles:
    async def test_a_daily_file_is_written_once_and_holds_every_record(
        self, leader: Leader, audited: Audited, settings: Settings, platform: Connection,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:  # fmt: skip
        monkeypatch.setitem(delivery.BATCH, "warehouse", 4)
        warehouse = await leader.add(AZURE)
        await audited.chain()
        await leader.ok("PUT", STREAM, json={"webhook": False, "warehouseId": warehouse["id"]})
        await audited.record(*(f"thing.{number}" for number in range(6)))
        await audited.round()
        files = sorted((settings.data_dir / "clouds").rglob("*.ndjson"))
        assert len(files) == 2
        lines = [json.loads(line) for file in files for line in file.read_text().splitlines()]
        assert actions_of(lines) == [
            "activityStream.changed", *(f"thing.{number}" for number in range(6)),
        ]  # fmt: skip
        head = (await leader.ok("GET", STREAM))["head"]
        last = lines[-1]["unmapped"]
        assert head == f"{last['record']['sequence']}:{last['hash']}"
        assert documented_check()([line["unmapped"] for line in lines]) == last["hash"]
        await audited.record("later.done")
        await audited.round()
        assert len(list((settings.data_dir / "clouds").rglob("*.ndjson"))) == 2
        await platform.execute("UPDATE activity_streams SET due_at = now()")
        await audited.round()
        assert len(list((settings.data_dir / "clouds").rglob("*.ndjson"))) == 3
        assert (await state(leader, "warehouse"))["behind"] == 0

    async def test_a_cloud_that_fails_is_named_and_tried_again(
        self, leader: Leader, audited: Audited, settings: Settings, platform: Connection
    ) -> None:
        warehouse = await leader.add(AZURE)
        await leader.ok("PUT", STREAM, json={"webhook": False, "warehouseId": warehouse["id"]})
        folder = next((settings.data_dir / "clouds").rglob(".tessera"))
        blocked = folder / "activity"
        blocked.write_text("in the way")
        await audited.round()
        failing = await state(leader, "warehouse")
        assert failing["error"]
        assert failing["failingSince"]
        blocked.unlink()
        await audited.let_the_wait_pass()
        await audited.round()
        assert list(folder.rglob("*.ndjson"))
        assert (await state(leader, "warehouse"))["error"] is None

    async def test_removing_the_warehouse_turns_the_files_off(
        self, leader: Leader, audited: Audited
    ) -> None:
        warehouse = await leader.add(AZURE)
        await leader.ok("PUT", STREAM, json={"webhook": False, "warehouseId": warehouse["id"]})
        assert (await leader.call("DELETE", f"/warehouse/{warehouse['id']}")).is_success
        seen = await leader.ok("GET", STREAM)
        assert (seen["warehouse"], seen["warehouseId"]) == (None, None)
