"""The leader's view of the warehouses, and changes that call no cloud."""

from pydantic.alias_generators import to_camel

from tessera.activity.service import record
from tessera.auth.accounts import mail_team_leader
from tessera.authz.context import Access
from tessera.authz.queries import lock_company
from tessera.kit import clock
from tessera.kit.data_keys import stored_key
from tessera.kit.database import Connection
from tessera.kit.encryption import CannotBeOpened
from tessera.kit.pagination import PageRequest
from tessera.notifications import mails
from tessera.subscription.service import assign_shared_warehouses
from tessera.warehouses import errors, queries, schemas, serializers
from tessera.warehouses.credentials import open_credentials
from tessera.warehouses.enums import NEEDED, shown_name
from tessera_core.providers import field_names, find_provider

# The same for every secret, so that not even its length is revealed.
MASK = "••••••••"


async def list_warehouses(access: Access, request: PageRequest) -> schemas.WarehousePage:
    connection, company_id = access.connection, access.current_user.company_id
    page = await queries.page(connection, company_id, request)
    days = await queries.days(connection, company_id, [row.id for row in page.rows])
    summary = await queries.summary(connection, company_id)
    return schemas.WarehousePage(
        item1=[
            schemas.WarehouseRead.of(
                row, **serializers.other_fields(row, access.context.language, days[row.id])
            )
            for row in page.rows
        ],
        item2=page.total,
        summary=schemas.WarehouseSummary.of(
            summary, needed=NEEDED, may_fail=max(0, summary.active - NEEDED)
        ),
    )


async def reveal(access: Access, warehouse_id: int, view: schemas.View) -> schemas.WarehouseReveal:
    connection, company_id = access.connection, access.current_user.company_id
    row = await queries.find(connection, company_id, warehouse_id)
    if row is None:
        raise errors.WarehouseNotFound
    try:
        key = await stored_key(connection, access.context.resources, company_id)
        credentials = open_credentials(key, warehouse_id, row.key_version, row.sealed)
    except CannotBeOpened:
        raise errors.CredentialsUnreadable from None
    days = await queries.days(connection, company_id, [warehouse_id])
    if view == "masked":
        secrets = find_provider(row.type).secrets
        credentials |= dict.fromkeys(secrets & credentials.keys(), MASK)
    else:
        await record(
            access,
            "warehouse.editOpened" if view == "edit" else "warehouse.revealed",
            target=shown_name(row.nick_name, row.type),
            details={"warehouseId": warehouse_id},
        )
    # Connections use the sealed values, including the path.
    shown = {
        **{to_camel(name): credentials.get(name) for name in field_names()},
        "path": credentials.get("path", ""),
    }
    verified_until = access.current_user.verified_until
    assert verified_until is not None
    return schemas.WarehouseReveal.of(
        row,
        verified_for=max(0, round((verified_until - clock.now()).total_seconds())),
        **serializers.other_fields(row, access.context.language, days[warehouse_id]),
        **shown,
    )


async def make_default(access: Access, warehouse_id: int) -> schemas.WarehouseRead:
    connection, company_id = access.connection, access.current_user.company_id
    await lock_company(connection, company_id)
    row = await queries.find(connection, company_id, warehouse_id, lock=True)
    if row is None:
        raise errors.WarehouseNotFound
    if not row.is_default:
        await queries.make_default(connection, company_id, warehouse_id)
        await record(
            access,
            "warehouse.madeDefault",
            target=shown_name(row.nick_name, row.type),
            details={"warehouseId": warehouse_id},
        )
    return await serializers.read_one(connection, company_id, warehouse_id, access.context.language)


async def remove(access: Access, warehouse_id: int, *, lose_data: bool) -> None:
    """Deletes stored credentials; cloud data is untouched. A warehouse that holds pieces of files
    is removed only if the caller confirms their loss."""
    connection, company_id = access.connection, access.current_user.company_id
    await lock_company(connection, company_id)
    row = await queries.find(connection, company_id, warehouse_id, lock=True)
    if row is None:
        raise errors.WarehouseNotFound
    if row.is_default and await queries.count(connection, company_id) > 1:
        raise errors.DefaultWarehouseStays
    held = await queries.count_shards(connection, company_id, warehouse_id)
    if held and not lose_data:
        raise errors.WarehouseHoldsData(extra={"pieces": held}, pieces=held)
    await queries.delete(connection, company_id, warehouse_id)
    await record(
        access,
        "warehouse.removed",
        target=shown_name(row.nick_name, row.type),
        details={"warehouseId": warehouse_id, **({"lostPieces": held} if held else {})},
    )
    await mail_team_leader(
        connection,
        access.context.keys,
        company_id,
        mails.WarehouseRemoved(
            warehouse=shown_name(row.nick_name, row.type),
            company=access.current_user.company_name,
            actor=access.current_user.name,
            link=f"{access.context.settings.public_url}/warehouses",
        ),
    )


async def count_active(connection: Connection, company_id: int) -> int:
    return (await queries.summary(connection, company_id)).active


async def states_of(connection: Connection, company_id: int) -> list[schemas.WarehouseState]:
    """For platform admins, with the company entered. Returns its own warehouses or, if it has none,
    the shared ones."""
    own = await queries.statuses(connection, company_id)
    shared = [] if own else await queries.shared_statuses(connection)
    return [
        schemas.WarehouseState.of(
            row,
            warehouse_type=row.type,
            type_name=find_provider(row.type).name,
            last_check=row.last_check_at,
            is_shared=is_shared,
        )
        for rows, is_shared in ((own, False), (shared, True))
        for row in rows
    ]


async def assign_shared(connection: Connection) -> int:
    """Call in the transaction that creates a basic-plan company, with the company entered."""
    return await assign_shared_warehouses(connection, NEEDED)
