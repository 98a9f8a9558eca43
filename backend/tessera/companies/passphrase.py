"""The sealed passphrase. The server sees only envelopes, and checks their form and their epoch."""

from tessera.activity.service import record
from tessera.auth.accounts import mail_team_leader
from tessera.auth.queries import lock_user, session_is_active, set_passphrase
from tessera.authz.context import Access
from tessera.authz.errors import Forbidden, SessionExpired
from tessera.companies import queries
from tessera.companies.errors import PassphraseEpochStale, PassphraseLocked, PassphraseNotSealed
from tessera.kit import clock
from tessera.kit.formatting import format_date
from tessera_core.envelopes import check_passphrase_pair, split_passphrase_pair


async def reveal(access: Access) -> str:
    current_user = access.current_user
    pair = await queries.passphrase_pair(
        access.connection, current_user.company_id, current_user.user_id
    )
    if pair is None or pair.sealed_company_key is None:
        raise PassphraseLocked(extra={"epoch": pair.epoch if pair else 0})
    await record(access, "passphrase.revealed", details={"epoch": pair.epoch})
    return f"{pair.sealed_company_key}~{pair.sealed_passphrase}"


async def change(access: Access, pair: str) -> None:
    """The epoch has to be the next one: of two concurrent changes the second must reload."""
    current_user = access.current_user
    try:
        epoch = check_passphrase_pair(
            pair, uid=str(current_user.user_uuid), cid=str(current_user.company_uuid)
        )
    except ValueError:
        raise PassphraseNotSealed(fields={"passphrase": "envelope"}) from None
    stored = await queries.stored_epoch(access.connection, current_user.company_id)
    # A password change ends other sessions, and with them what they have sealed with the old key.
    await lock_user(access.connection, current_user.user_id)
    if not await session_is_active(access.connection, current_user.session_id):
        raise SessionExpired
    # Leadership may have changed while this waited for the lock.
    if not await queries.is_leader(access.connection, current_user.user_id):
        raise Forbidden
    if epoch != stored + 1:
        raise PassphraseEpochStale(extra={"epoch": stored})
    sealed_key, sealed_passphrase = split_passphrase_pair(pair)
    await set_passphrase(
        access.connection,
        company_id=current_user.company_id,
        user_id=current_user.user_id,
        epoch=epoch,
        sealed_company_key=sealed_key,
        sealed_passphrase=sealed_passphrase,
    )
    await record(access, "passphrase.changed", details={"epoch": epoch})
    await mail_team_leader(
        access.connection,
        access.context.keys,
        current_user.company_id,
        "passphraseChanged",
        company=current_user.company_name,
        date=format_date(clock.now(), current_user.language),
    )
