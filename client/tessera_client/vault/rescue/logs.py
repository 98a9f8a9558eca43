"""Reads the log segments of a space out of all copies."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from uuid import UUID

from tessera_client.errors import describe
from tessera_client.vault.rescue.copies import CopiedSegment, Fault
from tessera_core.entries import BODY_KINDS, Entry
from tessera_core.errors import Malformed, NotAuthentic
from tessera_core.grants import Grant
from tessera_core.segments import HEADER_BYTES, Segment, SegmentEntry, announced_space

# Far more than the service writes: grants to thousands of members may follow one entry.
MAX_SEGMENT_BYTES = 256 * 1024 * 1024

Grants = tuple[Grant, ...]


@dataclass(frozen=True)
class RefusedSegment:
    """A segment that could not be read; its name says what it held."""

    first: int
    last: int
    reason: str


@dataclass
class SpaceLog:
    """All entries of one space, by the number of the cloud that holds them."""

    copies: list[list[SegmentEntry]]
    entries: dict[bytes, Entry] = field(default_factory=dict)
    clouds: dict[bytes, set[int]] = field(default_factory=lambda: defaultdict(set))
    """Which clouds hold an entry, by its hash."""
    grants: dict[bytes, dict[Grants, set[int]]] = field(default_factory=dict)
    """Which clouds hold which grants beside an entry, where there are or should be some."""
    refused: list[RefusedSegment] = field(default_factory=list)

    def add(self, segment: Segment, cloud: int) -> None:
        self.copies[cloud] += segment.entries
        for stored in segment.entries:
            name = stored.entry.hash
            self.entries[name] = stored.entry
            self.clouds[name].add(cloud)
            if stored.grants or not isinstance(stored.entry.clear, BODY_KINDS):
                held = self.grants.setdefault(name, {})
                held.setdefault(stored.grants, set()).add(cloud)


def sort_segments(
    company: UUID, segments: Iterable[CopiedSegment]
) -> dict[UUID, list[CopiedSegment]]:
    """Finds the space of each segment: what a whole segment says counts, not its name."""
    by_space: dict[UUID, list[CopiedSegment]] = defaultdict(list)
    for segment in segments:
        space = segment.space
        # What cannot be read is refused and named where its name says that it belongs.
        with suppress(OSError, Malformed, NotAuthentic):
            header = segment.read(MAX_SEGMENT_BYTES, HEADER_BYTES)
            if announced_space(header) != space:
                space = _decode(segment.read(MAX_SEGMENT_BYTES), company).space
        by_space[space].append(segment)
    return by_space


def read_log(
    company: UUID, space: UUID, segments: Sequence[CopiedSegment], clouds: int
) -> SpaceLog:
    """Reads what can be read; equal segments, which all clouds should hold, only once."""
    log, seen = SpaceLog([[] for _ in range(clouds)]), dict[bytes, Segment]()
    for segment in segments:
        try:
            content = segment.read(MAX_SEGMENT_BYTES)
            digest = hashlib.sha256(content).digest()
            if digest not in seen:
                seen[digest] = _decode(content, company)
        except (OSError, Malformed, NotAuthentic) as error:
            segment.note(Fault.SEGMENT_DAMAGED)
            reason = describe(error) if isinstance(error, OSError) else str(error)
            log.refused.append(RefusedSegment(segment.first, segment.last, reason))
            continue
        if segment.space != space:
            segment.note(Fault.SEGMENT_MISPLACED)
        log.add(seen[digest], segment.cloud.number)
    return log


def _decode(content: bytes, company: UUID) -> Segment:
    decoded = Segment.decode(content)
    if decoded.company != company:
        raise Malformed("the segment is another company's")
    return decoded
