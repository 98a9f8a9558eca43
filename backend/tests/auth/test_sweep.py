"""What nothing reads any more is deleted; what is still in use stays."""

from fastapi import FastAPI

from tessera.auth.workflows import purge_expired_logins
from tessera.kit import workflows
from tessera.kit.database import Connection
from tests.factories.accounts import Factory

OLD = "now() - interval '100 days'"
NEW = "now() - interval '1 day'"
COUNTED = ("sessions", "codes", "links", "messages", "remembered_devices")


async def test_old_rows_are_swept(make: Factory, platform: Connection, app: FastAPI) -> None:
    user = await make.user()
    of_user = (user.company.id, user.id)
    for number, at in enumerate((OLD, NEW)):
        mark = str(number).encode()
        await platform.execute(
            "INSERT INTO sessions (company_id, user_id, handle_hash, expires_at, origin)"
            f" VALUES ($1, $2, $3, {at}, 'test')",
            *of_user, mark,
        )  # fmt: skip
        await platform.execute(
            "INSERT INTO codes (company_id, user_id, purpose, phone_number, code_hash, expires_at)"
            f" VALUES ($1, $2, 'login', '+12025550177', $3, {at})",
            *of_user, mark,
        )  # fmt: skip
        await platform.execute(
            "INSERT INTO links (company_id, user_id, purpose, token_hash, email, expires_at)"
            f" VALUES ($1, $2, 'reset', $3, 'a@company.test', {at})",
            *of_user, mark,
        )  # fmt: skip
        await platform.execute(
            "INSERT INTO messages (company_id, channel, created_at, sent_at)"
            f" VALUES ($1, 'email', {at}, {at})",
            user.company.id,
        )
        expiry = at if number == 0 else "now() + interval '1 day'"
        await platform.execute(
            "INSERT INTO remembered_devices (company_id, user_id, token_hash, expires_at)"
            f" VALUES ($1, $2, $3, {expiry})",
            *of_user, mark,
        )  # fmt: skip
    await platform.execute(
        "INSERT INTO messages (company_id, channel, created_at, sealed)"
        f" VALUES ($1, 'sms', {OLD}, 'x')",
        user.company.id,
    )
    workflows._resources = app.state.resources
    await purge_expired_logins.__wrapped__()  # type: ignore[attr-defined]
    counts = {table: await platform.fetchval(f"SELECT count(*) FROM {table}") for table in COUNTED}
    # A message that was never sent is kept for the operator.
    assert counts == {**dict.fromkeys(COUNTED, 1), "messages": 2}


async def test_finished_workflows_are_swept_after_a_month(
    platform: Connection, app: FastAPI
) -> None:
    for name, status, days in (
        ("succeeded", "SUCCESS", 31),
        ("failed", "ERROR", 31),
        ("cancelled", "CANCELLED", 31),
        ("lately", "SUCCESS", 29),
        ("waiting", "ENQUEUED", 31),
        ("running", "PENDING", 31),
    ):
        await platform.execute(
            "INSERT INTO dbos.workflow_status (workflow_uuid, status, name, created_at, updated_at)"
            " SELECT $1, $2, 'deliver_email', at, at FROM (SELECT"
            "  (extract(epoch FROM now() - $3 * interval '1 day') * 1000)::bigint AS at) t",
            name, status, days,
        )  # fmt: skip
    await platform.execute(
        "INSERT INTO dbos.operation_outputs (workflow_uuid, function_id, function_name)"
        " SELECT workflow_uuid, 1, 'send' FROM dbos.workflow_status"
    )
    payloads = ("workflow_input", "workflow_output")
    for table in payloads:
        await platform.execute(
            f"INSERT INTO dbos.{table} (workflow_uuid)"
            " SELECT workflow_uuid FROM dbos.workflow_status"
        )
    workflows._resources = app.state.resources
    await purge_expired_logins.__wrapped__()  # type: ignore[attr-defined]
    for table in ("workflow_status", "operation_outputs", *payloads):
        kept = await platform.fetch(f"SELECT workflow_uuid AS name FROM dbos.{table} ORDER BY 1")
        assert [row["name"] for row in kept] == ["lately", "running", "waiting"]
