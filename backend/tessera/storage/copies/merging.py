"""Merges the many small log segments of a day, in each warehouse by itself."""

import secrets
from collections.abc import Iterable
from uuid import UUID

import structlog

from tessera.authz import queries as authz_queries
from tessera.integrations.clouds import Cloud, CloudError, ObjectTooLarge
from tessera.kit.workflows import Resources
from tessera.storage import queries as storage_queries
from tessera.storage.clouds import load_warehouses
from tessera.storage.copies import queries
from tessera.storage.copies.service import RANDOM_BYTES, read_segment
from tessera.storage.packs.placement import usable
from tessera_core.errors import Malformed
from tessera_core.objects import ROOT, SegmentObject, parse_object_name
from tessera_core.segments import Segment

log = structlog.get_logger()

# A segment with fewer entries is small; fewer of them are not worth the work.
SMALL_ENTRIES = 64
MIN_SEGMENTS = 16


async def merge_company(resources: Resources, company_id: int) -> None:
    """Safe to repeat: segments may overlap, and are deleted only when another one holds them."""
    async with resources.database.tenant(company_id) as connection:
        if await storage_queries.is_restoring(connection, company_id):
            return
        company = await authz_queries.company_uuid(connection, company_id)
        spaces = await queries.space_logs(connection, company_id)
        warehouses = await load_warehouses(connection, resources, company_id)
    if company is None:
        return
    for warehouse in usable(warehouses.values()):
        try:
            cloud = warehouse.open(resources)
            for space in spaces:
                await _merge_log(resources, cloud, company_id, company, space.id)
        except CloudError as error:
            log.warning("log not merged", warehouse_id=warehouse.id, error=str(error))


async def _merge_log(
    resources: Resources, cloud: Cloud, company_id: int, company: UUID, space_id: UUID
) -> None:
    segments = _segments(await cloud.list_objects(f"{ROOT}/{company}/log/{space_id}"))
    small = [each for each in segments if each.last - each.first < SMALL_ENTRIES]
    while len(small) >= MIN_SEGMENTS:
        async with resources.database.tenant(company_id) as connection:
            merged = await read_segment(connection, company_id, space_id, small[0].first - 1)
        replaced = [each for each in small if each.last <= merged.last]
        if len(replaced) > 1 and await _is_written(cloud, merged):
            for each in replaced:
                await cloud.delete(str(each))
        small = [each for each in small[1:] if each.last > merged.last]


async def _is_written(cloud: Cloud, segment: Segment) -> bool:
    """Writes a segment and reads it back."""
    content = segment.encode()
    name = SegmentObject(
        segment.company,
        segment.space,
        segment.first,
        segment.last,
        secrets.token_bytes(RANDOM_BYTES),
    )
    await cloud.write(str(name), content)
    try:
        return await cloud.read(str(name), limit=len(content)) == content
    except ObjectTooLarge:
        return False


def _segments(names: Iterable[str]) -> list[SegmentObject]:
    """In the order of their entries. Objects that are not ours are left alone."""
    found = []
    for name in names:
        try:
            parsed = parse_object_name(name)
        except Malformed:
            continue
        if isinstance(parsed, SegmentObject):
            found.append(parsed)
    return sorted(found, key=lambda each: (each.first, each.last))
