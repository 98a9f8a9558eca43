"""Removes each check of the product in turn; at least one vector has to notice.

A check that no vector notices is one that another program, written from the document and tested
with the vectors, may lack.
"""

import importlib
import importlib.abc
import importlib.machinery
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pytest

import tessera_core
from core.tests import vector_checks

pytestmark = pytest.mark.extended

SOURCES = Path(tessera_core.__file__).parent
RUNNER = "core.tests.vector_checks"
# A removal that breaks the program's text proves nothing.
BROKEN = (NameError, SyntaxError, ImportError)


@dataclass(frozen=True)
class Removed:
    """One check: what it refuses, the line that does, what stands there without it."""

    what: str
    module: str
    line: str
    without: str
    groups: tuple[str, ...]
    is_slow: bool = False


def never(what: str, module: str, condition: str, *groups: str, is_slow: bool = False) -> Removed:
    """An `if` that refuses, and never does."""
    return Removed(what, module, f"if {condition}:", f"if ({condition}) is None:", groups, is_slow)


def less(what: str, module: str, line: str, without: str, *groups: str) -> Removed:
    return Removed(what, module, line, without, groups)


# Left out are checks that only save work, because another one refuses the same: counts before
# the items that they announce, the generation of a grant, an empty segment.
CHECKS = [
    # Fields
    never("bytes that end too early", "binary", "end > self._size", "mustFail.checkpoints"),
    never("bytes after the end", "binary", "self.left", "mustFail.changes"),
    less(
        "the length of a text",
        "binary",
        "size = self.u16()\n        if not at_least <= size <= limit:",
        "size = self.u16()\n        if False:",
        "mustFail.changes",
    ),
    never(
        "the header of an envelope",
        "jwe",
        "head != base64url.encode(compact_json(expected))",
        "mustFail.keyEnvelopes",
    ),
    # A person's keys
    less("y below p", "user_keys", "y >= _PRIME or ", "", "mustFail.signingKeys"),
    less("order of the key", "user_keys", " or y in _SMALL_ORDER", "", "mustFail.signingKeys"),
    less(
        "each point of small order",
        "user_keys",
        "{0, 1, _PRIME - 1, _ORDER_EIGHT, _PRIME - _ORDER_EIGHT}",
        "{0, 1, _PRIME - 1, _ORDER_EIGHT}",
        "mustFail.signingKeys",
    ),
    less(
        "the sign is no part of y",
        "user_keys",
        "& ((1 << 255) - 1)",
        "& ((1 << 256) - 1)",
        "people",
        "acceptedEntries",
    ),
    less(
        "an X25519 key of small order",
        "user_keys",
        "_PROBE.exchange(X25519PublicKey.from_public_bytes(self.kem[_MLKEM_KEY_BYTES:]))",
        "pass",
        "mustFail.publicKeys",
    ),
    less(
        "the suite of public keys",
        "user_keys",
        'if reader.u8() != SUITE:\n            raise Malformed("the keys\' suite is unknown")\n'
        "        return cls(",
        "reader.u8()\n        return cls(",
        "mustFail.publicKeys",
    ),
    less(
        "a signature at all",
        "user_keys",
        "Ed25519PublicKey.from_public_bytes(self.sign).verify(signature, message)",
        "pass",
        "signatures",
    ),
    less(
        "s below L",
        "user_keys",
        "Ed25519PublicKey.from_public_bytes(self.sign).verify(signature, message)",
        "order = 2**252 + 27742317777372353535851937790883648493\n"
        '            s = int.from_bytes(signature[32:], "little") % order\n'
        '            signature = signature[:32] + s.to_bytes(32, "little")\n'
        "            Ed25519PublicKey.from_public_bytes(self.sign).verify(signature, message)",
        "signatures",
    ),
    # The key envelope
    never("its version", "key_envelopes", "reader.u8() != _VERSION", "mustFail.keyBundles"),
    never(
        "its flags",
        "key_envelopes",
        "flags & ~(_HAS_LEADER | _HAS_RECORD | _OBEYS_CONSOLE | _HAS_REWINDS)",
        "mustFail.keyBundles",
    ),
    never("its pairs", "key_envelopes", "count > MAX_PAIRS", "mustFail.keyBundles"),
    never("its removed keys", "key_envelopes", "count > MAX_REMOVED", "mustFail.keyBundles"),
    never("its padding", "key_envelopes", "any(reader.take(reader.left))", "mustFail.keyBundles"),
    never(
        "the order of its spaces",
        "key_envelopes",
        "spaces != sorted(set(spaces), key=lambda space: space.bytes)",
        "mustFail.keyBundles",
    ),
    less(
        "its rewound spaces",
        "key_envelopes",
        "if bool(rewinds) != bool(flags & _HAS_REWINDS) or not rewinds.keys() <= spaces.keys():",
        "if bool(rewinds) != bool(flags & _HAS_REWINDS):",
        "mustFail.keyBundles",
    ),
    less(
        "that some are",
        "key_envelopes",
        "if bool(rewinds) != bool(flags & _HAS_REWINDS) or not rewinds.keys() <= spaces.keys():",
        "if not rewinds.keys() <= spaces.keys():",
        "mustFail.keyBundles",
    ),
    never(
        "its length",
        "key_envelopes",
        "size % _PADDING_BYTES or not 0 < size <= MAX_PLAINTEXT_BYTES",
        "mustFail.keyEnvelopes",
    ),
    # Recovery records, handovers, halves
    never(
        "the counter of a record",
        "recovery_records",
        "not 1 <= self.counter <= MAX_RECORDS",
        "mustFail.recoveryRecords",
    ),
    never(
        "the first record follows none",
        "recovery_records",
        "(self.counter == 1) != (self.previous == _NO_RECORD)",
        "mustFail.recoveryRecords",
    ),
    never(
        "label and version of a record",
        "recovery_records",
        "reader.take(len(_LABEL)) != _LABEL or reader.u8() != _VERSION",
        "mustFail.recoveryRecords",
    ),
    never(
        "the leader's fingerprint",
        "recovery_records",
        "keys.fingerprint != self.fingerprint",
        "mustFail.recoveryRecords",
    ),
    less(
        "the leader's signature",
        "recovery_records",
        "keys.verify(self.leader_signature, self.statement)",
        "pass",
        "mustFail.recoveryRecords",
    ),
    less(
        "the pair's signature",
        "recovery_records",
        "record.keys.verify(record.pair_signature, record.statement)",
        "pass",
        "mustFail.recoveryRecords",
    ),
    less(
        "the signature of the pair before",
        "recovery_records",
        "before.keys.verify(record.previous_signature, record.statement)",
        "pass",
        "mustFail.recoveryRecords",
    ),
    never(
        "the company and the counters of records",
        "recovery_records",
        "(record.company, record.counter) != (company, counter)",
        "mustFail.recoveryRecords",
    ),
    never(
        "the hash of the record before",
        "recovery_records",
        "record.previous != before.hash",
        "mustFail.recoveryRecords",
    ),
    never(
        "the time of a record",
        "recovery_records",
        "record.time < before.time",
        "mustFail.recoveryRecords",
    ),
    never(
        "a pair that was replaced",
        "recovery_records",
        "record.keys.sign in known",
        "mustFail.recoveryRecords",
    ),
    never(
        "the sender of a recovery handover",
        "handovers",
        "self.sender == self.recipient",
        "mustFail.recoveryHandovers",
    ),
    less(
        "the signature of a recovery handover",
        "handovers",
        "keys.verify(self.signature, self._signed(context, self.sealed))",
        "pass",
        "mustFail.recoveryHandovers",
    ),
    less(
        "what a recovery handover is sealed for",
        "handovers",
        "keys.open(self.sealed, self.sealed_label + context)",
        "keys.open(self.sealed, self.sealed_label + context[:-4] + u32(3))",
        "mustFail.recoveryHandovers",
    ),
    never(
        "the record of a sealed half",
        "recovery",
        "not 1 <= record <= MAX_RECORDS",
        "mustFail.recovery",
    ),
    never(
        "version and kdf of a sealed half",
        "recovery",
        "reader.u8() != _VERSION or reader.u8() != KDF_VERSION",
        "mustFail.recovery",
    ),
    never(
        "a mistyped code",
        "recovery",
        "number & (1 << _CHECK_BITS) - 1 != _checksum(code)",
        "mustFail.codes",
    ),
    never(
        "the sender of a key handover",
        "handovers",
        "self.sender == self.recipient",
        "mustFail.keyHandovers",
    ),
    never(
        "the epoch of a key handover",
        "handovers",
        "not 1 <= self.epoch <= MAX_EPOCH",
        "mustFail.keyHandovers",
    ),
    less(
        "the signature of a key handover",
        "handovers",
        "self.verify(sender_keys, company=company)",
        "pass",
        "mustFail.keyHandovers",
    ),
    # Grants and keyrings
    never(
        "the length of a grant",
        "grants",
        "len(self.sealed) != _HPKE_BYTES + self.generation * SEED_BYTES",
        "mustFail.grants",
    ),
    never(
        "two grants to one member",
        "grants",
        "len({grant.member for grant in ordered}) != len(ordered)",
        "mustFail.entryGrants",
    ),
    less(
        "completeness of the grants",
        "log",
        "{grant.member for grant in grants} != recipients\n            or ",
        "",
        "mustFail.entryGrants",
    ),
    less(
        "the generation of an entry's grants",
        "log",
        "or any(grant.generation != self.generation for grant in grants)\n",
        "\n",
        "mustFail.entryGrants",
    ),
    less(
        "the hash of the grants",
        "log",
        "or grants_hash(grants) != expected\n",
        "\n",
        "mustFail.entryGrants",
    ),
    less(
        "a grant to recovery in every generation",
        "log",
        "recipients = {RECOVERY, *self.members}",
        "recipients = {*self.members} | {grant.member for grant in grants} & {RECOVERY}",
        "mustFail.entryGrants",
    ),
    less(
        "grants where none belong",
        "log",
        "recipients, expected = set(), grants_hash(())",
        "return",
        "mustFail.entryGrants",
    ),
    never(
        "the commitment of a seed",
        "log",
        "keyring.commitment(self.space, generation) != self.commitments[generation - 1]",
        "mustFail.keyrings",
    ),
    less(
        "the commitment of every seed",
        "log",
        "for generation in range(1, keyring.generation + 1):",
        "for generation in (keyring.generation,):",
        "mustFail.keyrings",
    ),
    never(
        "more seeds than generations",
        "log",
        "keyring.generation > self.generation",
        "mustFail.keyrings",
    ),
    # Packs and shards
    less(
        "the size of a pack",
        "packs",
        "if not _EMPTY_INDEX_BYTES + _FOOTER_BYTES <= len(view) <= PACK_BYTES:",
        "if len(view) < _EMPTY_INDEX_BYTES + _FOOTER_BYTES:",
        "tooLargePack",
    ),
    never("the padding of an index", "packs", "any(reader.take(reader.left))", "mustFail.packs"),
    less("a pack without chunks", "packs", "if not chunks or sum(", "if sum(", "mustFail.packs"),
    less(
        "chunks fill the pack",
        "packs",
        " or sum(chunk.stored + TAG_BYTES for chunk in chunks) != start",
        "",
        "mustFail.packs",
    ),
    never("an index longer than its pack", "packs", "start < 0", "mustFail.packs"),
    never(
        "a chunk's id",
        "packs",
        "not hmac.compare_digest(chunk_id(id_key, chunk), record.id)",
        "mustFail.packs",
    ),
    less(
        "the length of a chunk",
        "packs",
        " or not 1 <= self.stored <= self.length <= CHUNK_BYTES",
        "",
        "mustFail.changes",
    ),
    never(
        "what a compressed chunk announces",
        "compression",
        "zstd.get_frame_info(compressed).decompressed_size != length",
        "mustFail.packs",
    ),
    never(
        "the dictionary of a compressed chunk",
        "compression",
        "descriptor & _DICTIONARY_FIELD",
        "mustFail.packs",
    ),
    never(
        "the window of a compressed chunk",
        "compression",
        "not descriptor & _SINGLE_SEGMENT and base + base // 8 * (window & 7) > _MAX_WINDOW",
        "mustFail.packs",
    ),
    never(
        "what a compressed chunk holds",
        "compression",
        "len(chunk) != length or not frame.eof or frame.unused_data",
        "mustFail.packs",
    ),
    less(
        "rules count something",
        "entries",
        "self.unit not in set(KeepUnit) or ",
        "",
        "mustFail.entries",
    ),
    less("rules keep something", "entries", " or not self.count", "", "mustFail.entries"),
    never("the order of rules", "entries", "units != sorted(set(units))", "mustFail.entries"),
    less(
        "the shards' limits",
        "shards",
        "if not (1 <= self.k < self.n <= erasure.MAX_SHARDS and self.n - self.k <= 2):",
        "if False:",
        "mustFail.shards",
        "mustFail.entries",
    ),
    never(
        "the length of a coded pack",
        "shards",
        "not self.k <= self.length <= PACK_BYTES",
        "mustFail.entries",
    ),
    never(
        "the reserved bytes of a shard", "shards", "reader.take(12) != _RESERVED", "mustFail.shards"
    ),
    never("the index of a shard", "shards", "index >= n", "mustFail.shards"),
    never(
        "the length of a shard",
        "shards",
        "len(body) != trailer.coding.shard_length",
        "mustFail.shards",
    ),
    never(
        "the hash of a shard",
        "shards",
        "shard.trailer != trailer",
        "mustFail.shards",
    ),
    less(
        "shards of another pack are ignored",
        "shards",
        "if (shard.trailer.name, shard.trailer.coding) == (name, record.coding):",
        "if shard.trailer.coding == record.coding:",
        "shardSets",
    ),
    less(
        "the digest of a pack",
        "shards",
        "if record.digest == _digest([shard.trailer.digest for shard in data]):",
        "if True:",
        "shardSets",
    ),
    less(
        "another combination of shards is tried",
        "shards",
        "itertools.islice(choices, _MAX_COMBINATIONS)",
        "itertools.islice(choices, 1)",
        "shardSets",
    ),
    less(
        "several shards of one index are tried",
        "shards",
        "itertools.product(*(group[index].values() for index in indexes))",
        "[tuple(next(iter(group[index].values())) for index in indexes)]",
        "shardSets",
    ),
    less(
        "zeros behind a pack",
        "shards",
        "if not any(pack[record.coding.length :]):",
        "if True:",
        "shardSets",
    ),
    # Entries
    never(
        "the size of an entry",
        "entries",
        "len(data) > MAX_ENTRY_BYTES",
        "mustFail.entries",
    ),
    less("1024 packs", "entries", "len(packs) > MAX_PACKS or ", "", "mustFail.entries"),
    less(
        "a pack named twice", "entries", " or len(set(packs)) != len(packs)", "", "mustFail.entries"
    ),
    never("no pack retired", "entries", "not self.packs", "mustFail.entries"),
    never(
        "1 to 1024 set aside",
        "entries",
        "not 1 <= len(self.sequences) <= MAX_PACKS",
        "mustFail.entries",
    ),
    never(
        "the order of what is set aside",
        "entries",
        "list(self.sequences) != sorted(set(self.sequences))",
        "mustFail.entries",
    ),
    never(
        "the hash of the clear part",
        "entries",
        "_sha256(raw_clear) != clear_hash",
        "mustFail.entries",
    ),
    never(
        "the hash of the body",
        "entries",
        "body is not None and _sha256(body) != body_hash",
        "mustFail.entries",
    ),
    never(
        "kinds with a body",
        "entries",
        "(body_hash == _EMPTY_HASH) == isinstance(clear, BODY_KINDS)",
        "mustFail.entries",
    ),
    never("the version of the clear part", "entries", "reader.u8() != FORMAT", "mustFail.entries"),
    less(
        "the end of the clear part",
        "entries",
        "    clear = kind.read(reader)\n    reader.end()",
        "    clear = kind.read(reader)",
        "mustFail.entries",
    ),
    less(
        "the end of an entry",
        "entries",
        "        reader.end()\n        return cls(head, clear",
        "        return cls(head, clear",
        "mustFail.entries",
    ),
    # The rules of the log
    never(
        "rule 1: company and space",
        "log",
        "(head.company, head.space) != (self.company, self.space)",
        "mustFail.log",
    ),
    never("rule 1: sequence", "log", "head.sequence != self.sequence + 1", "mustFail.log"),
    never("rule 1: previous", "log", "head.previous != self.head", "mustFail.log"),
    never(
        "rule 1: genesis",
        "log",
        "isinstance(entry.clear, Genesis) != (head.sequence == 1)",
        "mustFail.log",
    ),
    never("rule 2: backwards", "log", "head.time < self.time", "mustFail.log"),
    never(
        "rule 2: ahead",
        "log",
        "now is not None and head.time > max(now + MAX_CLOCK_AHEAD_MS, self.time)",
        "mustFail.log",
    ),
    never(
        "rule 2: behind",
        "log",
        "now is not None and head.time < now - MAX_CLOCK_BEHIND_MS",
        "mustFail.log",
    ),
    less(
        "rule 3: the genesis is its leader's",
        "log",
        "keys = clear.keys if author == clear.leader else None",
        "keys = clear.keys",
        "mustFail.log",
    ),
    less(
        "rule 3: recovery writes kind 4 only",
        "log",
        "keys = self.recovery_keys if isinstance(clear, LeaderChanged) else None",
        "keys = self.recovery_keys",
        "mustFail.log",
    ),
    less(
        "rule 3: the author's signature",
        "log",
        "keys.verify(entry.signature, entry.statement)",
        "pass",
        "mustFail.log",
    ),
    never(
        "rule 4: the leader",
        "log",
        "is_leaders and author not in (self.leader, RECOVERY)",
        "mustFail.log",
    ),
    less(
        "rule 4: generations are the leader's",
        "log",
        "_MEMBERS_KINDS = (Change, Unretire)",
        "_MEMBERS_KINDS = (Change, Unretire, Generation)",
        "mustFail.log",
    ),
    less(
        "rule 4: kinds 11 to 14 are the leader's",
        "log",
        "_MEMBERS_KINDS = (Change, Unretire)",
        "_MEMBERS_KINDS = (Change, Unretire, SetAside, FormatChanged, Rewound, Settings)",
        "mustFail.log",
    ),
    less(
        "rule 5: the countersignature",
        "log",
        "recovery.verify(entry.countersignature, entry.statement)",
        "pass",
        "mustFail.log",
    ),
    never(
        "rule 6: the generation",
        "log",
        "entry.head.generation != self.generation + is_generation",
        "mustFail.log",
    ),
    never(
        "rule 6: 4096 generations",
        "log",
        "entry.head.generation > MAX_GENERATION",
        "mustFail.log",
    ),
    never("rule 6: kind 5 comes second", "log", "self.generation == 0", "mustFail.log"),
    never(
        "rule 7",
        "log",
        "self.awaiting_generation and not isinstance(entry.clear, _BEFORE_GENERATION)",
        "mustFail.log",
    ),
    less(
        "rule 7: nobody is added before",
        "log",
        "_BEFORE_GENERATION = (MemberRemoved, LeaderChanged, RecoveryChanged)",
        "_BEFORE_GENERATION = (MemberAdded, MemberRemoved, LeaderChanged, RecoveryChanged)",
        "mustFail.log",
    ),
    less(
        "rule 7: after a removal",
        "log",
        "self.removed_keys.add(self.members.pop(subject).sign)\n"
        "        self.awaiting_generation = True",
        "self.removed_keys.add(self.members.pop(subject).sign)",
        "mustFail.log",
    ),
    less(
        "rule 7: after new keys of a leader",
        "log",
        "self.removed_keys.add(known.sign)\n            self.awaiting_generation = True",
        "self.removed_keys.add(known.sign)",
        "mustFail.log",
    ),
    less(
        "rule 7: after a new recovery pair",
        "log",
        "self.recovery_keys = keys\n        self.awaiting_generation = True",
        "self.recovery_keys = keys",
        "mustFail.log",
    ),
    less(
        "rule 7: after rewound",
        "log",
        "rewound.hash))\n        self.awaiting_generation = True",
        "rewound.hash))",
        "mustFail.log",
    ),
    never("rule 8: zero leads no genesis", "log", "genesis.leader == RECOVERY", "mustFail.log"),
    never(
        "rule 9: genesis", "log", "genesis.keys.sign == genesis.recovery_keys.sign", "mustFail.log"
    ),
    less("rule 8: zero is not added", "log", "added.subject == RECOVERY or ", "", "mustFail.log"),
    less(
        "rule 8: a member is not added again",
        "log",
        " or added.subject in self.members",
        "",
        "mustFail.log",
    ),
    less(
        "rule 8: the leader is not removed", "log", "subject == self.leader or ", "", "mustFail.log"
    ),
    less(
        "rule 8: a stranger is not removed",
        "log",
        " or subject not in self.members:\n            raise EntryRefused(Reason.WRONG_SUBJECT)\n"
        "        self.removed_keys.add(self.members.pop(subject).sign)",
        ":\n            raise EntryRefused(Reason.WRONG_SUBJECT)\n"
        "        self.removed_keys.add(self.members.pop(subject, self.members[self.leader]).sign)",
        "mustFail.log",
    ),
    never("rule 8: zero does not lead", "log", "changed.subject == RECOVERY", "mustFail.log"),
    never(
        "rule 8: a change of leader changes something",
        "log",
        "changed.subject == self.leader and changed.keys == known",
        "mustFail.log",
    ),
    less(
        "rule 9: added keys",
        "log",
        "self._check_unused(added.keys)",
        "pass",
        "mustFail.log",
    ),
    less(
        "rule 9: a leader's keys",
        "log",
        "self._check_unused(changed.keys)",
        "pass",
        "mustFail.log",
    ),
    less(
        "rule 9: a recovery pair's keys",
        "log",
        "self._check_unused(keys)\n        assert",
        "assert",
        "mustFail.log",
    ),
    never("rule 9: removed keys", "log", "keys.sign in self.removed_keys", "mustFail.log"),
    never(
        "rule 9: keys in use",
        "log",
        "any(keys.sign == other.sign for other in known)",
        "mustFail.log",
    ),
    less(
        "rule 9: recovery's key in use",
        "log",
        "*([self.recovery_keys] if self.recovery_keys else [])",
        "",
        "mustFail.log",
    ),
    less(
        "rule 9: a removed member's key stays",
        "log",
        "self.removed_keys.add(self.members.pop(subject).sign)",
        "self.members.pop(subject)",
        "mustFail.log",
    ),
    less(
        "rule 9: a leader's replaced key stays",
        "log",
        "self.removed_keys.add(known.sign)",
        "pass",
        "mustFail.log",
    ),
    less(
        "rule 9: a replaced recovery key stays",
        "log",
        "self.removed_keys.add(self.recovery_keys.sign)",
        "pass",
        "mustFail.log",
    ),
    never(
        "rule 10: a pack added twice",
        "log",
        "any(record.pack in self.packs for record in packs)",
        "mustFail.log",
    ),
    never("rule 10: retired already, or not", "log", "state.retired == retired", "mustFail.log"),
    less(
        "rule 11: what is set aside",
        "log",
        "if not all(1 < sequence <= self.sequence for sequence in sequences):",
        "if False:",
        "mustFail.log",
    ),
    less(
        "rule 11: format",
        "log",
        "raise EntryRefused(Reason.NEWER_FORMAT if version > FORMAT else Reason.WRONG_SUBJECT)",
        "pass",
        "mustFail.log",
    ),
    never("rule 11: rewound", "log", "sequence <= self.sequence", "mustFail.log"),
    # Bodies
    less(
        "an inline body's limit",
        "bodies",
        "if len(data) > MAX_INLINE_BYTES or len(plaintext)",
        "if len(plaintext)",
        "mustFail.bodies",
    ),
    less(
        "a body's padded length",
        "bodies",
        " or len(plaintext) != _padded(len(data))",
        "",
        "mustFail.bodies",
    ),
    never(
        "a body's padding",
        "bodies",
        "any(reader.take(reader.left))",
        "mustFail.bodies",
    ),
    less(
        "a stored body's size",
        "bodies",
        "self.size <= MAX_INLINE_BYTES or ",
        "",
        "mustFail.bodies",
    ),
    less(
        "the number of references",
        "bodies",
        " or len(self.chunks) != chunk_count(self.size)",
        "",
        "mustFail.bodies",
    ),
    never(
        "a stored change of 64 MiB",
        "bodies",
        "isinstance(entry.clear, Change) and stored.size > MAX_CHANGE_BYTES",
        "mustFail.bodies",
    ),
    never(
        "references to the entry's packs",
        "bodies",
        "not added.issuperset(chunk.pack for chunk in stored.chunks)",
        "mustFail.bodies",
    ),
    less(
        "an unknown form",
        "bodies",
        'raise Malformed("the body\'s form is unknown")',
        "return data",
        "mustFail.bodies",
    ),
    less(
        "a stored chunk's place",
        "packs",
        "if len(sealed) != record.stored + TAG_BYTES:",
        "if False:",
        "mustFail.storedBodies",
    ),
    # Changes
    never("a change of 64 MiB", "changes", "len(data) > MAX_CHANGE_BYTES", "mustFail.changes"),
    never("20,000 operations", "changes", "count > MAX_OPERATIONS", "mustFail.changes"),
    less(
        "20,000 operations are allowed",
        "changes",
        "MAX_OPERATIONS = 20_000",
        "MAX_OPERATIONS = 19_999",
        "changes",
    ),
    less(
        "the smallest operation",
        "changes",
        "_SMALLEST_OPERATION = 1 + 2 + 1",
        "_SMALLEST_OPERATION = 1 + 2 + 2",
        "changes",
    ),
    less(
        "the smallest version",
        "changes",
        "_SMALLEST_VERSION = 2 + 1 + _VERSION_FIELDS.size + 1",
        "_SMALLEST_VERSION = 2 + 2 + _VERSION_FIELDS.size + 1",
        "checkpoints",
    ),
    never("a put of nothing", "changes", "item is None", "mustFail.changes"),
    never(
        "a move into itself",
        "changes",
        'f"{self.target}/".startswith(f"{self.source}/")',
        "mustFail.changes",
    ),
    less(
        "NUL in the space's name",
        "changes",
        'if "\\0" in self.name:\n            raise Malformed("the space\'s name holds a zero")\n'
        "\n\nOperation",
        "pass\n\n\nOperation",
        "mustFail.changes",
    ),
    less(
        "NUL in a checkpoint's name",
        "changes",
        'if "\\0" in self.name:\n            raise Malformed("the space\'s name holds a zero")\n'
        "        places",
        "places",
        "mustFail.checkpoints",
    ),
    never("the version of a body", "changes", "reader.u8() != _VERSION", "mustFail.changes"),
    less(
        "the end of a change",
        "changes",
        "        reader.end()\n        return cls(packs, operations)",
        "        return cls(packs, operations)",
        "mustFail.changes",
    ),
    never(
        "a pack described twice",
        "changes",
        "len({contents.pack for contents in packs}) != len(packs)",
        "mustFail.changes",
        "mustFail.checkpoints",
    ),
    less(
        "contents of foreign packs",
        "changes",
        "if length is None:\n            raise",
        "if length is None:\n            continue\n            raise",
        "mustFail.changes",
        "mustFail.checkpoints",
    ),
    less(
        "a described pack without chunks",
        "changes",
        "if not contents.chunks or packed_bytes",
        "if packed_bytes",
        "mustFail.changes",
    ),
    less(
        "contents larger than the pack",
        "changes",
        " or packed_bytes(contents.chunks) > length",
        "",
        "mustFail.changes",
    ),
    # Items and paths
    never("flags of a file", "files", "flags & ~(_EXECUTABLE | _PRIVATE)", "mustFail.changes"),
    never("flags of a folder", "files", "flags & ~_PRIVATE", "mustFail.changes"),
    less(
        "private files",
        "files",
        "bool(flags & _EXECUTABLE), chunks, bool(flags & _PRIVATE)",
        "bool(flags & _EXECUTABLE), chunks",
        "rescue",
    ),
    less(
        "private folders",
        "files",
        "return cls(modified, bool(flags))",
        "return cls(modified)",
        "rescue",
    ),
    never("NUL in a link's target", "files", '"\\0" in self.target', "mustFail.changes"),
    less("NUL in a path", "files", '"\\0" in path\n        or ', "", "mustFail.changes"),
    less(
        "names that are none",
        "files",
        "or not _NO_NAMES.isdisjoint(names)\n",
        "\n",
        "mustFail.changes",
    ),
    less("a depth of 100", "files", "or len(names) > MAX_DEPTH\n", "\n", "mustFail.changes"),
    less("100 are allowed", "files", "MAX_DEPTH = 100", "MAX_DEPTH = 99", "changes"),
    less(
        "names of 255 bytes",
        "files",
        "or max(len(name.encode()) for name in names) > MAX_NAME_BYTES\n",
        "\n",
        "mustFail.changes",
    ),
    less(
        "names are counted in bytes",
        "files",
        "max(len(name.encode()) for name in names)",
        "max(len(name) for name in names)",
        "mustFail.changes",
    ),
    less(
        "names of 255 bytes are allowed",
        "files",
        "MAX_NAME_BYTES = 255",
        "MAX_NAME_BYTES = 254",
        "changes",
    ),
    less(
        "the length of a path",
        "files",
        "return check_path(reader.text(MAX_PATH_BYTES))",
        "return check_path(reader.text(65535))",
        "mustFail.changes",
    ),
    # Checkpoints
    never(
        "the order of versions",
        "changes",
        "any(one > other for one, other in pairwise(places))",
        "mustFail.checkpoints",
    ),
    never("flags of a version", "changes", "flags > _CONFLICT", "mustFail.checkpoints"),
    less(
        "the end of a checkpoint",
        "changes",
        "        reader.end()\n        return cls(name, packs, versions)",
        "        return cls(name, packs, versions)",
        "mustFail.checkpoints",
    ),
    less(
        "the packs of a checkpoint",
        "replay",
        "check_contents(body.packs, before)",
        "pass",
        "mustFail.checkpoints",
    ),
    less(
        "packs that come later",
        "replay",
        " if pack.sequence < sequence)",
        ")",
        "mustFail.checkpoints",
    ),
    less(
        "the sequences of a checkpoint",
        "replay",
        "if not all(0 < version.sequence < sequence for _, version in body.versions):",
        "if False:",
        "mustFail.checkpoints",
    ),
    less(
        "nothing lies below a file",
        "replay",
        "tree.check_folders()",
        "pass",
        "mustFail.checkpoints",
    ),
    # Replay
    less(
        "moved paths obey the limits",
        "tree",
        "return check_path(path)",
        "return path",
        "replays",
    ),
    never("a moved path's length", "tree", "len(path.encode()) > MAX_PATH_BYTES", "replays"),
    never("200,000 items moved", "tree", "self._moved > MAX_MOVED", "replays", is_slow=True),
    less(
        "a change is taken whole or not at all",
        "tree",
        "            self.name = name\n            for path in reversed(added):",
        "            for path in ():",
        "replays",
    ),
    less(
        "the name is taken back",
        "tree",
        "            self.name = name\n            for",
        "            for",
        "replays",
    ),
    less(
        "a put over a file above",
        "tree",
        "if above and not isinstance(above.item, Folder):",
        "if False:",
        "replays",
    ),
    less(
        "a put over what is below",
        "tree",
        "if not isinstance(item, Folder):",
        "if False:",
        "replays",
    ),
    less(
        "base 0 after a removal",
        "tree",
        "return version.sequence if version else 0",
        "versions = self.versions.get(path)\n"
        "        return versions[-1].sequence if versions else 0",
        "replays",
    ),
    # Segments
    never("magic of a segment", "segments", "reader.take(8) != _MAGIC", "mustFail.segments"),
    never(
        "version of a segment",
        "segments",
        "reader.u8() != _VERSION or reader.take(3) != _RESERVED",
        "mustFail.segments",
    ),
    never(
        "checksum of a segment",
        "segments",
        "hashlib.sha256(content).digest() != digest",
        "mustFail.segments",
    ),
    never("a body left out", "segments", "entry.body is None", "mustFail.segments"),
    less(
        "consecutive entries",
        "segments",
        "if [head.sequence for head in heads] != list(range(self.first, self.first + len(heads))):",
        "if False:",
        "mustFail.segments",
    ),
    less(
        "the header of a segment",
        "segments",
        "if (company, space, first, last) != (",
        "if False and () != (",
        "mustFail.segments",
    ),
    # Histories
    less(
        "only what the pair has signed is followed",
        "histories",
        "if branch.is_vouched or key in self.is_signed",
        "if True",
        "histories",
    ),
    less("the printed entry comes first", "histories", "not history.is_printed,", "", "histories"),
    less(
        "then what was not given up",
        "histories",
        "bool(abandoned) and any(entry.hash in abandoned for entry in history.entries),",
        "",
        "histories",
    ),
    less(
        "single grants where no copy has all",
        "histories",
        "branch.grants.setdefault(state.sequence, tuple(others))",
        "pass",
        "histories",
    ),
    less("then the leader's entries", "histories", "-history.by_leader,", "", "histories"),
    less("then the number of copies", "histories", "-len(history.copies),", "", "histories"),
    less("then the length", "histories", "-len(history.entries),", "", "histories"),
    less(
        "then the hash",
        "histories",
        "history.entries[-1].hash,\n",
        "tuple(-x for x in history.entries[-1].hash),\n",
        "histories",
    ),
    less(
        "grants are compared",
        "histories",
        "state.check_grants(entry, grants)",
        "pass",
        "histories",
    ),
    less("liars are named", "histories", "self.result.liars |= offering", "pass", "histories"),
    less(
        "the keyring is compared",
        "histories",
        "state.check_keyring(keyring)",
        "pass",
        "histories",
    ),
    less(
        "an older grant is tried",
        "histories",
        "except (NotAuthentic, Malformed, EntryRefused):\n                    continue",
        "except (NotAuthentic, Malformed, EntryRefused):\n                    return None",
        "histories",
    ),
    less(
        "the last grant comes first",
        "histories",
        "for sequence in sorted(self.grants, reverse=True):",
        "for sequence in sorted(self.grants):",
        "histories",
    ),
    less(
        "a replaced pair reads up to its replacement",
        "histories",
        "readable, state = branch.replaced or (len(branch.entries), branch.state)",
        "readable, state = len(branch.entries), branch.state",
        "histories",
    ),
    less(
        "histories that part after the replacement are one",
        "histories",
        "return list(best.values())",
        "return histories",
        "histories",
    ),
    # Shares
    less(
        "the version in a link",
        "shares",
        'r"1(p?)',
        'r"[0-9](p?)',
        "mustFail.shareLinks",
    ),
    less(
        "a link with somebody's name",
        "shares",
        r"[^\s/?#@\\]+",
        r"[^\s/?#\\]+",
        "mustFail.shareLinks",
    ),
    less("whether there is a password", "shares", "context = flag + ", "context = ", "shares"),
    less(
        "the hash of a manifest",
        "shares",
        "if not hmac.compare_digest(manifest_hash(sealed), expected_hash):",
        "if False:",
        "mustFail.manifests",
    ),
    less(
        "what a manifest is sealed for",
        "shares",
        "return u8(_VERSION) + self.company.bytes + self.share.bytes",
        "return u8(_VERSION)",
        "shares",
    ),
    never("the version of a manifest", "padded", "reader.u8() != _VERSION", "mustFail.manifests"),
    less(
        "the padded length of a manifest",
        "padded",
        " or len(plaintext) != _padded(len(data))",
        "",
        "mustFail.manifests",
    ),
    never(
        "the padding of a manifest",
        "padded",
        "any(reader.take(reader.left))",
        "mustFail.manifests",
    ),
    never("a share of nothing", "shares", "not self.items", "mustFail.manifests"),
    never(
        "the order of a share's packs",
        "shares",
        "[record.pack for record in self.records] != [contents.pack for contents in self.packs]",
        "mustFail.manifests",
    ),
    less(
        "what a share's packs hold",
        "shares",
        "check_contents(self.packs, self.records)",
        "pass",
        "mustFail.manifests",
    ),
    never(
        "the order of a share's items",
        "shares",
        "any(one.encode() >= other.encode() for (one, _), (other, _) in pairwise(self.items))",
        "mustFail.manifests",
    ),
    less(
        "each path of a share once",
        "shares",
        "one.encode() >= ",
        "one.encode() > ",
        "mustFail.manifests",
    ),
    never(
        "a shared file is no folder",
        "shares",
        "any(parent in files for path, _ in self.items for parent in _parents(path))",
        "mustFail.manifests",
    ),
    less(
        "a shared file far above",
        "shares",
        "while at >= 0:\n        yield",
        "if at >= 0:\n        yield",
        "mustFail.manifests",
    ),
    never(
        "a chunk of a share twice",
        "shares",
        "len(lengths) != len(chunks)",
        "mustFail.manifests",
    ),
    less(
        "the chunks of a shared file",
        "shares",
        "lengths.get(chunk) != chunk_length(item.size, number)",
        "chunk not in lengths",
        "mustFail.manifests",
    ),
    never(
        "links in a share", "shares", "not isinstance(item, File | Folder)", "mustFail.manifests"
    ),
    less(
        "a share's packs are its own",
        "shares",
        "return PackName(self.share, SHARE_GENERATION, pack)",
        "return PackName(self.company, SHARE_GENERATION, pack)",
        "shares",
    ),
    # Requests
    less(
        "the version in a request's link",
        "requests",
        'r"1\\.(',
        'r"[0-9]\\.(',
        "mustFail.requestLinks",
    ),
    less(
        "a request's link with somebody's name",
        "requests",
        r"[^\s/?#@\\]+",
        r"[^\s/?#\\]+",
        "mustFail.requestLinks",
    ),
    less(
        "whose keys a request has",
        "requests",
        "if not hmac.compare_digest(digest, link.keys_hash):",
        "if False:",
        "mustFail.requestKeys",
    ),
    less(
        "who asks for files",
        "requests",
        "keys.verify(data[-SIGNATURE_BYTES:], self._signed(content))",
        "pass",
        "mustFail.requestDetails",
    ),
    less(
        "what a request's details are signed for",
        "requests",
        "return _DETAILS_LABEL + self._associated + content",
        "return _DETAILS_LABEL + content",
        "requests",
        "mustFail.requestDetails",
    ),
    never(
        "how much is asked for",
        "requests",
        "not 1 <= self.max_files <= MAX_FILES or not 1 <= self.max_bytes <= MAX_BYTES",
        "mustFail.requestDetails",
    ),
    less(
        "the folder of a request",
        "requests",
        "return check_path(path) if path else path",
        "return path",
        "mustFail.requestFolders",
    ),
    less(
        "the suite of an upload",
        "requests",
        " or sealed_key[0] != SUITE",
        "",
        "mustFail.uploads",
    ),
    less(
        "the length of an upload's key",
        "requests",
        "len(sealed_key) != UPLOAD_KEY_BYTES or ",
        "",
        "mustFail.uploads",
    ),
    less(
        "what an upload is sealed for",
        "requests",
        "+ request.bytes + upload.bytes\n\n\ndef _check",
        "\n\n\ndef _check",
        "requests",
        "mustFail.uploads",
    ),
    less(
        "which request an upload's contents are for",
        "requests",
        "context = company.bytes + request.bytes + upload.bytes",
        "context = company.bytes",
        "requests",
        "mustFail.uploads",
    ),
    never("an upload that expires", "requests", "found.expires", "mustFail.uploads"),
    # Names
    less(
        "the folder of a shard",
        "objects",
        "pack.startswith(prefix) and ",
        "",
        "mustFail.objectNames",
    ),
    less(
        "the index in a shard's name",
        "objects",
        " and int(index) < MAX_SHARDS",
        "",
        "mustFail.objectNames",
    ),
]


