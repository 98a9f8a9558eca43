"""The envelope of a user's private keys and pins, sealed by the user's key."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from uuid import UUID

from tessera_core import jwe
from tessera_core.binary import Reader, u8, u32, u64
from tessera_core.entries import HASH_BYTES, Entry
from tessera_core.errors import Malformed
from tessera_core.log import EntryRefused, LogState, Reason
from tessera_core.user_keys import PRIVATE_KEYS_BYTES, PrivateKeys

MAX_PLAINTEXT_BYTES = 256 * 1024

_VERSION = 1
_PADDING_BYTES = 4096
_SPACE_PIN_BYTES = 16 + HASH_BYTES + 8 + HASH_BYTES


@dataclass(frozen=True, slots=True)
class LeaderPin:
    """The leader whose words were compared."""

    user: UUID
    fingerprint: bytes


@dataclass(frozen=True, slots=True)
class SpacePin:
    """How far this user has seen a space's log. A log that does not extend it is refused."""

    first: bytes
    sequence: int
    hash: bytes

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
class KeyBundle:
    """What a second device of the same user needs."""

    keys: PrivateKeys
    leader: LeaderPin | None = None
    spaces: Mapping[UUID, SpacePin] = field(default_factory=dict)

    def encode(self) -> bytes:
        leader = self.leader
        pinned = u8(1) + leader.user.bytes + leader.fingerprint if leader else u8(0)
        spaces = sorted(self.spaces.items(), key=lambda item: item[0].bytes)
        data = b"".join(
            (
                u8(_VERSION),
                self.keys.encode(),
                pinned,
                u32(len(spaces)),
                *(space.bytes + pin.first + u64(pin.sequence) + pin.hash for space, pin in spaces),
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
        pinned = reader.u8()
        if pinned > 1:
            raise Malformed("the leader's pin is malformed")
        leader = LeaderPin(reader.uuid(), reader.take(HASH_BYTES)) if pinned else None
        pins = [_read_pin(reader) for _ in range(reader.count(_SPACE_PIN_BYTES))]
        if any(reader.take(reader.left)):
            raise Malformed("the padding is not zero")
        spaces = [space for space, _ in pins]
        if spaces != sorted(set(spaces), key=lambda space: space.bytes):
            raise Malformed("the pins are not sorted by space")
        return cls(keys, leader, dict(pins))


def check_keys(text: str, *, uid: str, cid: str) -> int:
    """Checks an envelope without its key, and returns its revision."""
    revision = jwe.read_number(text, "rev")
    size = jwe.check(text, _header(uid, cid, revision))
    if size % _PADDING_BYTES or not 0 < size <= MAX_PLAINTEXT_BYTES:
        raise Malformed("the ciphertext must have a multiple of 4096 bytes, at most 256 KiB")
    return revision


def seal_keys(bundle: KeyBundle, *, user_key: bytes, uid: str, cid: str, revision: int) -> str:
    return jwe.seal(_header(uid, cid, revision), bundle.encode(), user_key)


def open_keys(text: str, *, user_key: bytes, uid: str, cid: str) -> KeyBundle:
    check_keys(text, uid=uid, cid=cid)
    return KeyBundle.decode(jwe.unseal(text, user_key))


def _header(uid: str, cid: str, revision: int) -> jwe.Header:
    return jwe.header(
        "tessera-kp+1",
        uid=jwe.check_uuid(uid),
        cid=jwe.check_uuid(cid),
        rev=jwe.check_number(revision),
    )


def _read_pin(reader: Reader) -> tuple[UUID, SpacePin]:
    space = reader.uuid()
    return space, SpacePin(reader.take(HASH_BYTES), reader.u64(), reader.take(HASH_BYTES))
