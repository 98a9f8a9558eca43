"""What a company has uploaded and stored, and how safe it is."""

from datetime import UTC, datetime

from tessera import limits
from tessera.authz.context import Access
from tessera.kit.database import Connection
from tessera.storage.access import check_read, may_manage
from tessera.storage.clouds import load_warehouses
from tessera.storage.members import queries as member_queries
from tessera.storage.packs.placement import usable
from tessera.storage.quota import service as quota
from tessera.storage.recovery import queries as recovery_queries
from tessera.storage.usage import queries, schemas
from tessera.storage.usage.queries import WarehouseUsage, spaces
from tessera_core.providers import find_provider

# Queries that other features call.
__all__ = ["spaces"]

MONTHS = 12


async def read_usage(access: Access) -> schemas.UsageRead:
    await check_read(access)
    connection, user = access.connection, access.current_user
    usage = await quota.read_usage(connection, user.company_id, user.user_uuid)
    stored = await queries.stored(connection, user.company_id)
    only = None if may_manage(access) else user.user_uuid
    members = await queries.members(connection, user.company_id, usage.month.starts_at, only)
    by_warehouse = await queries.warehouses(connection, user.company_id)
    warehouses = await load_warehouses(connection, access.context.resources, user.company_id)
    return schemas.UsageRead.of(
        usage,
        quota=limits.UPLOADED_BYTES.maximum,
        reserved=usage.reservations.bytes,
        starts_at=usage.month.starts_at,
        renews_at=usage.month.renews_at,
        stored=stored.bytes,
        stored_coded=sum(row.bytes for row in by_warehouse.values()),
        months=await queries.months(connection, user.company_id, MONTHS),
        members=members,
        warehouses=[
            schemas.UsageWarehouse.of(
                warehouse,
                shards=by_warehouse[warehouse.id].shards,
                bytes=by_warehouse[warehouse.id].bytes,
                missing=by_warehouse[warehouse.id].missing,
            )
            for warehouse in warehouses.values()
            if warehouse.id in by_warehouse
        ],
    )


async def read_health(access: Access) -> schemas.HealthRead:
    await check_read(access)
    connection, company_id = access.connection, access.current_user.company_id
    warehouses = await load_warehouses(connection, access.context.resources, company_id)
    placed = {warehouse.id for warehouse in usable(warehouses.values())}
    by_warehouse = await queries.warehouses(connection, company_id)
    stored = await queries.stored(connection, company_id)
    damage = await queries.damage(connection, company_id)
    nothing = WarehouseUsage(0, 0, 0, 0)
    former = (
        await member_queries.former_members(connection, company_id) if may_manage(access) else []
    )
    return schemas.HealthRead.of(
        damage,
        recovery=await _recovery_health(connection, company_id),
        removals=len(former),
        warehouses=[
            schemas.HealthWarehouse.of(
                warehouse,
                type_name=find_provider(warehouse.type).name,
                last_check=warehouse.last_check_at,
                is_placed=warehouse.id in placed,
                shards=by_warehouse.get(warehouse.id, nothing).shards,
                missing=by_warehouse.get(warehouse.id, nothing).missing,
            )
            for warehouse in warehouses.values()
            if warehouse.id in placed or warehouse.id in by_warehouse
        ],
        packs=stored.packs,
    )


async def _recovery_health(connection: Connection, company_id: int) -> schemas.RecoveryHealth:
    record = await recovery_queries.newest_record(connection, company_id)
    kit = await recovery_queries.newest_kit(connection, company_id)
    return schemas.RecoveryHealth(
        record_counter=record.counter if record else 0,
        record_time=datetime.fromtimestamp(record.time / 1000, UTC) if record else None,
        kit_counter=kit.counter if kit else 0,
        is_kit_confirmed=kit is not None and kit.is_confirmed,
        is_kit_current=bool(record and kit and kit.record == record.counter),
        spaces_with_former_pair=await recovery_queries.spaces_with_former_pair(
            connection, company_id
        ),
    )
