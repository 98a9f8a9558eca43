"""Company keys sealed to a member's keys: on their way to the leader, or for the second holder."""

from uuid import UUID

from tessera.authz.context import Access
from tessera.kit.database import Connection
from tessera.storage.keys import handover_queries, queries
from tessera.storage.keys.errors import KeyHandoverMalformed, KeyHandoverStale
from tessera.storage.keys.handover_queries import (
    Purpose,
    StoredHandover,
    give_to_leader,
    held_epoch,
    key_holder,
    stored,
)
from tessera_core.errors import Malformed, NotAuthentic
from tessera_core.handovers import KeyHandover
from tessera_core.user_keys import PublicKeys

# Queries that other features call.
__all__ = ["StoredHandover", "give_to_leader", "held_epoch", "key_holder", "stored"]


async def usable_keys(connection: Connection, company_id: int, user_id: int) -> bytes | None:
    """Returns the member's public keys if a browser can open what is sealed to them."""
    stored = await queries.keys(connection, company_id, user_id)
    return stored.public_keys if stored and stored.envelope is not None else None


async def store(
    access: Access,
    data: bytes,
    *,
    recipient: UUID,
    user_id: int,
    purpose: Purpose,
    epoch: int | None,
) -> None:
    """Stores the caller's company key, which has to be of that epoch and signed by the caller's
    keys. The company is locked."""
    user = access.current_user
    sender_keys = await usable_keys(access.connection, user.company_id, user.user_id)
    if sender_keys is None:
        raise KeyHandoverMalformed
    handover = _check(access, data, recipient, sender_keys)
    if handover.epoch != epoch:
        raise KeyHandoverStale
    if await usable_keys(access.connection, user.company_id, user_id) is None:
        raise KeyHandoverStale
    await handover_queries.put(
        access.connection,
        user.company_id,
        user_id,
        purpose=purpose,
        epoch=epoch,
        data=data,
        sender_keys=sender_keys,
    )


async def sender_name(connection: Connection, handover: StoredHandover) -> str | None:
    """Returns whom the recipient asks for six words; None when the sender has left."""
    return await handover_queries.name_of(connection, KeyHandover.decode(handover.data).sender)


def _check(access: Access, data: bytes, recipient: UUID, sender_keys: bytes) -> KeyHandover:
    user = access.current_user
    try:
        handover = KeyHandover.decode(data)
        handover.verify(PublicKeys.decode(sender_keys), company=user.company_uuid)
    except (Malformed, NotAuthentic):
        raise KeyHandoverMalformed from None
    if (handover.sender, handover.recipient) != (user.user_uuid, recipient):
        raise KeyHandoverMalformed
    return handover
