"""Checks that the client and the core make, each with a way to leave it out and what finds that."""

import inspect
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from types import FunctionType
from typing import Any

from tessera_client.transfer.upload import Placement
from tessera_client.vault import (
    kit,
    log_reader,
    members,
    membership,
    prune,
    recovery_pair,
    retired,
    verify,
)
from tessera_client.vault.account import Account
from tessera_client.vault.company_login import CompanyLogin, ConfirmedLogin
from tessera_client.vault.restore import Restorer
from tessera_client.vault.snapshot import Snapshot
from tessera_client.vault.spaces import Space
from tessera_client.vault.vault import Vault
from tessera_core import bodies, changes, files, histories, recovery_records, replay, tree
from tessera_core.handovers import RecoveryHandover
from tessera_core.key_envelopes import KeyBundle, RecordPin, SpacePin
from tessera_core.log import LogState
from tessera_core.recovery_records import RecoveryRecord


@dataclass(frozen=True)
class Mutation:
    """A check that is left out: `old` in the source of `target` becomes `new`."""

    name: str
    target: Any
    old: str
    new: str
    found_by: str
    """The move that fails then."""

    @contextmanager
    def applied(self) -> Iterator[None]:
        function = _function(self.target)
        source = textwrap.dedent(inspect.getsource(function))
        assert source.count(self.old) == 1, f"{self.name}: {self.old!r} is not in the source once"
        namespace: dict[str, Any] = {}
        code = compile(source.replace(self.old, self.new), inspect.getfile(function), "exec")
        exec(code, function.__globals__, namespace)
        (made,) = namespace.values()
        before = function.__code__
        # Whoever has imported the function runs the changed code too.
        function.__code__ = _function(made).__code__
        try:
            yield
        finally:
            function.__code__ = before


def _function(target: Any) -> FunctionType:
    match target:
        case property():
            return _function(target.fget)
        case cached_property():
            return _function(target.func)
        case classmethod() | staticmethod():
            return _function(target.__func__)
    if inspect.ismethod(target):
        return _function(target.__func__)
    wrapped: Callable[..., Any] = inspect.unwrap(target)
    assert isinstance(wrapped, FunctionType)
    return wrapped


_records = recovery_pair.RecoveryPair.__dict__["records"]
_newest = recovery_pair.RecoveryPair.__dict__["newest"]

