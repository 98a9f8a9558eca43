"""The envelope of a user's private keys and pins, sealed by the user's key."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar
from uuid import UUID

from tessera_core import jwe
from tessera_core.binary import U32, U64, Reader, Structure, Uuid, u8, u16, u32
from tessera_core.entries import HASH_BYTES, Entry, Hash
from tessera_core.errors import Malformed, NotAuthentic
from tessera_core.log import EntryRefused, LogState, Reason
from tessera_core.recovery_records import RecoveryRecord
from tessera_core.user_keys import PRIVATE_KEYS_BYTES, PrivateKeys

MAX_PLAINTEXT_BYTES = 256 * 1024

MAX_PAIRS = 16
MAX_REMOVED = 1024

_VERSION = 1
_PADDING_BYTES = 4096
_SPACE_PIN_BYTES = 16 + HASH_BYTES + 8 + HASH_BYTES
_REWIND_PIN_BYTES = 16 + 4 + 8
T = TypeVar("T")
P = TypeVar("P", bound=Structure)

_HAS_LEADER, _HAS_RECORD, _OBEYS_CONSOLE, _HAS_REWINDS = 1, 2, 4, 8


@dataclass(frozen=True, slots=True)
class LeaderPin(Structure):
    """The leader whose words were compared."""

    user: Uuid
    fingerprint: Hash


@dataclass(frozen=True, slots=True)
class SpacePin(Structure):
    """How far this user has seen a space's log. A log that does not extend it is refused."""

    first: Hash
    sequence: U64
    hash: Hash

    def check(self, entry: Entry) -> None:
        """Compares one entry of the log with what was seen before."""
        sequence = entry.head.sequence
        if sequence == 1 and entry.hash != self.first:
            raise EntryRefused(Reason.HISTORY_CHANGED)
        if sequence == self.sequence and entry.hash != self.hash:
            raise EntryRefused(Reason.HISTORY_CHANGED)

    def check_end(self, state: LogState) -> None:
        """Notices a log that ends before what was seen."""
        if state.sequence < self.sequence:
            raise EntryRefused(Reason.HISTORY_CHANGED)


@dataclass(frozen=True, slots=True)
class RewindPin(Structure):
    """That a space's pin is of a log whose leader has given up entries."""

    count: U32
    """How many times. A pin after more of them is the newer one, whatever its sequence."""
    abandoned: U64
    """The highest sequence that was given up. A device that has seen more asks first."""


NO_REWINDS = RewindPin(0, 0)


@dataclass(frozen=True, slots=True)
class RecordPin(Structure):
    """The newest recovery record that was seen. An older or another one is refused."""

    counter: U32
    hash: Hash

    def check(self, records: Iterable[RecoveryRecord]) -> None:
        if not any(
            (record.counter, record.hash) == (self.counter, self.hash) for record in records
        ):
            raise NotAuthentic("the recovery record that was seen before is missing")


