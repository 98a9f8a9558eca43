"""What the parts of this package and other features do with a user's account."""

from tessera.auth import queries
from tessera.auth.queries import (
    Account,
    accept_company_key,
    account,
    add_link,
    add_user,
    address_taken,
    drop_company_key,
    drop_key_handover,
    end_sessions_of,
    end_sessions_of_company,
    find_login,
    release_address,
    set_passphrase,
)
from tessera.auth.schemas import UserRead
from tessera.authz import queries as authz_queries
from tessera.authz.context import Access
from tessera.authz.permissions import COMMON_PERMISSIONS, ROLE_PERMISSIONS, Role
from tessera.kit.database import Connection
from tessera.kit.i18n import Language
from tessera.kit.keys import Keys
from tessera.notifications import mails
from tessera.notifications.service import enqueue_email

# Queries that other features call, and what one of them returns.
__all__ = [
    "Account",
    "accept_company_key",
    "account",
    "add_link",
    "add_user",
    "address_taken",
    "drop_company_key",
    "drop_key_handover",
    "end_sessions_of",
    "end_sessions_of_company",
    "find_login",
    "release_address",
    "set_passphrase",
]


async def own_account(access: Access) -> Account:
    account = await queries.account(access.connection, access.current_user.user_id)
    assert account is not None
    return account


def user_read(account: Account, *, is_accepted: bool) -> UserRead:
    return UserRead.of(
        account,
        second_factor_accepted=is_accepted,
        email_address=account.email,
        # A field of the API that has no meaning here.
        client_id=None,
        permissions=sorted(ROLE_PERMISSIONS[Role(account.role)] - COMMON_PERMISSIONS),
        language=Language(account.language),
        email_confirmed=account.is_email_confirmed,
        first_steps=account.first_steps_shown and account.role == Role.TEAM_LEADER,
    )


async def mail_account(
    connection: Connection, keys: Keys, account: Account, mail: mails.Mail
) -> None:
    await enqueue_email(connection, keys, account.company_id, account, mail)


async def mail_own_account(access: Access, mail: mails.Mail) -> None:
    account = await own_account(access)
    await mail_account(access.connection, access.context.keys, account, mail)


async def mail_team_leader(
    connection: Connection, keys: Keys, company_id: int, mail: mails.Mail
) -> None:
    """Mails the leader of the entered company."""
    leader = await authz_queries.team_leader(connection)
    if leader is not None:
        await enqueue_email(connection, keys, company_id, leader, mail)


async def end_other_sessions(access: Access) -> None:
    """Ends the user's sessions except the current one."""
    current_user = access.current_user
    await queries.end_sessions_of(
        access.connection, current_user.user_id, except_session=current_user.session_id
    )


async def forget_devices(access: Access) -> None:
    """Browsers that have logged in before count as strangers again."""
    await queries.delete_devices(access.connection, access.current_user.user_id)