class _Changed(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Loads one module of the product from another text."""

    def __init__(self, module: str, source: str) -> None:
        self.name, self.source = f"tessera_core.{module}", source

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        del path, target
        if fullname != self.name:
            return None
        return importlib.machinery.ModuleSpec(fullname, self, origin="changed")

    def get_source(self, fullname: str) -> str:
        del fullname
        return self.source


@contextmanager
def changed_product(module: str, source: str) -> Iterator[ModuleType]:
    """A second copy of the product with this module changed, and the checks of vectors for it."""
    package = sys.modules["core.tests"]
    own = {
        name: found
        for name, found in sys.modules.items()
        if name in {RUNNER, "tessera_core"} or name.startswith("tessera_core.")
    }
    finder = _Changed(module, source)
    for name in own:
        del sys.modules[name]
    sys.meta_path.insert(0, finder)
    try:
        yield importlib.import_module(RUNNER)
    finally:
        sys.meta_path.remove(finder)
        for name in [*sys.modules]:
            if name == RUNNER or name.split(".")[0] == "tessera_core":
                del sys.modules[name]
        sys.modules.update(own)
        vars(package)["vector_checks"] = vector_checks


def is_noticed(removed: Removed) -> bool:
    source = (SOURCES / f"{removed.module}.py").read_text("utf-8")
    assert source.count(removed.line) == 1, f"{removed.line!r} is not one place of {removed.module}"
    with changed_product(removed.module, source.replace(removed.line, removed.without)) as checks:
        for group in removed.groups:
            for vector in checks.vectors_of(group):
                is_slow = isinstance(vector, dict) and bool(vector.get("slow"))
                if is_slow != removed.is_slow:
                    continue
                try:
                    checks.check(group, vector)
                except BROKEN:
                    raise
                except Exception:  # noqa: BLE001 - a vector that fails in any way has noticed
                    return True
    return False


@pytest.mark.parametrize("removed", CHECKS, ids=lambda removed: f"{removed.module}: {removed.what}")
def test_a_vector_notices_that_a_check_is_missing(removed: Removed) -> None:
    assert is_noticed(removed)


def test_nothing_is_noticed_while_all_checks_are_there() -> None:
    """The harness itself: a copy whose text is unchanged passes."""
    groups = ("mustFail.entries", "mustFail.changes", "shardSets", "histories")
    assert not is_noticed(Removed("nothing", "log", "import secrets", "import secrets", groups))