@dataclass(frozen=True, slots=True)
class KeyBundle:
    """What a second device of the same user needs."""

    keys: PrivateKeys
    leader: LeaderPin | None = None
    record: RecordPin | None = None
    pairs: tuple[PrivateKeys, ...] = ()
    """Recovery pairs that a leader holds, the newest last."""
    removed: tuple[bytes, ...] = ()
    """Fingerprints of keys that lost access, the newest last. They get no grant again."""
    removes_on_request: bool = False
    """Whether the leader's client carries out removals that the console requests, unasked."""
    spaces: Mapping[UUID, SpacePin] = field(default_factory=dict)
    rewinds: Mapping[UUID, RewindPin] = field(default_factory=dict)
    """Of the spaces that have any."""

    def encode(self) -> bytes:
        leader, record = self.leader, self.record
        flags = (
            (_HAS_LEADER if leader else 0)
            | (_HAS_RECORD if record else 0)
            | (_OBEYS_CONSOLE if self.removes_on_request else 0)
            | (_HAS_REWINDS if self.rewinds else 0)
        )
        spaces, rewinds = _by_space(self.spaces), _by_space(self.rewinds)
        data = b"".join(
            (
                u8(_VERSION),
                self.keys.encode(),
                u8(flags),
                leader.encode() if leader else b"",
                record.encode() if record else b"",
                u8(len(self.pairs)),
                *(pair.encode() for pair in self.pairs),
                u16(len(self.removed)),
                *self.removed,
                u32(len(spaces)),
                *(space.bytes + pin.encode() for space, pin in spaces),
                u32(len(rewinds)) if rewinds else b"",
                *(space.bytes + pin.encode() for space, pin in rewinds),
            )
        )
        if len(data) > MAX_PLAINTEXT_BYTES:
            raise Malformed("too many spaces are pinned")
        return data.ljust(len(data) + -len(data) % _PADDING_BYTES, b"\0")

    @classmethod
    def decode(cls, data: bytes) -> "KeyBundle":
        reader = Reader(data)
        if reader.u8() != _VERSION:
            raise Malformed("the version of the keys is unknown")
        keys = PrivateKeys.decode(reader.take(PRIVATE_KEYS_BYTES))
        flags = reader.u8()
        if flags & ~(_HAS_LEADER | _HAS_RECORD | _OBEYS_CONSOLE | _HAS_REWINDS):
            raise Malformed("the flags of the pins are unknown")
        leader = LeaderPin.read(reader) if flags & _HAS_LEADER else None
        record = RecordPin.read(reader) if flags & _HAS_RECORD else None
        count = reader.u8()
        if count > MAX_PAIRS:
            raise Malformed("too many recovery pairs are held")
        pairs = tuple(PrivateKeys.decode(reader.take(PRIVATE_KEYS_BYTES)) for _ in range(count))
        count = reader.u16()
        if count > MAX_REMOVED:
            raise Malformed("too many removed keys are pinned")
        removed = tuple(reader.take(HASH_BYTES) for _ in range(count))
        count = reader.count(_SPACE_PIN_BYTES)
        spaces = _read_by_space(reader, count, SpacePin)
        count = reader.count(_REWIND_PIN_BYTES) if flags & _HAS_REWINDS else 0
        rewinds = _read_by_space(reader, count, RewindPin)
        if bool(rewinds) != bool(flags & _HAS_REWINDS) or not rewinds.keys() <= spaces.keys():
            raise Malformed("a space without a pin was rewound")
        if any(reader.take(reader.left)):
            raise Malformed("the padding is not zero")
        obeys = bool(flags & _OBEYS_CONSOLE)
        return cls(keys, leader, record, pairs, removed, obeys, spaces, rewinds)

    def merge(self, older: "KeyBundle") -> "KeyBundle":
        """Adds the pins of an older bundle; of each space and of the record the newer one counts.

        Pins that contradict each other are refused.
        """
        spaces, rewinds = {**older.spaces}, {**older.rewinds}
        for space, pin in self.spaces.items():
            rewind = self.rewinds.get(space, NO_REWINDS)
            known, known_rewind = spaces.get(space, pin), rewinds.get(space, NO_REWINDS)
            same_end = known.sequence == pin.sequence and known_rewind.count == rewind.count
            if known.first != pin.first or (same_end and known.hash != pin.hash):
                raise EntryRefused(Reason.HISTORY_CHANGED)
            if (known_rewind.count, known.sequence) <= (rewind.count, pin.sequence):
                spaces[space] = pin
                if rewind.count:
                    rewinds[space] = rewind
        records = {record.counter: record for record in (older.record, self.record) if record}
        if older.record and records[older.record.counter] != older.record:
            raise EntryRefused(Reason.HISTORY_CHANGED)
        return replace(
            self,
            leader=self.leader or older.leader,
            record=records[max(records)] if records else None,
            pairs=_union(older.pairs, self.pairs)[-MAX_PAIRS:],
            removed=_union(older.removed, self.removed)[-MAX_REMOVED:],
            spaces=spaces,
            rewinds=rewinds,
        )


def check_keys(text: str, *, uid: str, cid: str) -> int:
    """Checks an envelope without its key, and returns its revision."""
    revision = jwe.read_number(text, "rev")
    size = jwe.check(text, _header(uid, cid, revision))
    if size % _PADDING_BYTES or not 0 < size <= MAX_PLAINTEXT_BYTES:
        raise Malformed("the ciphertext must have a multiple of 4096 bytes, at most 256 KiB")
    return revision


def seal_keys(bundle: KeyBundle, *, user_key: bytes, uid: str, cid: str, revision: int) -> str:
    return jwe.seal(_header(uid, cid, revision), bundle.encode(), user_key)


def open_keys(text: str, *, user_key: bytes, uid: str, cid: str) -> tuple[KeyBundle, int]:
    """Returns the keys with their revision, which the seal authenticates."""
    revision = check_keys(text, uid=uid, cid=cid)
    return KeyBundle.decode(jwe.unseal(text, user_key)), revision


def _header(uid: str, cid: str, revision: int) -> jwe.Header:
    return jwe.header(
        "tessera-kp+1",
        uid=jwe.check_uuid(uid),
        cid=jwe.check_uuid(cid),
        rev=jwe.check_number(revision),
    )


def _by_space(pins: Mapping[UUID, T]) -> list[tuple[UUID, T]]:
    return sorted(pins.items(), key=lambda item: item[0].bytes)


def _read_by_space(reader: Reader, count: int, kind: type[P]) -> dict[UUID, P]:
    pins = [(reader.uuid(), kind.read(reader)) for _ in range(count)]
    spaces = [space for space, _ in pins]
    if spaces != sorted(set(spaces), key=lambda space: space.bytes):
        raise Malformed("the pins are not sorted by space")
    return dict(pins)


def _union(first: tuple[T, ...], second: tuple[T, ...]) -> tuple[T, ...]:
    return tuple(dict.fromkeys((*first, *second)))
