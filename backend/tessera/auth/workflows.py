from datetime import timedelta

from tessera.auth import queries
from tessera.kit import rate_counters
from tessera.kit.database import enter_tenant
from tessera.kit.i18n import Language
from tessera.kit.schemas import normalize_email
from tessera.kit.tokens import hash_handle, new_handle
from tessera.kit.workflows import current_resources, schedule, step, workflow
from tessera.notifications.service import enqueue_email


@workflow(queue="resets", poll_seconds=2)
async def send_reset_link(request_id: int) -> None:
    await post_reset_link(request_id)


@step()
async def post_reset_link(request_id: int) -> None:
    """Takes the request and enqueues the mail in one transaction, so it is safe to repeat."""
    resources = current_resources()
    async with resources.database.without_tenant() as connection:
        request = await queries.take_reset_request(connection, request_id)
        if request is None:
            return
        address = resources.keys.open("reset-requests", request["sealed_address"], "reset-request")
        folded = normalize_email(address.decode())
        company_id, user_id = await queries.find_login(connection, folded)
        await enter_tenant(connection, company_id)
        account = await queries.account(connection, user_id)
        if account is None or not account["is_active"] or not account["is_enabled"]:
            return
        token = new_handle()
        await queries.add_link(
            connection,
            company_id=company_id,
            user_id=user_id,
            purpose="reset",
            token_hash=hash_handle(token),
            email=account["email"],
            lasting=timedelta(minutes=resources.settings.reset_link_minutes),
        )
        await enqueue_email(
            connection,
            resources.keys,
            company_id=company_id,
            to=account["email"],
            language=Language(account["language"]),
            template="resetLink",
            link=f"{resources.settings.public_url}/reset-password?token={token}",
            name=account["first_name"],
            minutes=str(resources.settings.reset_link_minutes),
        )


@schedule("17 * * * *")
async def sweep(*_: object) -> None:
    await forget_old_counters()


@step()
async def forget_old_counters() -> None:
    await rate_counters.forget_old(current_resources().database)
