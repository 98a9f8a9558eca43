"""The company's webhook: its secret, its events, and what happens when they cannot be delivered."""

import inspect
import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from tessera.integrations import webhooks
from tessera.kit import workflows as engine
from tessera.kit.database import Connection
from tessera.kit.workflows import Resources
from tessera.warehouses import workflows as warehouse_workflows
from tessera.warehouses.alerts import queries, workflows
from tests.factories.accounts import Factory, Outbox
from tests.factories.people import People, Team
from tests.fixtures.kill_points import Hold
from tests.fixtures.process import Service
from tests.fixtures.waiting import eventually
from tests.fixtures.webhook_receiver import Receiver, documented_verify
from tests.warehouses.leader import Leader
from tests.warehouses.test_alerts import lose_a_warehouse

WEBHOOK = "/warehouse-alerts/webhook"


@pytest.fixture
def resources(app: FastAPI, monkeypatch: pytest.MonkeyPatch) -> Resources:
    resources: Resources = app.state.resources
    monkeypatch.setattr(engine, "_resources", resources)
    return resources


@pytest.fixture
async def secret(leader: Leader, receiver: Receiver) -> str:
    answer = await leader.ok("PUT", WEBHOOK, json={"url": receiver.url})
    return str(answer["secret"])


async def run_waiting(platform: Connection) -> None:
    """Makes the next attempt of every waiting delivery."""
    rows = await platform.fetch(
        "SELECT company_id, id, attempts FROM webhook_deliveries WHERE outcome = 'waiting'"
        " ORDER BY id"
    )
    attempt: Callable[..., Any] = inspect.unwrap(workflows.deliver_event.run)
    for row in rows:
        await attempt(row["company_id"], row["id"], row["attempts"])


async def webhook(leader: Leader) -> Any:
    return (await leader.ok("GET", "/warehouse-alerts"))["webhook"]


async def send_test(leader: Leader) -> int:
    return (await leader.call("POST", f"{WEBHOOK}/test")).status_code


class TestSecret:
    async def test_webhook_secret_is_shown_once_and_stored_sealed(
        self, leader: Leader, receiver: Receiver, secret: str, platform: Connection
    ) -> None:
        assert secret.startswith("whsec_")
        assert secret not in json.dumps(await leader.ok("GET", "/warehouse-alerts"))
        again = await leader.ok("PUT", WEBHOOK, json={"url": f"{receiver.url}&again=1"})
        assert again == {"secret": None}
        row = await platform.fetchrow("SELECT * FROM webhooks")
        assert row is not None
        assert row["url"] == f"{receiver.url}&again=1"
        assert secret.removeprefix("whsec_").encode() not in row["sealed"]
        records = await platform.fetch(
            "SELECT action, target, details FROM activity WHERE action LIKE 'webhook.%' ORDER BY id"
        )
        assert [(row["action"], row["target"]) for row in records] == [
            ("webhook.added", "127.0.0.1"),
            ("webhook.updated", "127.0.0.1"),
        ]
        assert "team=7" not in str([tuple(row) for row in records])

    async def test_both_webhook_secrets_verify_for_a_day_after_a_rotation(
        self, leader: Leader, receiver: Receiver, secret: str, resources: Resources,
        platform: Connection,
    ) -> None:  # fmt: skip
        verify = documented_verify()
        new = (await leader.ok("POST", f"{WEBHOOK}/secret"))["secret"]
        assert new != secret
        await send_test(leader)
        await run_waiting(platform)
        posted = receiver.posted[-1]
        assert [verify(each, posted.headers, posted.body) for each in (secret, new)] == [True, True]
        newest = (await leader.ok("POST", f"{WEBHOOK}/secret"))["secret"]
        await send_test(leader)
        await run_waiting(platform)
        posted = receiver.posted[-1]
        assert [
            verify(each, posted.headers, posted.body) for each in (secret, new, newest)
        ] == [False, True, True]  # fmt: skip

    async def test_webhook_secret_survives_a_new_data_key(
        self, leader: Leader, receiver: Receiver, secret: str, resources: Resources,
        platform: Connection,
    ) -> None:  # fmt: skip
        await leader.ok("PUT", "/company/newkey")
        assert await platform.fetchval("SELECT key_version FROM webhooks") == 2
        await send_test(leader)
        await run_waiting(platform)
        (posted,) = receiver.posted
        assert documented_verify()(secret, posted.headers, posted.body)

    async def test_missing_webhook_cannot_be_rotated_tested_or_removed(
        self, leader: Leader
    ) -> None:
        for method, path in (("POST", "/secret"), ("POST", "/test"), ("DELETE", "")):
            assert await leader.code(method, WEBHOOK + path) == (404, "webhook_not_found")


