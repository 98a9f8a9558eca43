"""Adding, editing and republishing. The change is stored together with a delayed workflow, then
checked at once; if the cloud is slow, the workflow does the check."""

import asyncio
from collections.abc import Mapping

from pydantic.alias_generators import to_camel

from tessera import limits
from tessera.activity.service import changed, record
from tessera.authz.context import Access, Identity
from tessera.authz.errors import Forbidden
from tessera.authz.rate_limits import limit
from tessera.integrations.clouds import CloudError, ConnectionFailure, clouds, strategy_of
from tessera.integrations.clouds.browsers import NO_ORIGIN, lets_browsers_read
from tessera.kit import clock
from tessera.kit.data_keys import current_key, stored_key
from tessera.kit.encryption import CannotBeOpened, DataKey
from tessera.kit.i18n import translate
from tessera.settings import Settings
from tessera.warehouses import errors, queries, schemas, serializers
from tessera.warehouses.credentials import (
    Credentials,
    add_warehouse,
    open_credentials,
    seal_credentials,
)
from tessera.warehouses.enums import LOST_AFTER, Status, explain, shown_name
from tessera.warehouses.health.service import check_after_change
from tessera.warehouses.locations import require_free, require_free_account
from tessera.warehouses.workflows import check_changed
from tessera_core.providers import find_provider

TEST_PATH = ".tessera/connection-test.txt"
TEST_CONTENT = b"Written by Tessera to test the connection. You can delete this file.\n"


async def add(identity: Identity, data: schemas.WarehouseCreate) -> schemas.WarehouseRead:
    context, company_id = identity.context, identity.current_user.company_id
    warehouse_type = data.warehouse_type
    credentials = checked_credentials(context.settings, warehouse_type, data.credentials())
    try:
        await require_free_account(context.resources, company_id, warehouse_type, credentials)
        async with identity.access() as access:
            await _lock_for_change(access)
            if await queries.count(access.connection, company_id) >= limits.WAREHOUSES.maximum:
                raise errors.TooManyWarehouses(maximum=limits.WAREHOUSES.maximum)
            key = await current_key(access.connection, context.resources, company_id)
            await require_free(access.connection, key, company_id, warehouse_type, credentials)
            warehouse_id = await add_warehouse(
                access.connection,
                key,
                company_id,
                warehouse_type,
                nick_name=data.nick_name,
                credentials=credentials,
            )
            await _follow_up(
                access,
                "warehouse.added",
                warehouse_id,
                1,
                shown_name(data.nick_name, warehouse_type),
            )
    except CannotBeOpened:
        raise errors.CredentialsUnreadable from None
    return await _checked(identity, warehouse_id, 1)


async def edit(identity: Identity, data: schemas.WarehouseUpdate) -> schemas.WarehouseRead:
    context, company_id = identity.context, identity.current_user.company_id
    async with identity.access() as access:
        warehouse = await queries.find(access.connection, company_id, data.id)
    if warehouse is None:
        raise errors.WarehouseNotFound
    warehouse_type = warehouse.type
    if data.warehouse_type not in {None, warehouse_type}:
        raise errors.WarehouseTypeFixed(fields={"wareHouseId": "fixed"})
    credentials = checked_credentials(context.settings, warehouse_type, data.credentials())
    try:
        await require_free_account(
            context.resources, company_id, warehouse_type, credentials, own_id=data.id
        )
        async with identity.access() as access:
            await _lock_for_change(access)
            row = await queries.find(access.connection, company_id, data.id, lock=True)
            if row is None:
                raise errors.WarehouseNotFound
            key = await current_key(access.connection, context.resources, company_id)
            await require_free(
                access.connection, key, company_id, warehouse_type, credentials, own_id=data.id
            )
            stored, strategy = _stored_credentials(key, row), strategy_of(warehouse_type)
            revision = await queries.update(
                access.connection,
                company_id,
                data.id,
                nick_name=data.nick_name,
                bucket=strategy.bucket(credentials),
                path=credentials.get("path", ""),
                sealed=seal_credentials(key, data.id, credentials),
                key_version=key.version,
                new_credentials=stored is None
                or any(
                    stored.get(name) != credentials.get(name) for name in strategy.provider.secrets
                ),
            )
            if stored is None or strategy.location(stored) != strategy.location(credentials):
                await queries.recheck_shards(access.connection, company_id, data.id)
            name = shown_name(data.nick_name, warehouse_type)
            await _follow_up(
                access,
                "warehouse.updated",
                data.id,
                revision,
                name,
                changes=_changes(row, stored or {}, data, credentials),
            )
    except CannotBeOpened:
        raise errors.CredentialsUnreadable from None
    return await _checked(identity, data.id, revision)


