"""Checks a company's chain from its anchor to its end, page by page, and says what is wrong."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Literal

from msgspec import structs

from tessera.audit import anchors, queries
from tessera.audit.queries import Head, Link, StoredLink
from tessera.audit.records import Record, entry, hash_of
from tessera.kit.database import Database
from tessera.kit.encryption import KeyRing

PAGE = 2_000
# More of them are counted, not listed.
LISTED = 50

Kind = Literal[
    "record_missing",
    "record_changed",
    "links_missing",
    "end_missing",
    "end_changed",
    "anchor_forged",
    "record_outside",
    "record_gone_early",
    "kept_end_missing",
    "kept_head_differs",
]


@dataclass(frozen=True)
class Problem:
    kind: Kind
    # Places in the chain.
    first: int | None = None
    last: int | None = None
    # The record's own number.
    activity_id: int | None = None


@dataclass
class Verification:
    checked: int = 0
    # Of the anchor: what is older was removed by retention.
    removed_until: int = 0
    sequence: int = 0
    hash: bytes = b""
    problems: list[Problem] = field(default_factory=list)
    more_problems: int = 0
    # The kept head is older than the anchor, so that nothing can be said about it.
    kept_too_old: bool = False

    def add(self, problem: Problem) -> None:
        if len(self.problems) < LISTED:
            self.problems.append(problem)
        else:
            self.more_problems += 1


async def verify(
    database: Database, ring: KeyRing, company_id: int, kept: Link | None = None
) -> Verification:
    found = Verification()
    async with database.tenant(company_id) as connection:
        head = await queries.head(connection, company_id)
    if head is not None:
        found.sequence, found.hash = head.sequence, head.hash
        found.removed_until = head.anchor_sequence
        _check_anchor(found, ring, head)
        await _check_links(found, database, company_id, head, kept)
    if kept is not None:
        _check_kept(found, head, kept)
    async with database.tenant(company_id) as connection:
        for number in await queries.records_outside(connection, company_id, LISTED):
            found.add(Problem("record_outside", activity_id=number))
        for number in await queries.gone_before_chained(connection, company_id, LISTED):
            found.add(Problem("record_gone_early", activity_id=number))
    return found


def _check_anchor(found: Verification, ring: KeyRing, head: Head) -> None:
    signature = head.anchor_signature
    if head.anchor_sequence and not (
        signature
        and anchors.is_signed(
            ring, head.company_uuid, head.anchor_sequence, head.anchor_hash, signature
        )
    ):
        found.add(Problem("anchor_forged", last=head.anchor_sequence))


async def _check_links(
    found: Verification, database: Database, company_id: int, head: Head, kept: Link | None
) -> None:
    """After a problem it goes on from the stored hash, so that each problem is told once."""
    sequence, last = head.anchor_sequence, head.anchor_hash
    async for link in _links(database, company_id, head):
        if link.sequence != sequence + 1:
            if not await _was_forgotten(database, company_id, link.sequence - 1):
                found.add(Problem("links_missing", sequence + 1, link.sequence - 1))
        elif link.id is None:
            found.add(Problem("record_missing", link.sequence, activity_id=link.activity_id))
        elif hash_of(entry(head.company_uuid, link.sequence, last, _record(link))) != link.hash:
            found.add(Problem("record_changed", link.sequence, activity_id=link.id))
        else:
            found.checked += 1
        sequence, last = link.sequence, link.hash
        if kept is not None and kept.sequence == sequence and kept.hash != last:
            found.add(Problem("kept_head_differs", sequence))
    if sequence < head.sequence:
        found.add(Problem("end_missing", sequence + 1, head.sequence))
    elif last != head.hash:
        found.add(Problem("end_changed", head.sequence))


async def _links(database: Database, company_id: int, head: Head) -> AsyncIterator[StoredLink]:
    after = head.anchor_sequence
    while True:
        async with database.tenant(company_id) as connection:
            page = await queries.stored_links(connection, company_id, after, head.sequence, PAGE)
        for link in page:
            yield link
        if len(page) < PAGE:
            return
        after = page[-1].sequence


async def _was_forgotten(database: Database, company_id: int, sequence: int) -> bool:
    """Whether retention has moved the anchor up to here since the check began."""
    async with database.tenant(company_id) as connection:
        head = await queries.head(connection, company_id)
    return head is not None and head.anchor_sequence >= sequence


def _record(link: StoredLink) -> Record:
    names = Record.__struct_fields__
    return Record(**{name: value for name, value in structs.asdict(link).items() if name in names})


def _check_kept(found: Verification, head: Head | None, kept: Link) -> None:
    if head is None or kept.sequence > head.sequence:
        found.add(Problem("kept_end_missing", found.sequence + 1, kept.sequence))
    elif kept.sequence == head.anchor_sequence and kept.hash != head.anchor_hash:
        found.add(Problem("kept_head_differs", kept.sequence))
    found.kept_too_old = head is not None and kept.sequence < head.anchor_sequence