class TestEvents:
    async def test_the_documented_code_verifies_a_delivered_event(
        self, leader: Leader, team: Team, receiver: Receiver, secret: str, resources: Resources,
        platform: Connection,
    ) -> None:  # fmt: skip
        await lose_a_warehouse(resources, team)
        await run_waiting(platform)
        (posted,) = receiver.posted
        verify = documented_verify()
        assert verify(secret, posted.headers, posted.body)
        assert not verify(secret, posted.headers, posted.body + b" ")
        late = {**posted.headers, "webhook-timestamp": "1700000000"}
        assert not verify(secret, late, posted.body)
        assert posted.path == "/alerts?team=7"
        assert posted.headers["content-type"] == "application/json"
        event = json.loads(posted.body)
        assert event["type"] == "warehouse.not_connected"
        assert event["data"] == {
            "warehouseId": 7, "warehouse": "Frankfurt", "cloud": "AWS S3", "cause": "unreachable",
        }  # fmt: skip
        (delivery,) = (await webhook(leader))["deliveries"]
        assert (delivery["event"], delivery["outcome"], delivery["status"]) == (
            "warehouse.not_connected", "delivered", 204,
        )  # fmt: skip
        assert delivery["nextAttemptAt"] is None

    async def test_events_of_another_company_are_not_sent(
        self, people: People, receiver: Receiver, secret: str, resources: Resources,
        platform: Connection,
    ) -> None:  # fmt: skip
        await lose_a_warehouse(resources, await people.team())
        await run_waiting(platform)
        assert receiver.posted == []

    async def test_the_log_shows_the_newest_twenty(
        self, leader: Leader, secret: str, platform: Connection
    ) -> None:
        for _ in range(21):
            assert await send_test(leader) == 204
        deliveries = (await webhook(leader))["deliveries"]
        newest = await platform.fetchval("SELECT max(id) FROM webhook_deliveries")
        assert (len(deliveries), deliveries[0]["id"]) == (20, newest)

    async def test_a_removed_webhook_gets_nothing_more(
        self, leader: Leader, team: Team, receiver: Receiver, secret: str, resources: Resources,
        platform: Connection,
    ) -> None:  # fmt: skip
        await send_test(leader)
        row = await platform.fetchrow("SELECT company_id, id FROM webhook_deliveries")
        assert row is not None
        assert (await leader.call("DELETE", WEBHOOK)).status_code == 204
        await inspect.unwrap(workflows.deliver_event.run)(*row, 0)
        await lose_a_warehouse(resources, team)
        await run_waiting(platform)
        assert receiver.posted == []
        assert await webhook(leader) is None

    async def test_old_deliveries_are_swept(
        self, leader: Leader, secret: str, resources: Resources, platform: Connection
    ) -> None:
        for _ in range(2):
            await send_test(leader)
        await platform.execute(
            "UPDATE webhook_deliveries SET created_at = now() - interval '31 days'"
            " WHERE id = (SELECT min(id) FROM webhook_deliveries)"
        )
        await inspect.unwrap(warehouse_workflows.sweep_warehouses)()
        assert await platform.fetchval("SELECT count(*) FROM webhook_deliveries") == 1