async def try_connection(identity: Identity, data: schemas.WarehouseTest) -> schemas.ConnectionTest:
    """Writes, reads and deletes a small object with the entered credentials. Saves nothing."""
    context, company_id = identity.context, identity.current_user.company_id
    warehouse_type = data.warehouse_type
    credentials = checked_credentials(context.settings, warehouse_type, data.credentials())
    try:
        await require_free_account(
            context.resources, company_id, warehouse_type, credentials, own_id=data.id
        )
        async with identity.access() as access:
            await _lock_for_change(access)
            if await queries.count(access.connection, company_id):
                key = await stored_key(access.connection, context.resources, company_id)
                await require_free(
                    access.connection, key, company_id, warehouse_type, credentials, own_id=data.id
                )
    except CannotBeOpened:
        raise errors.CredentialsUnreadable from None
    failure, browsers = await _connection_failure(context.settings, warehouse_type, credentials)
    return schemas.ConnectionTest(
        connected=failure is None,
        error=explain(failure, context.language) if failure else None,
        error_code=failure,
        lets_browsers_read=browsers,
    )


async def _connection_failure(
    settings: Settings, warehouse_type: int, credentials: Credentials
) -> tuple[ConnectionFailure | None, bool | None]:
    """Returns also whether browsers may read, which is no failure if they may not."""
    browsers: bool | None = None
    try:
        async with asyncio.timeout(settings.warehouse_wait_seconds):
            cloud = clouds(settings).open(warehouse_type, credentials)
            await cloud.write(TEST_PATH, TEST_CONTENT)
            content = await cloud.read(TEST_PATH)
            if content == TEST_CONTENT:
                origin = settings.share_origin or NO_ORIGIN
                browsers = await lets_browsers_read(cloud, TEST_PATH, origin)
            await cloud.delete(TEST_PATH)
    except CloudError as error:
        return error.failure, None
    except TimeoutError:
        return ConnectionFailure.UNREACHABLE, None
    failure = None if content == TEST_CONTENT else ConnectionFailure.NO_WRITE_PERMISSION
    return failure, browsers


async def republish(identity: Identity, warehouse_id: int) -> tuple[str, bool]:
    """Returns the message for the user, and whether it is done already."""
    language, company_id = identity.context.language, identity.current_user.company_id
    async with identity.access() as access:
        await _lock_for_change(access)
        row = await queries.find(access.connection, company_id, warehouse_id, lock=True)
        if row is None:
            raise errors.WarehouseNotFound
        if Status(row.status) is not Status.CONNECTED:
            raise errors.WarehouseNotConnected
        revision = await queries.request_check(
            access.connection, company_id, warehouse_id, rewrite=True
        )
        name = shown_name(row.nick_name, row.type)
        await _follow_up(access, "warehouse.republished", warehouse_id, revision, name)
    seen = await _checked(identity, warehouse_id, revision)
    if seen.checking:
        return translate("warehouses.healthUnderWay", language, warehouse=name), False
    if Status(seen.status) is not Status.ACTIVE:
        raise errors.WarehouseCheckFailed(
            cause=seen.last_error or "", extra={"cause": seen.last_error_code}
        )
    return translate("warehouses.healthPublished", language, warehouse=name), True


