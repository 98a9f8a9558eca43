"""Log entries: what they say in the clear, what their author signs, and how they are encoded."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Annotated, ClassVar, Self, get_args

from tessera_core.binary import (
    U8,
    U16,
    U32,
    U64,
    Form,
    Reader,
    Structure,
    Uuid,
    listed,
    raw,
    u8,
    u32,
    u64,
)
from tessera_core.errors import Malformed, NotAuthentic
from tessera_core.packs import PACK_ID_BYTES
from tessera_core.shards import PackRecord
from tessera_core.user_keys import SIGNATURE_BYTES, PrivateKeys, PublicKeys

ENTRY_ID_BYTES = 16
HASH_BYTES = 32
MAX_ENTRY_BYTES = 128 * 1024
MAX_PACKS = 1024

Hash = Annotated[bytes, raw(HASH_BYTES)]

# The version of the format that this program writes and reads.
FORMAT = 1

_LABEL = b"tessera/entry/v1"
_WITHOUT_BODY = 2**32 - 1


class Kind(IntEnum):
    GENESIS = 1
    MEMBER_ADDED = 2
    MEMBER_REMOVED = 3
    LEADER_CHANGED = 4
    GENERATION = 5
    CHANGE = 6
    RETIRE = 7
    UNRETIRE = 8
    CHECKPOINT = 9
    RECOVERY_CHANGED = 10
    SET_ASIDE = 11
    FORMAT = 12
    REWOUND = 13
    SETTINGS = 14


@dataclass(frozen=True, slots=True)
class Genesis(Structure):
    """The first entry: whom a space begins with. The recovery pair signs it too."""

    kind: ClassVar[Kind] = Kind.GENESIS
    leader: Uuid
    keys: PublicKeys
    recovery_keys: PublicKeys


@dataclass(frozen=True, slots=True)
class _Subject(Structure):
    """A person, their keys, and the hash of the grants made to them."""

    subject: Uuid
    keys: PublicKeys
    grants: Hash


class MemberAdded(_Subject):
    kind: ClassVar[Kind] = Kind.MEMBER_ADDED


class LeaderChanged(_Subject):
    kind: ClassVar[Kind] = Kind.LEADER_CHANGED


@dataclass(frozen=True, slots=True)
class MemberRemoved(Structure):
    kind: ClassVar[Kind] = Kind.MEMBER_REMOVED
    subject: Uuid


@dataclass(frozen=True, slots=True)
class Generation(Structure):
    """A new seed: its commitment, and the hash of its grants to all members and to recovery."""

    kind: ClassVar[Kind] = Kind.GENERATION
    commitment: Hash
    grants: Hash


@dataclass(frozen=True, slots=True)
class RecoveryChanged(Structure):
    """Replaces the recovery pair, which signs too. The generation that follows grants to it."""

    kind: ClassVar[Kind] = Kind.RECOVERY_CHANGED
    keys: PublicKeys


@dataclass(frozen=True, slots=True)
class _PacksAdded(Structure):
    """The packs that the entry adds; the sealed body says what is in them."""

    packs: Annotated[tuple[PackRecord, ...], listed(Form(PackRecord.encode, PackRecord.read))]

    def __post_init__(self) -> None:
        _check_packs([record.pack for record in self.packs])


class Change(_PacksAdded):
    kind: ClassVar[Kind] = Kind.CHANGE


class Checkpoint(_PacksAdded):
    """The whole state after the entry before it, so that a new device can start here."""

    kind: ClassVar[Kind] = Kind.CHECKPOINT


@dataclass(frozen=True, slots=True)
class _PackIds(Structure):
    packs: Annotated[tuple[bytes, ...], listed(raw(PACK_ID_BYTES))]

    def __post_init__(self) -> None:
        _check_packs(self.packs)
        if not self.packs:
            raise Malformed("the entry names no pack")


class Retire(_PackIds):
    kind: ClassVar[Kind] = Kind.RETIRE


class Unretire(_PackIds):
    kind: ClassVar[Kind] = Kind.UNRETIRE


@dataclass(frozen=True, slots=True)
class SetAside(Structure):
    """The leader's verdict on bodies that cannot be fetched: nobody applies them."""

    kind: ClassVar[Kind] = Kind.SET_ASIDE
    sequences: Annotated[tuple[int, ...], listed(Form(u64, Reader.u64))]

    def __post_init__(self) -> None:
        if not 1 <= len(self.sequences) <= MAX_PACKS:
            raise Malformed("1 to 1024 entries can be set aside at once")
        if list(self.sequences) != sorted(set(self.sequences)):
            raise Malformed("the sequences are not in ascending order")


@dataclass(frozen=True, slots=True)
class FormatChanged(Structure):
    """From here on, forms of a newer version count. Programs that do not know it stop."""

    kind: ClassVar[Kind] = Kind.FORMAT
    version: U16


@dataclass(frozen=True, slots=True)
class Rewound(Structure):
    """After a restore of the service: the end of the history that could not be brought back."""

    kind: ClassVar[Kind] = Kind.REWOUND
    sequence: U64
    hash: Hash
    time: U64


class KeepUnit(IntEnum):
    """What a rule counts: days whose versions all stay, or periods whose last state stays."""

    ALL_DAYS = 1
    DAILY = 2
    WEEKLY = 3
    MONTHLY = 4
    YEARLY = 5


@dataclass(frozen=True, slots=True)
class KeepRule(Structure):
    unit: U8
    count: U16

    def __post_init__(self) -> None:
        if self.unit not in set(KeepUnit) or not self.count:
            raise Malformed("a rule counts days, weeks, months or years, at least one")


