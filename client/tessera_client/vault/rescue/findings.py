"""What the entries of a space say about what is missing, and about who lied."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tessera_client.texts import translate
from tessera_client.vault.rescue.copies import Cloud, Fault
from tessera_client.vault.rescue.logs import Grants, SpaceLog
from tessera_client.vault.rescue.report import Finding, timestamp
from tessera_client.vault.snapshot import SkippedBody, Snapshot, Verdict
from tessera_core.entries import BODY_KINDS, Checkpoint, Entry
from tessera_core.grants import RECOVERY
from tessera_core.histories import Histories, History
from tessera_core.log import Reason

SHOWN_HASH_BYTES = 8


@dataclass(frozen=True)
class LeftOver:
    """Entries of no history, by what keeps them out of it."""

    refused: list[Entry]
    foreign: list[Entry]
    """First entries of logs or histories that the recovery pair has not signed."""
    loose: list[Entry]
    """Those whose predecessors are missing. What follows one of the others is left out."""


def sort_left_over(log: SpaceLog, histories: Histories) -> LeftOver:
    sorted_out = LeftOver([], [], [])
    unfollowed = {entry.hash for entry in histories.not_followed}
    loose: set[bytes] = set()
    left_over = {entry.hash for entry in histories.left_over}
    for entry in histories.left_over:
        name, previous = entry.hash, entry.head.previous
        if name in histories.refused:
            sorted_out.refused.append(entry)
        elif previous in loose or (previous not in log.entries and entry.head.sequence > 1):
            sorted_out.loose.append(entry)
            loose.add(name)
        elif previous not in left_over and name not in unfollowed:
            sorted_out.foreign.append(entry)
    return sorted_out


def note_lies(
    log: SpaceLog, histories: Histories, left_over: LeftOver, clouds: Sequence[Cloud]
) -> None:
    """Remembers which clouds hold entries or grants that cannot be true."""

    def note(holders: Iterable[int], fault: Fault, entry: Entry) -> None:
        where = f"{entry.head.space}/{entry.head.sequence}-{entry.hash[:SHOWN_HASH_BYTES].hex()}"
        for number in holders:
            clouds[number].note(fault, where)

    for entry in left_over.refused:
        if histories.refused[entry.hash] != Reason.NEWER_FORMAT:
            note(log.clouds[entry.hash], Fault.ENTRY_FORGED, entry)
    if histories.ranked:
        for entry in left_over.foreign:
            note(log.clouds[entry.hash], Fault.LOG_FORGED, entry)
    wrong = {(entry.hash, grants) for entry, grants in histories.wrong_grants}
    for entry, grants in histories.wrong_grants:
        held = log.grants[entry.hash]
        right = [each for each in held if (entry.hash, each) not in wrong]
        if not _is_part_of(grants, right):
            note(held[grants], Fault.GRANTS_WRONG, entry)


def describe_log(log: SpaceLog, histories: Histories, left_over: LeftOver) -> Iterator[Finding]:
    """What exists beyond the chosen history."""
    end = histories.ranked[0].entries[-1].head.sequence if histories.ranked else 0
    loose = [entry.head.sequence for entry in left_over.loose]
    if loose and max(loose) > end:
        first, last = min(each for each in loose if each > end), max(loose)
        message = translate("rescue.gap", first=end + 1, last=first - 1, end=last)
        yield Finding("gap", message, is_loss=True, details={"next": first, "last": last})
    elif loose and histories.ranked:
        count = len(loose)
        yield Finding("loose", translate("rescue.loose", count=count), details={"count": count})
    for first, last, reason in sorted({(x.first, x.last, x.reason) for x in log.refused}):
        if last > end:
            message = translate("rescue.segment_refused", first=first, last=last, reason=reason)
            yield Finding("segment_refused", message, is_loss=True, details={"last": last})
    for name, reason in histories.refused.items():
        if reason == Reason.NEWER_FORMAT:
            sequence = log.entries[name].head.sequence
            message = translate("rescue.newer_format", sequence=sequence)
            yield Finding("newer_format", message, is_loss=True, details={"sequence": sequence})
    for entry in histories.not_followed:
        place = {"sequence": entry.head.sequence, "hash": entry.hash.hex()}
        message = translate("rescue.not_followed", **place)
        yield Finding("not_followed", message, is_loss=True, details=place)


def describe_history(history: History, snapshot: Snapshot) -> Iterator[Finding]:
    """What could not be read of one history."""
    if history.is_replaced:
        replacement = history.entries[history.readable]
        behind = history.entries[history.readable :]
        sequence = replacement.head.sequence
        time = timestamp(replacement.head.time)
        message = translate("rescue.pair_replaced", sequence=sequence, time=time)
        is_loss = any(isinstance(entry.clear, BODY_KINDS) for entry in behind)
        yield Finding("pair_replaced", message, is_loss, {"sequence": sequence})
    assert snapshot.keyring is not None
    generation, sealed = snapshot.keyring.generation, list[int]()
    for body in snapshot.skipped:
        entry = history.entries[body.sequence - 1]
        if body.verdict == Verdict.MISSING and entry.head.generation > generation:
            sealed.append(body.sequence)
        elif finding := _describe_body(body, is_checkpoint=isinstance(entry.clear, Checkpoint)):
            yield finding
    if sealed:
        message = translate("rescue.generation_lost", count=len(sealed), generation=generation + 1)
        yield Finding("generation_lost", message, is_loss=True, details={"sequences": sealed})
    elif generation < history.state.generation:
        message = translate("rescue.generation_unused", generation=generation + 1)
        yield Finding("generation_unused", message)


def _describe_body(body: SkippedBody, *, is_checkpoint: bool) -> Finding | None:
    code, is_loss = "set_aside", False
    if body.verdict == Verdict.MISSING:
        code, is_loss = ("checkpoint_missing", False) if is_checkpoint else ("body_missing", True)
    elif body.verdict == Verdict.BY_LEADER:
        if is_checkpoint:
            return None  # The changes before it say the same.
        code = "set_aside_by_leader"
    place = {"sequence": body.sequence, "author": str(body.author), "reason": body.reason}
    message = translate(_BODY_TEXTS[code], **place)
    return Finding(code, message, is_loss, {**place, "time": body.time})


_BODY_TEXTS = {
    "set_aside": "rescue.set_aside",
    "set_aside_by_leader": "rescue.set_aside_by_leader",
    "body_missing": "rescue.body_missing",
    "checkpoint_missing": "rescue.checkpoint_missing",
}


def _is_part_of(grants: Grants, right: Sequence[Grants]) -> bool:
    """An export holds the grant to recovery alone, which is no lie."""
    if [grant.member for grant in grants] != [RECOVERY]:
        return False
    return not right or any(grants[0] in each for each in right)