MUTATIONS = [
    # The recovery record
    Mutation(
        "record signed by the leader", RecoveryRecord.verify_leader,
        "    keys.verify(self.leader_signature, self.statement)", "    pass",
        "record_moves.record_added_by_the_service",
    ),
    Mutation(
        "record names the leader's own keys", RecoveryRecord.verify_leader,
        "if keys.fingerprint != self.fingerprint:", "if False:",
        "record_moves.record_added_by_the_service",
    ),
    Mutation(
        "record checked by everybody who uses it", _newest,
        "self._check_leader(record)", "pass",
        "record_moves.record_added_by_the_service",
    ),
    Mutation(
        "record signed by its pair", recovery_records.check_records,
        "record.keys.verify(record.pair_signature, record.statement)", "pass",
        "record_moves.record_added_by_the_service",
    ),
    Mutation(
        "record signed by the pair before", recovery_records.check_records,
        "before.keys.verify(record.previous_signature, record.statement)", "pass",
        "record_moves.record_added_by_the_service",
    ),
    Mutation(
        "record pinned", RecordPin.check, "if not any(", "if () and not any(",
        "record_moves.record_swapped_with_stolen_keys",
    ),
    Mutation(
        "no record where there is a space or a kit", _records,
        "if not records and (", "if False and (",
        "record_moves.record_withheld",
    ),
    Mutation(
        "no pair made where there are spaces", recovery_pair.RecoveryPair._make,
        'if self._account.api.get("/storage/spaces", list[SpaceRow]):', "if False:",
        "record_moves.record_withheld_from_a_new_device",
    ),
    Mutation(
        "handover signed", RecoveryHandover._open,
        "self.verify(sender_keys, company=company)", "pass",
        "record_moves.handover_forged",
    ),
    Mutation(
        "handover of the pair that the record names", recovery_pair.RecoveryPair.take_handover,
        "if record is None or pair.public != record.keys:", "if False:",
        "record_moves.handover_forged",
    ),
    Mutation(
        "kit opened before it counts", kit.make_kit,
        "if open_kit(vault, passphrase, code) != pair:", "if False:",
        "pair_moves.kit_swapped",
    ),
    Mutation(
        "former pair makes a space read-only", Space.check_writable,
        "if self.state.recovery_keys != record.keys:", "if False:",
        "pair_moves.leadership_changes",
    ),
    Mutation(
        "present leader compared before anybody writes", Space.check_writable,
        "if not is_current_leader_trusted(self.account, self.snapshot):", "if False:",
        "pair_moves.device_of_the_leader_lost",
    ),
    # The log
    Mutation(
        "generations and other leader's entries", LogState._check_author,
        "if is_leaders and author not in (self.leader, RECOVERY):", "if False:",
        "entry_moves.generation_by_a_member",
    ),
    Mutation(
        "entries signed", LogState._check_author,
        "keys.verify(entry.signature, entry.statement)", "pass",
        "log_moves.entry_injected",
    ),
    Mutation(
        "recovery pair names leaders only", LogState._check_author,
        "keys = self.recovery_keys if isinstance(clear, LeaderChanged) else None",
        "keys = self.recovery_keys",
        "record_moves.entries_by_the_recovery_pair",
    ),
    Mutation(
        "removed keys in the log", LogState._check_unused,
        "if keys.sign in self.removed_keys:", "if False:",
        "account_moves.old_id_and_keys_again",
    ),
    Mutation(
        "removed keys pinned", members.check_words,
        "if keys.fingerprint in account.bundle.removed:", "if False:",
        "account_moves.old_id_and_keys_again",
    ),
    Mutation(
        "removal together with its generation", membership._append_with_generation,
        "if batch.state.awaiting_generation:", "if False:",
        "honest_moves.revoke_the_hostile_member",
    ),
    Mutation(
        "nothing written while a generation is awaited", Space.check_writable,
        "if self.state.awaiting_generation:", "if False:",
        "log_moves.generation_cut_off",
    ),
    Mutation(
        "leader vouches for the log", log_reader.check_leader,
        "if snapshot.is_vouched or", "if True or",
        "log_moves.space_of_the_services",
    ),
    Mutation(
        "end of the log pinned", SpacePin.check_end,
        "if state.sequence < self.sequence:", "if False:",
        "log_moves.log_rolled_back_for_a_new_device",
    ),
    Mutation(
        "entry pinned by its hash", SpacePin.check,
        "if sequence == self.sequence and entry.hash != self.hash:", "if False:",
        "log_moves.log_forked_for_a_new_device",
    ),
    Mutation(
        "head as the log says", log_reader._read_pages,
        "if page.head != state.head:", "if False:",
        "log_moves.log_forked",
    ),
    # Grants
    Mutation(
        "hash of grants", log_reader._check_hash,
        "hash_digests(row.digests) == expected", "True",
        "grant_moves.grant_swapped",
    ),
    Mutation(
        "grant of the newest entry", log_reader.open_keyring,
        "if row.sequence != expected.sequence:", "if False:",
        "grant_moves.grant_swapped",
    ),
    Mutation(
        "commitments", LogState.check_keyring,
        "if keyring.commitment(self.space, generation) != self.commitments[generation - 1]:",
        "if False:",
        "grant_moves.grant_of_another_keyring",
    ),
    Mutation(
        "own grant opened before it is sent", membership.add_generation,
        "_check_own(space, grants, keyring)", "pass",
        "grant_moves.own_grant_to_nobody",
    ),
    # Keys and pins
    Mutation(
        "revision of the envelope", Account._load_keys,
        "if revision < self.profile.keys_revision:", "if False:",
        "account_moves.envelope_rolled_back",
    ),
    Mutation(
        "revision inside the envelope", Account._load_keys,
        "bundle, revision = self._open(stored.envelope)",
        "bundle, revision = self._open(stored.envelope)[0], stored.revision",
        "account_moves.envelope_rolled_back",
    ),
    Mutation(
        "own public keys", Account._load_keys,
        "if bundle.keys.public.encode() != stored.public_keys:", "if False:",
        "account_moves.public_keys_swapped",
    ),
    Mutation(
        "reset only with the user's word", Account._seal_again,
        "if is_known and not self._reset_confirmed:", "if False:",
        "account_moves.reset_pretended",
    ),
    Mutation(
        "pins kept after a reset", Account._seal_again,
        "replace(load_pins(self._pins_folder, keys), pairs=pairs)", "KeyBundle(keys, pairs=pairs)",
        "account_moves.reset_that_the_user_confirms",
    ),
    Mutation(
        "pins of this computer", Account._load_keys,
        "_merge(bundle, load_pins(self._pins_folder, bundle.keys))", "bundle",
        "account_moves.pins_outlive_the_index",
    ),
    Mutation(
        "pins merge upwards", KeyBundle.merge,
        "if (known_rewind.count, known.sequence) <= (rewind.count, pin.sequence):", "if True:",
        "account_moves.pins_outlive_the_index",
    ),
    Mutation(
        "hidden space", Vault._shown_and_hidden,
        "hidden = self.account.bundle.spaces.keys() - {row.id for row in rows}",
        "hidden = set()",
        "log_moves.space_hidden",
    ),
    Mutation(
        "denied membership", Vault._shown_and_hidden,
        "{row.id for row in rows}", "{row.id for row in self._all_rows()}",
        "log_moves.membership_denied",
    ),
    Mutation(
        "words", members.check_words,
        "if typed != words_for(keys, account.company, member.user):", "if False:",
        "account_moves.public_keys_swapped",
    ),
    # Bodies
    Mutation(
        "bodies that do not open", Snapshot.replay,
        "self._skip(entry, Verdict.NOT_OPENED, error)", "raise",
        "body_moves.body_random",
    ),
    Mutation(
        "bodies that make no sense", Snapshot.replay,
        "self._skip(entry, Verdict.MALFORMED, error)", "raise",
        "body_moves.body_empty",
    ),
    Mutation(
        "bodies that the leader sets aside", Snapshot.replay,
        "if entry.head.sequence in self.state.set_aside:", "if False:",
        "body_moves.body_that_is_missing",
    ),
    Mutation(
        "bodies that are missing", Snapshot.replay,
        "                raise\n            self._skip(entry, Verdict.MISSING, error)",
        "                raise\n            self._skip(entry, Verdict.MALFORMED, error)",
        "body_moves.body_that_is_missing",
    ),
    Mutation(
        "prune waits for missing bodies", prune.plan_prune,
        "if space.snapshot.is_provisional:", "if False:",
        "body_moves.body_that_is_missing",
    ),
    Mutation(
        "version of a body", changes._open,
        "if reader.u8() != _VERSION:", "if reader.u8() is None:",
        "body_moves.body_unknown_version",
    ),
    Mutation(
        "body in packs of its own entry", bodies.open_body,
        "if not added.issuperset(chunk.pack for chunk in stored.chunks):", "if False:",
        "body_moves.body_in_a_foreign_pack",
    ),
    Mutation(
        "refused change leaves nothing", tree.Tree.apply,
        "for path in reversed(added):", "for path in ():",
        "body_moves.move_bomb",
    ),
    # Bounds
    Mutation(
        "depth of paths", files.check_path, "or len(names) > MAX_DEPTH", "",
        "body_moves.body_2000_folders",
    ),
    Mutation(
        "depth after moves", tree._check_moved, "return check_path(path)", "return path",
        "body_moves.too_deep_by_a_move",
    ),
    Mutation(
        "length of names", files.check_path,
        "or max(len(name.encode()) for name in names) > MAX_NAME_BYTES", "",
        "body_moves.body_long_name",
    ),
    Mutation(
        "zeros in names", files.check_path, r'"\0" in path', "False",
        "body_moves.body_name_with_a_zero",
    ),
    Mutation(
        "zeros in links", files.Link.__post_init__, r'if "\0" in self.target:', "if False:",
        "body_moves.body_link_to_a_zero",
    ),
    Mutation(
        "zeros in the space's name", changes.NameSpace.__post_init__,
        r'if "\0" in self.name:', "if False:",
        "body_moves.body_space_name_with_a_zero",
    ),
    Mutation(
        "items that moves touch", tree.Tree._apply,
        "if self._moved > MAX_MOVED:", "if False:",
        "body_moves.move_bomb",
    ),
    Mutation(
        "number of operations", changes.ChangeBody.decode,
        "if count > MAX_OPERATIONS:", "if False:",
        "body_moves.too_many_operations",
    ),
    # Contents
    Mutation(
        "contents of the entry's own packs", changes.check_contents,
        "lengths.get(contents.pack)", "lengths.get(contents.pack, 10**9)",
        "pack_moves.contents_of_a_foreign_pack",
    ),
    Mutation(
        "contents that fit", changes.check_contents,
        "packed_bytes(contents.chunks) > length", "False",
        "pack_moves.contents_too_large",
    ),
    Mutation(
        "contents checked at all", replay.apply_change,
        "body.check_packs(entry.clear.packs)", "pass",
        "pack_moves.contents_too_large",
    ),
    Mutation(
        "files as long as their chunks", Restorer._chunks,
        "if place.chunk.length == length", "if True",
        "pack_moves.file_larger_than_its_chunks",
    ),
    Mutation(
        "deduplication against own packs", Space.trusted_chunks,
        "state.signer == signer", "True",
        "pack_moves.claim_of_chunks_that_nothing_holds",
    ),
    Mutation(
        "unchanged files", Space.surely_holds,
        "return isinstance(item, File) and self._trusted.keys() >= {*item.chunks}", "return True",
        "pack_moves.file_said_to_be_unchanged",
    ),
    Mutation(
        "packs that prune keeps", retired.needed_packs,
        "if any(chunk.id in named for chunk in contents.chunks)",
        "if any(chunk.id in named and [other for other, listed in tree.packs.items()"
        " if chunk in listed.chunks][-1] == pack for chunk in contents.chunks)",
        "pack_moves.prune_after_a_claim",
    ),
    Mutation(
        "full check opens chunks", verify.Check._open_chunks,
        "self.false.add(pack)", "self._readable.add(chunk.id)",
        "pack_moves.file_whose_pack_holds_something_else",
    ),
    # Transfers
    Mutation(
        "placement", Placement.checked,
        "if not MIN_WAREHOUSES <= n <= MAX_SHARDS or coding_for(n, n).k != k:", "if False:",
        "transfer_moves.placement_changed",
    ),
    # Logins
    Mutation(
        "company login confirmed for the own address", CompanyLogin._confirmed,
        "if state.email_address.casefold() != self.email.casefold():", "if False:",
        "login_moves.company_login_that_somebody_else_confirmed",
    ),
    Mutation(
        "salt of a company login", ConfirmedLogin.finish,
        "check_salt(folder, api, email, salt)", "pass",
        "login_moves.company_login_with_another_salt",
    ),
    # Rescue
    Mutation(
        "histories with more of the leader's entries", histories._Search._rank,
        "-history.by_leader,", "-len(history.entries),",
        "copies_moves.rescue_with_a_longer_history_of_a_removed_member",
    ),
    Mutation(
        "hash of grants in copies", histories._Search._take_grants,
        "state.check_grants(entry, grants)", "pass",
        "copies_moves.rescue_with_false_grants",
    ),
]  # fmt: skip
