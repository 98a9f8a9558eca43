"""Northwind's four warehouses, one of each type, in different states and with a history; and the
platform's default ones, which the other companies share."""

from dataclasses import dataclass
from datetime import timedelta

from tessera.integrations.clouds import clouds
from tessera.kit import clock
from tessera.kit.data_keys import current_key
from tessera.kit.database import Connection
from tessera.kit.encryption import DataKey
from tessera.kit.workflows import Resources
from tessera.sandbox import demo, queries
from tessera.subscription.queries import set_warehouse_view
from tessera.warehouses.credentials import add_warehouse
from tessera.warehouses.enums import HealthProblem, Status
from tessera.warehouses.health import files
from tessera.warehouses.health.service import check_after_change
from tessera.warehouses.shared import service as platform_warehouses
from tessera_core.providers import azure, dropbox, google, s3

# Accepted as any credential in the sandbox; `wrong` is always rejected.
STAND_IN = "demo"


@dataclass(frozen=True)
class Sample:
    type: int
    nick_name: str
    credentials: dict[str, str]
    age_days: int
    # Days ago, state, cause; the last one is the current state.
    past: tuple[tuple[float, Status, str | None], ...]
    # A published file that has disappeared makes the warehouse Connected.
    loses_file: bool = False


def _s3(bucket: str, path: str, region: str = "eu-central-1") -> dict[str, str]:
    return {
        "bucket_name": bucket,
        "account_key": STAND_IN,
        "secret": STAND_IN,
        "region": region,
        "path": path,
    }


def _azure(container: str, path: str) -> dict[str, str]:
    return {"application_name": container, "account_key": STAND_IN, "path": path}


def _google(project: str, bucket: str) -> dict[str, str]:
    account = f"tessera@{project}.iam.gserviceaccount.com"
    return {
        "client_email": account,
        "client_id": "104263510998877665544",
        "project_id": project,
        "private_key_id": "3f1c9a7e5b2d4c6f8a0b1c2d3e4f5a6b7c8d9e0f",
        "private_key": STAND_IN,
        "bucket_name": bucket,
        "cert": f"https://www.googleapis.com/robot/v1/metadata/x509/{account.replace('@', '%40')}",
        "path": "tessera",
    }


_UP, _HALF, _DOWN = Status.ACTIVE, Status.CONNECTED, Status.NOT_CONNECTED

NORTHWIND = (
    Sample(
        s3.PROVIDER.type, "Frankfurt", _s3("northwind-tessera", "vault"), 96,
        ((96, _UP, None), (12.3, _DOWN, "unreachable"), (12.2, _UP, None)),
    ),
    Sample(
        google.PROVIDER.type, "Google archive", _google("northwind-storage", "northwind-archive"),
        95, ((95, _UP, None), (20.6, _HALF, HealthProblem.HEALTH_MISSING), (19.4, _UP, None)),
    ),
    Sample(
        azure.PROVIDER.type, "Azure mirror", _azure("northwind", "tessera"), 93,
        ((93, _UP, None), (26.1, _DOWN, "unreachable"), (25.9, _UP, None),
         (3.2, _HALF, HealthProblem.HEALTH_MISSING)),
        loses_file=True,
    ),
    Sample(
        dropbox.PROVIDER.type, "Team Dropbox", {"access_token": "wrong", "path": "Apps/Tessera"},
        23,
        (
            (23, _HALF, HealthProblem.HEALTH_INVALID),
            (1.4, _DOWN, "wrong_key"),
        ),
    ),
)  # fmt: skip

SHARED = (
    (s3.PROVIDER.type, "Shared 1 (AWS)", _s3("tessera-shared-1", "pool", "us-east-1")),
    (azure.PROVIDER.type, "Shared 2 (Azure)", _azure("tessera-shared-2", "pool")),
    (google.PROVIDER.type, "Shared 3 (Google)", _google("tessera-shared", "tessera-shared-3")),
)


async def add_demo_warehouses(resources: Resources) -> bool:
    """False if they already exist. If killed midway, the next start resumes it."""
    async with resources.database.platform.transaction() as connection:
        company = await queries.company_of(connection, demo.LEADER.email)
    if company is None:
        return False
    added = await _northwind(resources, company.id)
    for warehouse_type, nick_name, credentials in SHARED:
        known = {row.nick_name for row in await platform_warehouses.list_all(resources)}
        if nick_name not in known:
            await platform_warehouses.add(resources, warehouse_type, nick_name, credentials)
    return added


async def _northwind(resources: Resources, company_id: int) -> bool:
    async with resources.database.tenant(company_id) as connection:
        # The key outlives the last warehouse.
        if await queries.has_rows(connection, "data_keys", company_id):
            return False
        await set_warehouse_view(connection, company_id, True)
        key = await current_key(connection, resources, company_id)
        ids = [await add_sample(connection, key, company_id, sample) for sample in NORTHWIND]
    for warehouse_id, sample in zip(ids, NORTHWIND, strict=True):
        await check_sample(resources, company_id, warehouse_id, sample)
    return True


async def check_sample(
    resources: Resources, company_id: int, warehouse_id: int, sample: Sample
) -> None:
    """The files in the sandbox's clouds are real, so that the monitor finds the expected state."""
    if sample.loses_file:
        cloud = clouds(resources.settings).open(sample.type, sample.credentials)
        await cloud.write(files.path(warehouse_id), b"")
        await cloud.delete(files.path(warehouse_id))
    await check_after_change(resources, company_id, warehouse_id, 1)


async def add_sample(connection: Connection, key: DataKey, company_id: int, sample: Sample) -> int:
    now = clock.now()
    warehouse_id = await add_warehouse(
        connection,
        key,
        company_id,
        sample.type,
        nick_name=sample.nick_name,
        credentials=sample.credentials,
    )
    _, status, error = sample.past[-1]
    await queries.set_warehouse_history(
        connection,
        company_id,
        warehouse_id,
        created_at=now - timedelta(days=sample.age_days),
        status=status,
        error=error,
        health_version=key.version if sample.loses_file else None,
        has_been_active=any(state == Status.ACTIVE for _, state, _ in sample.past),
    )
    await queries.add_warehouse_transitions(
        connection,
        company_id,
        warehouse_id,
        [(now - timedelta(days=days), state, cause) for days, state, cause in sample.past],
    )
    return warehouse_id
