"""The leader's view of the audit: the streams, and checks of the chain."""

from tessera import limits
from tessera.activity.service import changed, record
from tessera.audit import check_queries, checks, errors, queries, schemas, stream_queries
from tessera.audit.delivery import own_warehouse
from tessera.audit.stream_queries import Stream, Target
from tessera.audit.workflows import check_chain
from tessera.authz.context import Access, Identity
from tessera.authz.queries import lock_company
from tessera.authz.rate_limits import limit
from tessera.storage.clouds import StorageWarehouse, load_warehouses
from tessera.warehouses.alerts.schemas import host_of
from tessera.warehouses.alerts.sending import sealed_webhook

REPLAY_DAYS = 30


async def read_stream(access: Access) -> schemas.ActivityStreamRead:
    connection, company_id = access.connection, access.current_user.company_id
    found = await _streams(access)
    behind = await stream_queries.behind(connection, company_id)
    states = {
        target: schemas.StreamState.of(stream, behind=behind[target])
        for target, stream in found.items()
    }
    warehouse = found.get("warehouse")
    webhook = await sealed_webhook(connection, company_id)
    head = await queries.head(connection, company_id)
    check = await check_queries.newest(connection, company_id)
    return schemas.ActivityStreamRead(
        webhook_host=host_of(webhook.url) if webhook else None,
        webhook=states.get("webhook"),
        warehouse=states.get("warehouse"),
        warehouse_id=warehouse.warehouse_id if warehouse else None,
        warehouses=[
            schemas.StreamWarehouse(id=each.id, name=each.name)
            for each in (await _warehouses(access)).values()
            if not each.is_shared
        ],
        head=f"{head.sequence}:{head.hash.hex()}" if head and head.sequence else None,
        replay_days=REPLAY_DAYS,
        check=checks.to_read(check, access.context.language) if check else None,
    )


async def save_stream(
    access: Access, data: schemas.ActivityStreamUpdate
) -> schemas.ActivityStreamRead:
    connection, company_id = access.connection, access.current_user.company_id
    await lock_company(connection, company_id)
    found = await _streams(access)
    if data.webhook and await sealed_webhook(connection, company_id) is None:
        raise errors.StreamNeedsWebhook
    warehouses = await _warehouses(access)
    wanted = own_warehouse(warehouses, data.warehouse_id)
    if data.warehouse_id is not None and wanted is None:
        raise errors.StreamNeedsOwnWarehouse
    former = found.get("warehouse")
    chosen = warehouses.get(former.warehouse_id or 0) if former else None
    if data.webhook != ("webhook" in found):
        await _switch(access, "webhook", data.webhook, None)
    if data.warehouse_id != (former.warehouse_id if former else None):
        await _switch(access, "warehouse", wanted is not None, data.warehouse_id)
    changes = changed(
        {"streamToWebhook": "on" if "webhook" in found else "off", "dailyFiles": _name(chosen)},
        {"streamToWebhook": "on" if data.webhook else "off", "dailyFiles": _name(wanted)},
    )
    if changes["changes"]:
        await record(access, "activityStream.changed", details=changes)
    return await read_stream(access)


async def replay(access: Access, target: Target) -> schemas.ActivityStreamRead:
    connection, company_id = access.connection, access.current_user.company_id
    await lock_company(connection, company_id)
    if target not in await _streams(access):
        raise errors.ActivityStreamOff
    await stream_queries.replay(connection, company_id, target, REPLAY_DAYS)
    await record(access, "activityStream.replayed")
    return await read_stream(access)


async def check(identity: Identity, head: str | None) -> schemas.ActivityCheck:
    company_id = identity.current_user.company_id
    await limit(identity.context, limits.ACTIVITY_CHECKS, company_id)
    async with identity.access() as access:
        connection = access.connection
        await lock_company(connection, company_id)
        kept = schemas.parse_head(head) if head else None
        check_id = await check_queries.add(connection, company_id, kept)
        await check_chain.enqueue(
            connection, company_id, check_id, key=f"activity-check-{check_id}"
        )
        added = await check_queries.find(connection, company_id, check_id)
    assert added is not None
    return checks.to_read(added, identity.context.language)


async def _streams(access: Access) -> dict[Target, Stream]:
    found = await stream_queries.streams(access.connection, access.current_user.company_id)
    return {stream.target: stream for stream in found}


async def _warehouses(access: Access) -> dict[int, StorageWarehouse]:
    company_id = access.current_user.company_id
    return await load_warehouses(access.connection, access.context.resources, company_id)


async def _switch(access: Access, target: Target, on: bool, warehouse_id: int | None) -> None:
    company_id = access.current_user.company_id
    if on:
        await stream_queries.turn_on(access.connection, company_id, target, warehouse_id)
    else:
        await stream_queries.turn_off(access.connection, company_id, target)


def _name(warehouse: StorageWarehouse | None) -> str:
    return warehouse.name if warehouse else ""
