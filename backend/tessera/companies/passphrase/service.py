"""The sealed passphrase. The server sees only envelopes, and checks their form and their epoch."""

from tessera.activity.service import record
from tessera.auth.accounts import accept_company_key, mail_team_leader, set_passphrase
from tessera.authz.context import Access
from tessera.authz.errors import Forbidden, SessionExpired
from tessera.authz.queries import lock_user, session_is_active
from tessera.companies.passphrase import errors, queries, schemas
from tessera.companies.passphrase.queries import FormerPassphrase, PassphrasePair
from tessera.kit import clock
from tessera.kit.database import Connection
from tessera.notifications import mails
from tessera.storage.keys import handovers
from tessera_core.envelopes import (
    check_company_key,
    check_former_key,
    check_passphrase_pair,
    split_passphrase_pair,
)


async def reveal(access: Access) -> str:
    current_user = access.current_user
    pair = await queries.passphrase_pair(
        access.connection, current_user.company_id, current_user.user_id
    )
    if pair is None or pair.sealed_company_key is None:
        handover = await handovers.stored(
            access.connection, current_user.company_id, current_user.user_id, "leadership"
        )
        holder = await current_key_holder(access.connection, current_user.company_id)
        raise errors.PassphraseLocked(
            extra={
                "epoch": pair.epoch if pair else 0,
                "handedOver": handover is not None,
                "keyHolder": holder,
            }
        )
    await record(access, "passphrase.revealed", details={"epoch": pair.epoch})
    return f"{pair.sealed_company_key}~{pair.sealed_passphrase}"


async def current_key_holder(connection: Connection, company_id: int) -> str | None:
    """Returns the name of the second key holder, if their copy opens the passphrase."""
    holder = await handovers.key_holder(connection, company_id)
    return holder.name if holder and holder.is_current else None


async def read_handover(access: Access) -> schemas.KeyHandoverRead:
    current_user = access.current_user
    ids = (access.connection, current_user.company_id, current_user.user_id)
    handover = await handovers.stored(*ids, "leadership")
    pair = await queries.passphrase_pair(*ids)
    if handover is None or pair is None:
        raise errors.KeyHandoverMissing
    return schemas.KeyHandoverRead.of(
        handover,
        passphrase=pair.sealed_passphrase,
        sender_name=await handovers.sender_name(access.connection, handover),
    )


async def accept_handover(access: Access, company_key: str) -> None:
    """Stores the handed-over key, which the caller's user key now seals."""
    current_user = access.current_user
    uid, cid = str(current_user.user_uuid), str(current_user.company_uuid)
    try:
        epoch = check_company_key(company_key, uid=uid, cid=cid)
    except ValueError:
        raise errors.PassphraseNotSealed(fields={"companyKey": "envelope"}) from None
    stored = await lock_for_leader(access)
    handover = await handovers.stored(
        access.connection, current_user.company_id, current_user.user_id, "leadership"
    )
    if handover is None:
        raise errors.KeyHandoverMissing
    if not epoch == handover.epoch == stored:
        raise errors.PassphraseEpochStale(extra={"epoch": stored})
    await accept_company_key(
        access.connection,
        company_id=current_user.company_id,
        user_id=current_user.user_id,
        epoch=epoch,
        sealed_company_key=company_key,
    )
    await record(access, "passphrase.handoverAccepted", details={"epoch": epoch})


async def list_former(access: Access) -> list[schemas.FormerPassphraseRead]:
    pair, former = await _with_former(access)
    openable = _openable(pair, former)
    return [schemas.FormerPassphraseRead.of(row, can_open=row in openable) for row in former]


async def reveal_former(access: Access, epoch: int) -> schemas.FormerPassphraseSealed:
    pair, former = await _with_former(access)
    chain = [row for row in _openable(pair, former) if row.epoch >= epoch]
    if pair is None or not chain or chain[-1].epoch != epoch:
        raise errors.FormerPassphraseLocked
    await record(access, "passphrase.formerRevealed", details={"epoch": epoch})
    return schemas.FormerPassphraseSealed(
        company_key=pair.sealed_company_key,
        former_keys=[row.sealed_key for row in chain],
        passphrase=chain[-1].sealed_passphrase,
    )


async def change(access: Access, data: schemas.NewPassphrase) -> None:
    """The epoch has to be the next one: of two concurrent changes the second must reload."""
    current_user = access.current_user
    epoch = _check_sealed(access, data)
    stored = await lock_for_leader(access)
    if epoch != stored + 1:
        raise errors.PassphraseEpochStale(extra={"epoch": stored})
    sealed_key, sealed_passphrase = split_passphrase_pair(data.passphrase)
    await set_passphrase(
        access.connection,
        company_id=current_user.company_id,
        user_id=current_user.user_id,
        epoch=epoch,
        sealed_company_key=sealed_key,
        sealed_passphrase=sealed_passphrase,
        sealed_former_key=data.former_key,
    )
    await record(access, "passphrase.changed", details={"epoch": epoch})
    mail = mails.PassphraseChanged(company=current_user.company_name, date=clock.now())
    await mail_team_leader(access.connection, access.context.keys, current_user.company_id, mail)


async def lock_for_leader(access: Access) -> int:
    """Locks the company and returns the epoch of its passphrase. What was sealed with a replaced
    key, or by somebody who no longer leads, is refused."""
    current_user = access.current_user
    stored = await queries.stored_epoch(access.connection, current_user.company_id)
    # A password change ends other sessions, and with them what they have sealed with the old key.
    await lock_user(access.connection, current_user.user_id)
    if not await session_is_active(access.connection, current_user.session_id):
        raise SessionExpired
    # Leadership may have changed while this waited for the lock.
    if not await queries.is_leader(access.connection, current_user.user_id):
        raise Forbidden
    return stored


def _check_sealed(access: Access, data: schemas.NewPassphrase) -> int:
    cid = str(access.current_user.company_uuid)
    try:
        epoch = check_passphrase_pair(
            data.passphrase, uid=str(access.current_user.user_uuid), cid=cid
        )
    except ValueError:
        raise errors.PassphraseNotSealed(fields={"passphrase": "envelope"}) from None
    if data.former_key is not None:
        try:
            former_epoch = check_former_key(data.former_key, cid=cid)
        except ValueError:
            former_epoch = None
        if former_epoch != epoch - 1:
            raise errors.PassphraseNotSealed(fields={"formerKey": "envelope"})
    return epoch


async def _with_former(access: Access) -> tuple[PassphrasePair | None, list[FormerPassphrase]]:
    current_user = access.current_user
    pair = await queries.passphrase_pair(
        access.connection, current_user.company_id, current_user.user_id
    )
    return pair, await queries.former_passphrases(access.connection, current_user.company_id)


def _openable(
    pair: PassphrasePair | None, former: list[FormerPassphrase]
) -> list[FormerPassphrase]:
    """Follows the keys from the caller's own, each sealed by the next, until one is missing."""
    chain: list[FormerPassphrase] = []
    if pair is None or pair.sealed_company_key is None:
        return chain
    for row in former:
        if row.sealed_key is None or row.epoch != pair.epoch - len(chain) - 1:
            break
        chain.append(row)
    return chain
