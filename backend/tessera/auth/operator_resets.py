"""Resets that only an operator does, on the command line, after verifying who is asking."""

from tessera.activity.service import COMMAND_LINE, record_system
from tessera.auth import authenticator_queries, queries
from tessera.auth.codes import mask_phone
from tessera.kit.database import enter_tenant
from tessera.kit.i18n import Language
from tessera.kit.schemas import normalize_email
from tessera.kit.workflows import Resources
from tessera.notifications.service import enqueue_email


async def reset_phone(resources: Resources, address: str, number: str) -> bool:
    """Switches back to SMS codes at the new number, because a lost phone means a lost app. False if
    the address is unknown."""
    async with resources.database.without_tenant() as connection:
        company_id, user_id = await queries.find_login(connection, normalize_email(address))
        await enter_tenant(connection, company_id)
        account = await queries.account(connection, user_id)
        if account is None:
            return False
        uuid = str(account["uuid"])
        await queries.set_phone(connection, user_id, number)
        await queries.end_sessions_of(connection, user_id)
        await record_system(
            connection, company_id, "phone.resetByPlatform", by=COMMAND_LINE, target=uuid
        )
        if await authenticator_queries.turn_off(connection, user_id):
            await record_system(
                connection,
                company_id,
                "authenticator.resetByPlatform",
                by=COMMAND_LINE,
                target=uuid,
            )
        await enqueue_email(
            connection,
            resources.keys,
            company_id=company_id,
            to=account["email"],
            language=Language(account["language"]),
            template="secondStepReset",
            name=account["first_name"],
            phone=mask_phone(number),
        )
    return True
