"""Spaces: shared root folders, each with its own log."""

from uuid import UUID

from tessera import limits
from tessera.activity.service import record
from tessera.authz.context import Access
from tessera.kit.database import Connection
from tessera.storage import queries as storage_queries
from tessera.storage.access import (
    check_not_restoring,
    check_read,
    check_write,
    find_space,
    may_manage,
)
from tessera.storage.log import grant_queries, queries
from tessera.storage.log.entries import (
    add_entry,
    apply_entry,
    check_author,
    check_recovery,
    check_subject,
    decode_entry,
)
from tessera.storage.log.errors import EntryRefused, SpaceExists, TooManySpaces
from tessera.storage.log.schemas import SpaceRead
from tessera_core.entries import Genesis
from tessera_core.log import LogState, Reason


async def list_spaces(access: Access) -> list[SpaceRead]:
    await check_read(access)
    user = access.current_user
    rows = await storage_queries.spaces(access.connection, user.company_id, user.user_uuid)
    refused: dict[UUID, list[UUID]] = {}
    for grant in await grant_queries.refused_grants(access.connection, user.company_id):
        refused.setdefault(grant.space_id, []).append(grant.member)
    return [
        _space_read(row, refused.get(row.id, []) if _may_grant(access, row) else [])
        for row in rows
        if row.is_member or may_manage(access)
    ]


async def create_space(access: Access, encoded: bytes) -> SpaceRead:
    """Begins a space with its genesis entry, written by the team leader."""
    check_write(access)
    await check_not_restoring(access)
    connection, company_id = access.connection, access.current_user.company_id
    entry = decode_entry(encoded)
    genesis = entry.clear
    if not isinstance(genesis, Genesis):
        raise EntryRefused(extra={"reason": Reason.WRONG_KIND})
    check_author(access, entry)
    state = LogState(access.current_user.company_uuid, entry.head.space)
    apply_entry(state, entry)
    await check_subject(access, genesis.leader, genesis.keys)
    await check_recovery(access, genesis.recovery_keys)
    if await queries.count_spaces(connection, company_id) >= limits.SPACES.maximum:
        raise TooManySpaces(maximum=limits.SPACES.maximum)
    if not await add_genesis(connection, company_id, state, genesis):
        raise SpaceExists
    await add_entry(connection, company_id, entry, encoded)
    await record(access, "space.created", details={"space": str(state.space)})
    return _space_read(await find_space(access, state.space), [])


async def add_genesis(
    connection: Connection, company_id: int, state: LogState, genesis: Genesis
) -> bool:
    """False if there is a space of this id."""
    if not await queries.add_space(
        connection,
        company_id,
        state.space,
        head=state.head,
        time=state.time,
        leader=state.leader,
        recovery_keys=genesis.recovery_keys.encode(),
    ):
        return False
    await queries.set_member(
        connection, company_id, state.space, genesis.leader, genesis.keys.encode()
    )
    return True


def _may_grant(access: Access, space: storage_queries.Space) -> bool:
    return may_manage(access) or space.leader == access.current_user.user_uuid


def _space_read(row: storage_queries.Space, refused_grants: list[UUID]) -> SpaceRead:
    return SpaceRead.of(row, refused_grants=refused_grants, date_created=row.created_at)
