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
T = TypeVar("T")

_HAS_LEADER, _HAS_RECORD, _OBEYS_CONSOLE = 1, 2, 4


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

    def encode(self) -> bytes:
        leader, record = self.leader, self.record
        flags = (
            (_HAS_LEADER if leader else 0)
            | (_HAS_RECORD if record else 0)
            | (_OBEYS_CONSOLE if self.removes_on_request else 0)
        )
        spaces = sorted(self.spaces.items(), key=lambda item: item[0].bytes)
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
        if flags & ~(_HAS_LEADER | _HAS_RECORD | _OBEYS_CONSOLE):
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
        pins = [(reader.uuid(), SpacePin.read(reader)) for _ in range(count)]
        if any(reader.take(reader.left)):
            raise Malformed("the padding is not zero")
        spaces = [space for space, _ in pins]
        if spaces != sorted(set(spaces), key=lambda space: space.bytes):
            raise Malformed("the pins are not sorted by space")
        obeys = bool(flags & _OBEYS_CONSOLE)
        return cls(keys, leader, record, pairs, removed, obeys, dict(pins))

    def merge(self, older: "KeyBundle") -> "KeyBundle":
        """Adds the pins of an older bundle; of each space and of the record the newer one counts.

        Pins that contradict each other are refused.
        """
        spaces = {**older.spaces}
        for space, pin in self.spaces.items():
            known = spaces.get(space, pin)
            same_end = known.sequence == pin.sequence
            if known.first != pin.first or (same_end and known.hash != pin.hash):
                raise EntryRefused(Reason.HISTORY_CHANGED)
            if known.sequence <= pin.sequence:
                spaces[space] = pin
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


def _union(first: tuple[T, ...], second: tuple[T, ...]) -> tuple[T, ...]:
    return tuple(dict.fromkeys((*first, *second)))
