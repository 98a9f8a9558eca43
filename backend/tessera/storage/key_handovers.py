"""Company keys on their way to a new leader, sealed to that member's keys."""

from uuid import UUID

from tessera.activity.service import record
from tessera.authz.context import Access
from tessera.kit.database import Connection
from tessera.storage import key_handover_queries as queries
from tessera.storage import queries as storage_queries
from tessera.storage.errors import KeyHandoverMalformed, KeyHandoverStale
from tessera_core.errors import Malformed, NotAuthentic
from tessera_core.key_handovers import KeyHandover
from tessera_core.user_keys import PublicKeys


async def usable_keys(connection: Connection, company_id: int, user_id: int) -> bytes | None:
    """Returns the member's public keys if a browser can open what is sealed to them."""
    stored = await storage_queries.keys(connection, company_id, user_id)
    return stored.public_keys if stored and stored.envelope is not None else None


async def store(access: Access, data: bytes, *, recipient: UUID, user_id: int, email: str) -> None:
    """Stores the caller's company key for the new leader. The company is locked."""
    user = access.current_user
    sender_keys = await usable_keys(access.connection, user.company_id, user.user_id)
    handover = _check(access, data, recipient, sender_keys)
    epoch = await queries.held_epoch(access.connection, user.company_id, user.user_id)
    if handover.epoch != epoch:
        raise KeyHandoverStale
    if await usable_keys(access.connection, user.company_id, user_id) is None:
        raise KeyHandoverStale
    await queries.add(
        access.connection,
        user.company_id,
        user_id,
        epoch=epoch,
        data=data,
        sender_keys=sender_keys,
    )
    await record(access, "passphrase.handedOver", target=email, details={"epoch": epoch})


def _check(access: Access, data: bytes, recipient: UUID, sender_keys: bytes | None) -> KeyHandover:
    """A sender who has keys has to sign."""
    user = access.current_user
    try:
        handover = KeyHandover.decode(data)
        if sender_keys is not None:
            handover.verify(PublicKeys.decode(sender_keys), company=user.company_uuid)
    except (Malformed, NotAuthentic):
        raise KeyHandoverMalformed from None
    signed = bool(handover.signature)
    expected = (user.user_uuid, recipient, sender_keys is not None)
    if (handover.sender, handover.recipient, signed) != expected:
        raise KeyHandoverMalformed
    return handover
