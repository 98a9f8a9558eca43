"""Reads the log's copies in the warehouses after a restore of the service."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import timedelta
from uuid import UUID

import structlog

from tessera.authz import queries as authz_queries
from tessera.errors import TesseraError
from tessera.integrations.clouds import Cloud, CloudError, ObjectTooLarge
from tessera.kit import leases
from tessera.kit.workflows import Resources
from tessera.storage.clouds import load_warehouses
from tessera.storage.copies import queries as copy_queries
from tessera.storage.restores import queries
from tessera.storage.restores.extension import Extension, extend
from tessera.storage.restores.packs import find_packs
from tessera_core.errors import Malformed, NotAuthentic
from tessera_core.grants import RECOVERY
from tessera_core.objects import ROOT, SegmentObject, parse_object_name
from tessera_core.segments import Segment

log = structlog.get_logger()

# Of 256 entries with the grants of large spaces.
MAX_SEGMENT_BYTES = 64 * 1024 * 1024
PACKS_AT_ONCE = 8
LEASE = timedelta(minutes=30)


@dataclass(frozen=True)
class Copy:
    """The log of one space in one warehouse."""

    warehouse_id: int
    cloud: Cloud = field(repr=False)
    segments: list[SegmentObject]

    async def read(self, sequence: int) -> Segment | None:
        """The segment that goes furthest from this entry on. What a warehouse says that makes no
        sense counts as absent."""
        holding = [each for each in self.segments if each.first <= sequence <= each.last]
        for name in sorted(holding, key=lambda each: each.last, reverse=True):
            try:
                content = await self.cloud.read(str(name), limit=MAX_SEGMENT_BYTES)
                segment = Segment.decode(content) if content is not None else None
            except (ObjectTooLarge, Malformed, NotAuthentic):
                continue
            if segment is not None and segment.first <= sequence <= segment.last:
                return segment
        return None


async def read_company(resources: Resources, company_id: int) -> None:
    """Extends the logs of a company. Safe to repeat, and goes on where it was interrupted."""
    lease = await leases.take(resources.database, company_id, "storage-restore", LEASE)
    if lease is None:
        return
    try:
        await _read_company(resources, company_id)
    finally:
        await leases.release(resources.database, lease)


async def _read_company(resources: Resources, company_id: int) -> None:
    async with resources.database.tenant(company_id) as connection:
        restore = await queries.restore(connection, company_id)
        company = await authz_queries.company_uuid(connection, company_id)
        warehouses = await load_warehouses(connection, resources, company_id)
        spaces = await copy_queries.space_logs(connection, company_id)
    if restore is None or restore.closed_at is not None or company is None:
        return
    reader = _Reader(resources, company_id, company)
    found: dict[UUID, list[Copy]] = {}
    is_whole = True
    for warehouse in warehouses.values():
        if not warehouse.is_connected:
            continue
        try:
            cloud = warehouse.open(resources)
            names = await cloud.list_objects(f"{ROOT}/{company}/log")
        except CloudError as error:
            log.warning("log not read", warehouse_id=warehouse.id, error=str(error))
            is_whole = False
            continue
        for space, segments in _by_space(names, company).items():
            found.setdefault(space, []).append(Copy(warehouse.id, cloud, segments))
    sequences = {space.id: space.sequence for space in spaces}
    for space, copies in found.items():
        is_whole &= await reader.read_log(space, sequences.get(space, 0), copies)
    if is_whole:
        async with resources.database.tenant(company_id) as connection:
            await queries.set_read(connection, company_id, restore.began_at)


@dataclass(frozen=True)
class _Reader:
    resources: Resources
    company_id: int
    company: UUID

    async def read_log(self, space: UUID, sequence: int, copies: list[Copy]) -> bool:
        """Returns False if a warehouse failed."""
        is_whole, moved = True, True
        while moved:
            moved = False
            segments = list[tuple[Copy, Segment]]()
            for copy in copies:
                try:
                    if segment := await copy.read(sequence + 1):
                        segments.append((copy, segment))
                except CloudError as error:
                    log.warning("log not read", warehouse_id=copy.warehouse_id, error=str(error))
                    is_whole = False
            for copy, segment in _most_common_first(segments, sequence + 1):
                try:
                    extension = await self._extend(space, segment)
                except TesseraError as refused:
                    log.error(
                        "segment refused", warehouse_id=copy.warehouse_id, space=str(space),
                        code=refused.code, extra=refused.extra,
                    )  # fmt: skip
                    continue
                if extension.sequence > sequence:
                    sequence, moved = extension.sequence, True
                    break
        return is_whole

    async def _extend(self, space: UUID, segment: Segment) -> Extension:
        """As far as the packs are found. What is left is remembered: the restore is not closed
        while it may still come back."""
        resources, company_id, company = self.resources, self.company_id, self.company
        while True:
            async with resources.database.tenant(company_id) as connection:
                extension = await extend(connection, company_id, company, space, segment.entries)
                if extension.is_waiting:
                    await queries.claim(connection, company_id, space, RECOVERY, segment.last)
            lost = extension.lost_packs[:PACKS_AT_ONCE]
            if not await find_packs(resources, company_id, company, space, lost):
                return extension


def _by_space(names: Iterable[str], company: UUID) -> dict[UUID, list[SegmentObject]]:
    found: dict[UUID, list[SegmentObject]] = {}
    for name in names:
        try:
            parsed = parse_object_name(name)
        except Malformed:
            continue
        if isinstance(parsed, SegmentObject) and parsed.company == company:
            found.setdefault(parsed.space, []).append(parsed)
    return found


def _most_common_first(
    segments: list[tuple[Copy, Segment]], sequence: int
) -> list[tuple[Copy, Segment]]:
    """One warehouse alone does not decide which of two entries comes back."""

    def entry(segment: Segment) -> bytes:
        return segment.entries[sequence - segment.first].entry.hash

    held = Counter(entry(segment) for _, segment in segments)
    return sorted(segments, key=lambda each: (-held[entry(each[1])], -each[1].last))
