"""Recovery records: which recovery pair a company has, signed by its leader and by the pair."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Self
from uuid import UUID

from tessera_core.binary import Reader, u8, u32, u64
from tessera_core.entries import HASH_BYTES
from tessera_core.errors import Malformed, NotAuthentic
from tessera_core.user_keys import SIGNATURE_BYTES, PrivateKeys, PublicKeys

MAX_RECORDS = 4096

_LABEL = b"tessera/v1/recovery-record"
_VERSION = 1
_NO_RECORD = bytes(HASH_BYTES)


@dataclass(frozen=True, slots=True)
class RecoveryRecord:
    """One pair of a company. Each but the first is signed by the pair before it too."""

    company: UUID
    counter: int
    keys: PublicKeys
    leader: UUID
    fingerprint: bytes
    """Of the leader's public keys."""
    time: int
    """Milliseconds since 1970."""
    previous: bytes
    leader_signature: bytes = field(default=b"", repr=False)
    pair_signature: bytes = field(default=b"", repr=False)
    previous_signature: bytes = field(default=b"", repr=False)

    def __post_init__(self) -> None:
        if not 1 <= self.counter <= MAX_RECORDS:
            raise Malformed("the counter is out of range")
        if (self.counter == 1) != (self.previous == _NO_RECORD):
            raise Malformed("the first record and no other follows none")

    @property
    def statement(self) -> bytes:
        """What everybody signs."""
        return b"".join(
            (
                _LABEL,
                u8(_VERSION),
                self.company.bytes,
                u32(self.counter),
                self.keys.encode(),
                self.leader.bytes,
                self.fingerprint,
                u64(self.time),
                self.previous,
            )
        )

    @property
    def hash(self) -> bytes:
        return hashlib.sha256(self.encode()).digest()

    def encode(self) -> bytes:
        signatures = self.leader_signature + self.pair_signature + self.previous_signature
        return self.statement + signatures

    @classmethod
    def decode(cls, data: bytes) -> Self:
        reader = Reader(data)
        if reader.take(len(_LABEL)) != _LABEL or reader.u8() != _VERSION:
            raise Malformed("this is not a recovery record of version 1")
        company, counter, keys = reader.uuid(), reader.u32(), PublicKeys.read(reader)
        leader, fingerprint = reader.uuid(), reader.take(HASH_BYTES)
        time, previous = reader.u64(), reader.take(HASH_BYTES)
        by_leader, by_pair = reader.take(SIGNATURE_BYTES), reader.take(SIGNATURE_BYTES)
        by_previous = reader.take(SIGNATURE_BYTES if counter > 1 else 0)
        reader.end()
        return cls(
            company, counter, keys, leader, fingerprint, time, previous,
            by_leader, by_pair, by_previous,
        )  # fmt: skip

    def verify_leader(self, keys: PublicKeys) -> None:
        """Checks that these keys are the leader's whom the record names, and signed it."""
        if keys.fingerprint != self.fingerprint:
            raise NotAuthentic("the record names other keys of the leader")
        keys.verify(self.leader_signature, self.statement)


def check_records(records: Sequence[RecoveryRecord], company: UUID) -> None:
    """Checks the chain of all records of a company from the first one on.

    The leader's signatures are checked against keys that the reader knows: `verify_leader`.
    """
    before: RecoveryRecord | None = None
    known: set[bytes] = set()
    for counter, record in enumerate(records, 1):
        if (record.company, record.counter) != (company, counter):
            raise NotAuthentic("the record is another company's, or one is missing")
        # Whoever held a pair counts as holding it for ever.
        if record.keys.sign in known:
            raise NotAuthentic("the pair was replaced before")
        known.add(record.keys.sign)
        record.keys.verify(record.pair_signature, record.statement)
        if before is not None:
            if record.previous != before.hash:
                raise NotAuthentic("the record does not follow the one before it")
            if record.time < before.time:
                raise NotAuthentic("the record is older than the one before it")
            before.keys.verify(record.previous_signature, record.statement)
        before = record


def sign_record(
    pair: PrivateKeys,
    leader_keys: PrivateKeys,
    *,
    company: UUID,
    leader: UUID,
    time: int,
    before: RecoveryRecord | None = None,
    pair_before: PrivateKeys | None = None,
) -> RecoveryRecord:
    """Names a pair: the company's first, or the successor of the one `before`."""
    if (before is None) != (pair_before is None):
        raise ValueError("the pair before signs where there is one, and only there")
    unsigned = RecoveryRecord(
        company=company,
        counter=before.counter + 1 if before else 1,
        keys=pair.public,
        leader=leader,
        fingerprint=leader_keys.public.fingerprint,
        time=max(time, before.time) if before else time,
        previous=before.hash if before else _NO_RECORD,
    )
    statement = unsigned.statement
    return replace(
        unsigned,
        leader_signature=leader_keys.sign(statement),
        pair_signature=pair.sign(statement),
        previous_signature=pair_before.sign(statement) if pair_before else b"",
    )