class TestFailures:
    async def test_webhook_is_tried_again_with_the_same_id_until_it_arrives(
        self, leader: Leader, team: Team, receiver: Receiver, secret: str, resources: Resources,
        platform: Connection,
    ) -> None:  # fmt: skip
        receiver.status = 500
        await lose_a_warehouse(resources, team)
        await run_waiting(platform)
        (delivery,) = (await webhook(leader))["deliveries"]
        assert (delivery["outcome"], delivery["status"], delivery["error"]) == (
            "waiting", 500, "status",
        )  # fmt: skip
        async with resources.database.without_tenant() as connection:
            keys = await connection.fetch(
                "SELECT workflow_uuid FROM dbos.workflow_status WHERE name = $1",
                workflows.deliver_event.name,
            )
        assert {row["workflow_uuid"] for row in keys} >= {
            f"webhook-{delivery['id']}-{attempt}" for attempt in (0, 1)
        }
        receiver.status = 200
        await run_waiting(platform)
        assert len({each.headers["webhook-id"] for each in receiver.posted}) == 1
        assert len(receiver.posted) == 2
        (delivery,) = (await webhook(leader))["deliveries"]
        assert (delivery["outcome"], delivery["attempts"]) == ("delivered", 2)

    async def test_an_attempt_that_was_sent_and_not_recorded_is_sent_with_the_same_id(
        self, leader: Leader, receiver: Receiver, secret: str, resources: Resources,
        platform: Connection, monkeypatch: pytest.MonkeyPatch,
    ) -> None:  # fmt: skip
        async def killed(*_: Any, **__: Any) -> bool:
            raise KeyboardInterrupt

        await send_test(leader)
        with monkeypatch.context() as patch:
            patch.setattr(queries, "record_attempt", killed)
            with pytest.raises(KeyboardInterrupt):
                await run_waiting(platform)
        await run_waiting(platform)
        await run_waiting(platform)
        first, second = receiver.posted
        assert first.headers["webhook-id"] == second.headers["webhook-id"]
        assert first.body == second.body

    async def test_webhook_is_turned_off_after_a_day_of_failures_and_the_leader_is_told(
        self, leader: Leader, team: Team, receiver: Receiver, secret: str, resources: Resources,
        outbox: Outbox, platform: Connection,
    ) -> None:  # fmt: skip
        receiver.status = 503
        await lose_a_warehouse(resources, team)
        for _ in range(len(workflows.WAITS)):
            await run_waiting(platform)
        assert (await webhook(leader))["disabledAt"] is None
        await lose_a_warehouse(resources, team)
        await run_waiting(platform)
        seen = await webhook(leader)
        assert seen["disabledAt"] is not None
        assert [each["outcome"] for each in seen["deliveries"]] == ["failed", "failed"]
        mail = (await outbox.messages())[-1]
        assert (mail["to"], mail["subject"]) == (team.leader.email, "Your webhook was turned off")
        assert "127.0.0.1" in mail["text"]
        assert "team=7" not in mail["text"]
        sent = len(receiver.posted)
        await lose_a_warehouse(resources, team)
        await run_waiting(platform)
        assert len(receiver.posted) == sent
        receiver.status = 200
        assert await leader.ok("PUT", WEBHOOK, json={"url": receiver.url}) == {"secret": None}
        assert (await webhook(leader))["disabledAt"] is None
        await lose_a_warehouse(resources, team)
        await run_waiting(platform)
        assert len(receiver.posted) == sent + 1

    def test_the_attempts_take_about_a_day(self) -> None:
        assert 24 * 3600 <= sum(workflows.WAITS) <= 26 * 3600

    async def test_a_delivery_that_arrived_meanwhile_keeps_it_on(
        self, leader: Leader, team: Team, receiver: Receiver, secret: str, resources: Resources,
        platform: Connection,
    ) -> None:  # fmt: skip
        receiver.status = 503
        await lose_a_warehouse(resources, team)
        for _ in range(len(workflows.WAITS)):
            await run_waiting(platform)
        await platform.execute("UPDATE webhooks SET last_success_at = now()")
        await run_waiting(platform)
        seen = await webhook(leader)
        assert seen["disabledAt"] is None
        assert seen["deliveries"][0]["outcome"] == "failed"

    async def test_a_test_event_is_sent_once_and_turns_nothing_off(
        self, leader: Leader, receiver: Receiver, secret: str, resources: Resources,
        platform: Connection,
    ) -> None:  # fmt: skip
        receiver.status = 410
        await send_test(leader)
        await run_waiting(platform)
        seen = await webhook(leader)
        assert (seen["deliveries"][0]["outcome"], seen["disabledAt"]) == ("failed", None)

    async def test_a_redirect_is_not_followed(
        self, leader: Leader, receiver: Receiver, secret: str, resources: Resources,
        platform: Connection,
    ) -> None:  # fmt: skip
        receiver.status = 307
        receiver.answer_headers = {"location": "/elsewhere"}
        await send_test(leader)
        await run_waiting(platform)
        assert [each.path for each in receiver.posted] == ["/alerts?team=7"]
        delivery = (await webhook(leader))["deliveries"][0]
        assert (delivery["status"], delivery["error"]) == (307, "status")

    async def test_a_receiver_that_does_not_answer(
        self, leader: Leader, receiver: Receiver, secret: str, resources: Resources,
        platform: Connection, monkeypatch: pytest.MonkeyPatch,
    ) -> None:  # fmt: skip
        monkeypatch.setattr(webhooks, "TIMEOUT_SECONDS", 0.3)
        receiver.answering.clear()
        await send_test(leader)
        await run_waiting(platform)
        assert (await webhook(leader))["deliveries"][0]["error"] == "timeout"

    async def test_a_receiver_that_is_gone(
        self, leader: Leader, receiver: Receiver, secret: str, resources: Resources,
        platform: Connection,
    ) -> None:  # fmt: skip
        receiver.close()
        await send_test(leader)
        await run_waiting(platform)
        assert (await webhook(leader))["deliveries"][0]["error"] == "unreachable"

    async def test_a_secret_that_cannot_be_opened(
        self, leader: Leader, receiver: Receiver, secret: str, resources: Resources,
        platform: Connection,
    ) -> None:  # fmt: skip
        await platform.execute("UPDATE webhooks SET sealed = '\\x00'")
        await send_test(leader)
        await run_waiting(platform)
        assert receiver.posted == []
        assert (await webhook(leader))["deliveries"][0]["error"] == "secret_unreadable"
        assert await leader.code("POST", f"{WEBHOOK}/secret") == (503, "credentials_unreadable")


@pytest.mark.extended
@pytest.mark.timeout(240)
async def test_killed_between_the_call_and_its_record_it_is_sent_with_the_same_id(
    service: Service, make: Factory, people: People, receiver: Receiver, hold: Hold
) -> None:
    team = await people.team(warehouses=True)
    headers = await make.session(team.leader, verified=True)
    async with httpx.AsyncClient(base_url=f"{service.address}/api", headers=headers) as http:
        (await http.put(WEBHOOK, json={"url": receiver.url})).raise_for_status()
        await hold.at("UPDATE OF attempts ON webhook_deliveries")
        (await http.post(f"{WEBHOOK}/test")).raise_for_status()
        await hold.kill(service)
        service.start()

        async def delivered() -> bool:
            answer = await http.get("/warehouse-alerts")
            (delivery,) = answer.raise_for_status().json()["webhook"]["deliveries"]
            return bool(delivery["outcome"] == "delivered")

        await eventually(delivered, "the event is delivered after the restart")
    first, second = receiver.posted
    assert first.headers["webhook-id"] == second.headers["webhook-id"]
