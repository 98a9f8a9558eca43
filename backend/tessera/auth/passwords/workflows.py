from datetime import timedelta

from tessera.auth import queries as auth_queries
from tessera.auth.accounts import mail_account
from tessera.auth.passwords import queries
from tessera.kit.database import enter_tenant
from tessera.kit.schemas import normalize_email
from tessera.kit.tokens import hash_handle, new_handle
from tessera.kit.workflows import current_resources, workflow
from tessera.notifications import mails


@workflow(queue="resets", attempts=8)
async def send_reset_link(request_id: int) -> None:
    """Takes the request and enqueues the mail in one transaction, so it is safe to repeat."""
    resources = current_resources()
    async with resources.database.without_tenant() as connection:
        sealed_address = await queries.take_reset_request(connection, request_id)
        if sealed_address is None:
            return
        address = resources.keys.open("reset-requests", sealed_address, "reset-request")
        folded = normalize_email(address.decode())
        company_id, user_id = await auth_queries.find_login(connection, folded)
        await enter_tenant(connection, company_id)
        account = await auth_queries.account(connection, user_id)
        if account is None or not account.is_active or not account.is_enabled:
            return
        if account.email_set_by_directory_at is not None:
            mail = mails.ResetNotPossible(link=resources.settings.public_url)
            await mail_account(connection, resources.keys, account, mail)
            return
        token = new_handle(company_id)
        await auth_queries.add_link(
            connection,
            company_id=company_id,
            user_id=user_id,
            purpose="reset",
            token_hash=hash_handle(token),
            email=account.email,
            lasting=timedelta(minutes=resources.settings.reset_link_minutes),
        )
        await mail_account(
            connection,
            resources.keys,
            account,
            mails.ResetLink(
                minutes=mails.Count(resources.settings.reset_link_minutes, "minutes"),
                link=f"{resources.settings.public_url}/reset-password?token={token}",
            ),
        )