@dataclass(frozen=True, slots=True)
class Settings(Structure):
    """How the space is written and pruned from here on; replaces earlier settings as a whole."""

    kind: ClassVar[Kind] = Kind.SETTINGS
    uncompressed: Annotated[bool, Form(u8, Reader.flag)] = False
    keep: Annotated[tuple[KeepRule, ...], listed(Form(KeepRule.encode, KeepRule.read))] = ()
    """Which earlier versions stay; if empty, those of the company's number of days."""

    def __post_init__(self) -> None:
        units = [rule.unit for rule in self.keep]
        if units != sorted(set(units)):
            raise Malformed("the rules are not in ascending order, each once")


Clear = (
    Genesis
    | MemberAdded
    | MemberRemoved
    | LeaderChanged
    | Generation
    | Change
    | Retire
    | Unretire
    | Checkpoint
    | RecoveryChanged
    | SetAside
    | FormatChanged
    | Rewound
    | Settings
)
_KINDS: dict[int, type[Clear]] = {kind.kind: kind for kind in get_args(Clear)}
COUNTERSIGNED_KINDS = (Genesis, RecoveryChanged)
BODY_KINDS = (Change, Checkpoint)


@dataclass(frozen=True, slots=True)
class Head(Structure):
    """Where an entry stands and who wrote it: what is signed begins with a label and these."""

    company: Uuid
    space: Uuid
    sequence: U64
    previous: Hash
    id: Annotated[bytes, raw(ENTRY_ID_BYTES)]
    generation: U32
    author: Uuid
    time: U64
    """Milliseconds since 1970, never less than the previous entry's."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One record of a space's log."""

    head: Head
    clear: Clear
    body: bytes | None
    """The sealed body. None if it was left out, which the chain of hashes allows."""
    body_hash: bytes
    signature: bytes = b""
    countersignature: bytes = b""

    @property
    def statement(self) -> bytes:
        """What the author signs."""
        return _LABEL + self.head.encode() + _sha256(encode_clear(self.clear)) + self.body_hash

    @property
    def hash(self) -> bytes:
        """The next entry's `previous`."""
        return _sha256(self.statement + self.signature + self.countersignature)

    def encode(self, *, with_body: bool = True) -> bytes:
        body = self.body if with_body else None
        clear = encode_clear(self.clear)
        return b"".join(
            (
                self.statement,
                u32(len(clear)),
                u32(_WITHOUT_BODY if body is None else len(body)),
                clear,
                body or b"",
                self.signature,
                self.countersignature,
            )
        )

    @classmethod
    def decode(cls, data: bytes) -> Self:
        """Reads an entry and checks its hashes; the log's rules check the rest."""
        if len(data) > MAX_ENTRY_BYTES:
            raise Malformed("an entry has at most 128 KiB")
        reader = Reader(data)
        if reader.take(len(_LABEL)) != _LABEL:
            raise Malformed("this is not an entry of version 1")
        head = Head.read(reader)
        clear_hash, body_hash = reader.take(HASH_BYTES), reader.take(HASH_BYTES)
        clear_size, body_size = reader.u32(), reader.u32()
        raw_clear = reader.take(clear_size)
        if _sha256(raw_clear) != clear_hash:
            raise NotAuthentic("the clear part is not the signed one")
        clear = _decode_clear(raw_clear)
        body = None if body_size == _WITHOUT_BODY else reader.take(body_size)
        if body is not None and _sha256(body) != body_hash:
            raise NotAuthentic("the body is not the signed one")
        if (body_hash == _EMPTY_HASH) == isinstance(clear, BODY_KINDS):
            raise Malformed("changes and checkpoints have a body, other entries have none")
        signature = reader.take(SIGNATURE_BYTES)
        counter = reader.take(SIGNATURE_BYTES if isinstance(clear, COUNTERSIGNED_KINDS) else 0)
        reader.end()
        return cls(head, clear, body, body_hash, signature, counter)


def sign_entry(
    head: Head,
    clear: Clear,
    keys: PrivateKeys,
    *,
    body: bytes = b"",
    recovery_keys: PrivateKeys | None = None,
) -> Entry:
    """Signs an entry; `recovery_keys` are those that a genesis or a replacement names."""
    if bool(body) != isinstance(clear, BODY_KINDS):
        raise Malformed("changes and checkpoints have a body, other entries have none")
    if bool(recovery_keys) != isinstance(clear, COUNTERSIGNED_KINDS):
        raise ValueError("the recovery pair signs where it is named, and only there")
    unsigned = Entry(head, clear, body, _sha256(body))
    statement = unsigned.statement
    counter = recovery_keys.sign(statement) if recovery_keys else b""
    entry = replace(unsigned, signature=keys.sign(statement), countersignature=counter)
    if len(entry.encode()) > MAX_ENTRY_BYTES:
        raise Malformed("an entry has at most 128 KiB")
    return entry


def encode_clear(clear: Clear) -> bytes:
    return u8(FORMAT) + u8(clear.kind) + clear.encode()


def _decode_clear(data: bytes) -> Clear:
    reader = Reader(data)
    if reader.u8() != FORMAT:
        raise Malformed("the entry's version is unknown")
    kind = _KINDS.get(reader.u8())
    if not kind:
        raise Malformed("the entry's kind is unknown")
    clear = kind.read(reader)
    reader.end()
    return clear


def _check_packs(packs: Sequence[bytes]) -> None:
    if len(packs) > MAX_PACKS or len(set(packs)) != len(packs):
        raise Malformed("an entry names at most 1024 packs, each once")


def _sha256(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


_EMPTY_HASH = _sha256(b"")