async def check_now(identity: Identity, warehouse_id: int) -> schemas.WarehouseRead:
    """Starts a check, unless one is running already. Its result replaces that of the monitor."""
    context, company_id = identity.context, identity.current_user.company_id
    await limit(context, limits.WAREHOUSE_CHECKS, company_id)
    async with identity.access() as access:
        await _lock_for_change(access)
        row = await queries.find(access.connection, company_id, warehouse_id, lock=True)
        if row is None:
            raise errors.WarehouseNotFound
        if row.checking_since and clock.now() - row.checking_since < LOST_AFTER:
            return await serializers.read_one(
                access.connection, company_id, warehouse_id, context.language
            )
        revision = await queries.request_check(access.connection, company_id, warehouse_id)
        await _enqueue_check(access, warehouse_id, revision)
    return await _checked(identity, warehouse_id, revision)


def checked_credentials(
    settings: Settings, warehouse_type: int, data: Mapping[str, str]
) -> Credentials:
    provider = find_provider(warehouse_type)
    fields = {field.name: field for field in provider.fields}
    credentials = {name: data[name] for name in fields if data.get(name)}
    problems = strategy_of(warehouse_type).check(credentials, sandbox=settings.sandbox)
    if problems:
        raise errors.CredentialsIncomplete(
            fields={
                to_camel(name): fields[name].problems.get(code, code)
                for name, code in problems.items()
            }
        )
    return credentials


async def _lock_for_change(access: Access) -> None:
    """Allows one change at a time; the view may have been turned off since the permission check."""
    if not await queries.lock_warehouse_view(access.connection, access.current_user.company_id):
        raise Forbidden


def _stored_credentials(key: DataKey, row: queries.SealedWarehouse) -> Credentials | None:
    try:
        return open_credentials(key, row.id, row.key_version, row.sealed)
    except CannotBeOpened:
        return None


def _changes(
    row: queries.SealedWarehouse,
    stored: Credentials,
    data: schemas.WarehouseUpdate,
    credentials: Credentials,
) -> dict[str, object]:
    """Credentials are named without their values."""
    names = {field.name: to_camel(field.name) for field in find_provider(row.type).fields}
    return changed(
        {"nickName": row.nick_name, **{names[name]: stored.get(name) for name in names}},
        {"nickName": data.nick_name, **{names[name]: credentials.get(name) for name in names}},
        secret=set(names.values()) - {"path"},
    )


async def _follow_up(
    access: Access,
    action: str,
    warehouse_id: int,
    revision: int,
    name: str,
    *,
    changes: Mapping[str, object] | None = None,
) -> None:
    """Records the change and enqueues its check, in case this process dies before making it."""
    details = {"warehouseId": warehouse_id, **(changes or {})}
    await record(access, action, target=name, details=details)
    await _enqueue_check(access, warehouse_id, revision)


async def _enqueue_check(access: Access, warehouse_id: int, revision: int) -> None:
    await check_changed.enqueue(
        access.connection,
        access.current_user.company_id,
        warehouse_id,
        revision,
        key=f"warehouse-{warehouse_id}-{revision}",
        after=access.context.settings.warehouse_wait_seconds,
    )


async def _checked(identity: Identity, warehouse_id: int, revision: int) -> schemas.WarehouseRead:
    resources, company_id = identity.context.resources, identity.current_user.company_id
    try:
        async with asyncio.timeout(resources.settings.warehouse_wait_seconds):
            await check_after_change(resources, company_id, warehouse_id, revision)
    except TimeoutError:
        # The workflow takes over: its delay is just as long.
        pass
    async with identity.access() as access:
        return await serializers.read_one(
            access.connection, company_id, warehouse_id, identity.context.language
        )
