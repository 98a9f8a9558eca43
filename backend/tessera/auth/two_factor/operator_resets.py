"""Resets that only an operator does, on the command line, after verifying who is asking."""

from tessera.activity.service import COMMAND_LINE, record_system
from tessera.auth import queries as auth_queries
from tessera.auth.accounts import end_sessions_of, mail_account
from tessera.auth.two_factor import queries
from tessera.auth.two_factor.codes import mask_phone
from tessera.kit.database import enter_tenant
from tessera.kit.schemas import normalize_email
from tessera.kit.workflows import Resources
from tessera.notifications import mails


async def reset_phone(resources: Resources, address: str, number: str) -> bool:
    """Switches back to SMS codes at the new number, because a lost phone means a lost app and maybe
    a lost passkey. False if the address is unknown."""
    async with resources.database.without_tenant() as connection:
        company_id, user_id = await auth_queries.find_login(connection, normalize_email(address))
        await enter_tenant(connection, company_id)
        account = await auth_queries.account(connection, user_id)
        if account is None:
            return False
        uuid = str(account.uuid)
        await auth_queries.set_phone(connection, user_id, number)
        await queries.set_sms_off(connection, user_id, False)
        await end_sessions_of(connection, user_id)
        await record_system(
            connection, company_id, "phone.resetByPlatform", by=COMMAND_LINE, target=uuid
        )
        if await queries.turn_off_authenticator(connection, user_id):
            await record_system(
                connection,
                company_id,
                "authenticator.resetByPlatform",
                by=COMMAND_LINE,
                target=uuid,
            )
        if await auth_queries.delete_passkeys(connection, user_id):
            await record_system(
                connection, company_id, "passkey.resetByPlatform", by=COMMAND_LINE, target=uuid
            )
        mail = mails.TwoFactorReset(phone=mask_phone(number))
        await mail_account(connection, resources.keys, account, mail)
    return True
