"""A space: its log as far as it was read, and what is appended to it."""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import NamedTuple
from uuid import UUID

from tessera_client.errors import ClientError, NeedsInput, Refused
from tessera_client.texts import translate
from tessera_client.transfer.answers import Unread
from tessera_client.transfer.api import ApiError
from tessera_client.transfer.download import ChunkReader, PackSource
from tessera_client.transfer.links import Warehouses
from tessera_client.vault.account import Account
from tessera_client.vault.contents import Contents
from tessera_client.vault.index import Index
from tessera_client.vault.log_reader import (
    check_leader,
    is_current_leader_trusted,
    load_bodies,
    open_keyring,
    read_entries,
)
from tessera_client.vault.origins import Origins
from tessera_client.vault.recovery_pair import RecoveryPair
from tessera_client.vault.restored_service import bring_back
from tessera_client.vault.rewinds import follow_rewind
from tessera_client.vault.snapshot import (
    ChunkPlaces,
    SkippedBody,
    Snapshot,
    Verdict,
    all_bodies,
)
from tessera_core import base64url
from tessera_core.bodies import StoredBody, seal_body
from tessera_core.entries import Change, Checkpoint, Clear, Entry, SetAside, sign_entry
from tessera_core.files import File, Item
from tessera_core.grants import RECOVERY, Grant
from tessera_core.key_envelopes import RewindPin, SpacePin
from tessera_core.keyring import Keyring
from tessera_core.log import LogState, Reason, Rewind
from tessera_core.segments import SegmentEntry
from tessera_core.tree import Tree
from tessera_core.user_keys import PrivateKeys, PublicKeys

GRANTS_PER_CALL = 200
# Of a log that grew by more than this, bodies are read from its last checkpoint on.
MANY_BODIES = 2048

_MAX_ATTEMPTS = 20


@dataclass(frozen=True)
class Body:
    """The content of a change or checkpoint, and where it is stored if it is too long."""

    content: bytes
    stored: StoredBody | None = None


class Draft(NamedTuple):
    """What is to be appended."""

    clear: Clear
    body: Body | None = None


class GenerationChanged(Exception):
    """The space got new keys while packs were made for the old ones."""


@dataclass
class Batch:
    """Entries that are appended together or not at all."""

    state: LogState
    """The log with the entries so far."""
    author: UUID
    keys: PrivateKeys
    entries: list[Entry] = field(default_factory=list)
    grants: list[tuple[bytes, Sequence[Grant]]] = field(default_factory=list)
    body: Body | None = None
    """What the entries' body says."""

    def add(
        self,
        clear: Clear,
        grants: Sequence[Grant] = (),
        *,
        by_recovery: PrivateKeys | None = None,
        countersigner: PrivateKeys | None = None,
    ) -> None:
        author, keys = (RECOVERY, by_recovery) if by_recovery else (self.author, self.keys)
        head = self.state.next_head(clear, author, now())
        self.append(sign_entry(head, clear, keys, recovery_keys=countersigner), grants)

    def append(self, entry: Entry, grants: Sequence[Grant] = ()) -> None:
        self.state.append(entry)
        self.entries.append(entry)
        if grants:
            self.grants.append((entry.head.id, grants))


class Space:
    """One space's log, checked as far as it was read, and the keys that open it."""

    def __init__(
        self,
        account: Account,
        recovery: RecoveryPair,
        index: Index,
        warehouses: Warehouses,
        space: UUID,
    ) -> None:
        self.account = account
        self.recovery = recovery
        self._index = index
        self._warehouses = warehouses
        self.snapshot = index.load(account.company, space)
        self._seen_ids: set[bytes] = set()
        self._opened_by: PrivateKeys | None = None
        """The recovery pair, while it takes the place of keys that are lost."""
        self.brought_back = 0
        """Entries that the service had lost, and has again from this computer."""
        self.followed: Rewind | None = None
        """Where the leader has given up what this computer had seen."""
        self.is_saved_at_once = True
        """Who keeps a space open for long saves it now and then: many files take their time."""
        self._trusted_at, self._trusted_now = -1, dict[bytes, bytes]()
        self._all_own_at, self._all_own_now = -1, False

    @property
    def id(self) -> UUID:
        return self.state.space

    @property
    def name(self) -> str:
        return self.snapshot.name

    @property
    def label(self) -> str:
        """What people see: its name, or its id if nothing names it."""
        return self.name or str(self.id)

    @property
    def state(self) -> LogState:
        return self.snapshot.state

    @property
    def tree(self) -> Tree:
        return self.snapshot.tree

    @property
    def contents(self) -> Contents:
        return self.snapshot.contents

    @cached_property
    def origins(self) -> Origins:
        return Origins(self._index, self.id)

    def is_known(self, folder: str, path: str, item: Item, local: str) -> bool:
        """Whether a local file was fetched from this version or stored as it; the path is below
        the folder."""
        return self.origins.is_version(self.tree, f"{folder}/{path}".strip("/"), item, local)

    def remember_fetched(self, folder: str, files: Iterable[tuple[str, Item, str]]) -> None:
        """Remembers which versions were written to this computer; paths are below the folder."""
        whole = ((f"{folder}/{path}".strip("/"), item, local) for path, item, local in files)
        self.origins.remember_fetched(self.tree, whole)

    @property
    def entries_since_checkpoint(self) -> int:
        return self.state.sequence - self.snapshot.checkpoint

    @property
    def is_led(self) -> bool:
        """Whether this user, with the present keys, leads the space."""
        state, account = self.state, self.account
        return (
            state.leader == account.user
            and state.members.get(account.user) == account.keys.public
        )  # fmt: skip

    @property
    def is_open(self) -> bool:
        """Whether the keys of the newest generation are known."""
        keyring = self.snapshot.keyring
        return keyring is not None and keyring.generation == self.state.generation

    @property
    def keyring(self) -> Keyring:
        keyring = self.snapshot.keyring
        assert keyring is not None, "sync opens the keyring"
        return keyring

    def hold_keyring(self, keyring: Keyring) -> None:
        """Keeps the keys of a generation that this client has just made."""
        self.snapshot.keyring = keyring
        self._index.save(self.snapshot)

    @property
    def _path(self) -> str:
        return f"/storage/spaces/{self.id}"

    # Reading

    def sync(self, *, opened_by: PrivateKeys | None = None) -> None:
        """Reads new entries. A log that does not extend what was seen is refused.

        `opened_by` is the recovery pair, where the user's own keys do not open the space.
        """
        self._opened_by = opened_by
        try:
            self._sync()
        except Refused as error:
            if not self._goes_on_after(error):
                raise
            self._sync()

    def _goes_on_after(self, error: Refused) -> bool:
        """Whether the leader has given up what was seen, or the service has back what it lost."""
        if error.code not in {"log_rolled_back", "entry_refused"}:
            return False
        if self.follow_rewind():
            return True
        return error.code == "log_rolled_back" and self.bring_back() is not None

    def bring_back(self) -> int | None:
        """Gives a service that was restored from a backup what it has lost. Returns how many
        entries came back: None if the service does not say so, or shows another history."""
        pin = self.account.bundle.spaces.get(self.id)
        seen = max(self.state.sequence, pin.sequence if pin else 0)
        count = bring_back(self.account, self._index, self.id, seen)
        self.brought_back += count or 0
        return count

    def follow_rewind(self, *, is_confirmed: bool = False) -> bool:
        """Goes on from what is left of the log, if its leader has given up the rest."""
        account = self.account
        self.followed = follow_rewind(
            account, self._index, self.snapshot, self._opened_by, is_confirmed=is_confirmed
        )
        if self.followed is not None:
            self.snapshot = Snapshot(LogState(account.company, self.id))
        return self.followed is not None

    def read_anew(self) -> "Space":
        """The whole log as the service has it now, whatever was seen of it before."""
        left = Space(self.account, self.recovery, self._index, self._warehouses, self.id)
        left.snapshot = Snapshot(LogState(self.account.company, self.id))
        left.is_saved_at_once = False
        left._read_on(is_pinned=False)
        return left

    def is_beginning_of(self, later: "Space") -> bool:
        """Whether what was seen later goes on from here, as far as this computer has kept it."""
        state, sequence = self.state, self.state.sequence
        entries = self._index.kept_entries(self.id, sequence)
        packs = {
            pack
            for pack, pack_state in later.state.packs.items()
            if pack_state.sequence <= sequence
        }
        return (
            self.snapshot.first == later.snapshot.first
            and state.commitments == later.state.commitments[: len(state.commitments)]
            and state.packs.keys() == packs
            and all(each.entry.head.previous == state.head for each in entries[:1])
        )

    def _sync(self) -> None:
        if self.snapshot.is_provisional:
            # What was missing may be there by now, and belongs before what followed.
            self.snapshot = Snapshot(LogState(self.account.company, self.id))
        if not self._read_on():
            self.snapshot = Snapshot(LogState(self.account.company, self.id))
            self._read_on()
        self._pin()

    def read_recovery_keys(self) -> PublicKeys | None:
        """Which recovery pair the log names, read without its bodies."""
        snapshot = self.snapshot.copy()
        read_entries(self.account, snapshot)
        return snapshot.state.recovery_keys

    def _read_on(self, *, is_pinned: bool = True) -> bool:
        """Returns False if the leader has set a body aside that was taken in before."""
        begun = self.state.sequence
        snapshot, entries = self.snapshot.copy(), list[Entry]()
        for _ in range(_MAX_ATTEMPTS):
            entries += read_entries(self.account, snapshot, is_pinned=is_pinned)
            check_leader(self.account, snapshot, self._opened_by)
            if open_keyring(self.account, snapshot, self._opened_by):
                break
        else:
            raise Refused.from_code("grant_refused")
        newly_set_aside = {
            sequence
            for entry in entries
            if isinstance(entry.clear, SetAside)
            for sequence in entry.clear.sequences
        }
        if any(snapshot.checkpoint < sequence <= begun for sequence in newly_set_aside):
            return False
        self._seen_ids.update(entry.head.id for entry in entries)
        whole = [SegmentEntry(entry) for entry in entries if entry.body is not None]
        self._index.keep_entries(self.id, whole)
        self.snapshot = snapshot
        self._replay(entries)
        if self.is_saved_at_once and (self.state.sequence > begun or self._opened_by):
            self.save()
        return True

    def _replay(self, entries: Sequence[Entry]) -> None:
        """Takes in bodies. Who knows the state before them reads them all, and compares
        checkpoints with it; others begin at the last checkpoint that makes sense."""
        snapshot, bodies = self.snapshot, list(all_bodies(entries))
        load, packs = partial(load_bodies, self.account, self.id), self.source()
        if (snapshot.name and len(bodies) <= MANY_BODIES) or not bodies:
            snapshot.replay(load(bodies), packs)
        else:
            self.snapshot = snapshot.replay_from_checkpoint(entries, packs, load)

    def _pin(self) -> None:
        state = self.state
        if state.sequence:
            pin = SpacePin(self.snapshot.first, state.sequence, state.head)
            abandoned = max((each.abandoned for each in state.rewinds), default=0)
            self.account.pin_space(state.space, pin, RewindPin(len(state.rewinds), abandoned))

    # Chunks

    def source(self) -> PackSource:
        return PackSource(self.account.api, self._warehouses, self.id, self.state.packs)

    def reader(self) -> ChunkReader:
        signer, packs = self.account.keys.public.sign, self.state.packs

        def remember(chunks: Sequence[tuple[bytes, bytes]]) -> None:
            """What this user has signed for is trusted anyway."""
            others = [each for each in chunks if packs[each[1]].signer != signer]
            self._index.add_compared(self.id, others)

        return ChunkReader(self.source(), self.keyring, on_compared=remember)

    def chunk_places(self) -> ChunkPlaces:
        return self.snapshot.chunk_places()

    def trusted_chunks(self) -> dict[bytes, bytes]:
        """Chunks that need not be stored again, with their packs: those that this user's present
        keys have signed for, or that this computer has fetched and compared. What anybody else
        lists is a claim."""
        signer = self.account.keys.public.sign
        trusted = {
            chunk.id: pack
            for pack, contents in self.tree.packs.items()
            if (state := self.state.packs.get(pack)) and state.signer == signer
            for chunk in contents.chunks
        }
        compared = self._index.compared(self.id)
        known = {
            chunk: pack for chunk, pack in compared.items() if pack in self.tree.packs
        }  # fmt: skip
        packs = self.state.packs
        return {chunk: pack for chunk, pack in (known | trusted).items() if not packs[pack].retired}

    def surely_holds(self, path: str) -> bool:
        """Whether all chunks of the file at a path need not be stored again."""
        if self._is_all_own:
            return True
        version = self.tree.current(path)
        item = version.item if version else None
        return isinstance(item, File) and self._trusted.keys() >= {*item.chunks}

    @property
    def _is_all_own(self) -> bool:
        """Whether this user's present keys have signed for everything; computed once for each state
        of the log, as what follows."""
        if self._all_own_at != self.state.sequence:
            signer = self.account.keys.public.sign
            self._all_own_now = all(pack.signer == signer for pack in self.state.packs.values())
            self._all_own_at = self.state.sequence
        return self._all_own_now

    @property
    def _trusted(self) -> dict[bytes, bytes]:
        if self._trusted_at != self.state.sequence:
            self._trusted_at, self._trusted_now = self.state.sequence, self.trusted_chunks()
        return self._trusted_now

    # Writing

    def check_writable(self) -> None:
        """Refuses to write what somebody could read who should not."""
        if not is_current_leader_trusted(self.account, self.snapshot):
            raise NeedsInput(translate("errors.new_leader"), code="leader_not_trusted")
        if self.state.awaiting_generation:
            raise NeedsInput.from_code("generation_awaited")
        record = self.recovery.newest
        if record is None:
            raise Refused.from_code("record_refused")
        if self.state.recovery_keys != record.keys:
            raise NeedsInput.from_code("recovery_outdated")

    def append(self, clear: Clear, *, body: Body | None = None) -> None:
        """Appends an entry that needs no grants, wherever the log ends by now."""
        self.append_change(lambda: Draft(clear, body))

    def append_change(self, make: Callable[[], Draft | None]) -> None:
        """`make` is asked again if somebody else was faster; None says that nothing is left to do.

        A sealed body is signed again and not sealed again, unless it or the generation has changed.
        """
        sealed, sealed_id, generation = b"", b"", 0
        sealed_body: Body | None = None

        def fill(batch: Batch) -> None:
            nonlocal sealed, sealed_body, sealed_id, generation
            self.check_writable()
            draft = make()
            if draft is None:
                return
            clear, body = draft
            batch.body = body
            # `make` may have appended something itself.
            batch.state = self.state.copy()
            head = batch.state.next_head(clear, self.account.user, now())
            if body is not None:
                if generation != head.generation or body is not sealed_body:
                    if (
                        generation not in {0, head.generation}
                        and isinstance(clear, Change | Checkpoint)
                        and clear.packs
                    ):
                        raise GenerationChanged
                    sealed_id, generation, sealed_body = head.id, head.generation, body
                    sealed = seal_body(body.stored or body.content, head, clear.kind, self.keyring)
                head = replace(head, id=sealed_id)
            batch.append(sign_entry(head, clear, self.account.keys, body=sealed))

        self.append_batch(fill)

    def append_batch(self, fill: Callable[[Batch], None]) -> None:
        """Appends what `fill` adds; it is asked again if somebody else was faster."""
        account = self.account
        for _ in range(_MAX_ATTEMPTS):
            batch = Batch(self.state.copy(), account.user, account.keys)
            fill(batch)
            if not batch.entries:
                return
            if self._send(batch):
                self._add_batch(batch)
                return
            if batch.entries[0].head.id in self._seen_ids:
                self._keep(batch)
                return
        raise ClientError.from_code("log_busy")

    def _send(self, batch: Batch) -> bool:
        """Returns False if the log has moved on; it was read again then."""
        api = self.account.api
        for entry_id, grants in batch.grants:
            for at in range(0, len(grants), GRANTS_PER_CALL):
                part = [
                    base64url.encode(each.encode()) for each in grants[at : at + GRANTS_PER_CALL]
                ]
                body = {"entryId": base64url.encode(entry_id), "grants": part}
                api.post(f"{self._path}/grants", Unread, body, repeat=True)
        entries = [base64url.encode(entry.encode()) for entry in batch.entries]
        try:
            api.post(f"{self._path}/log", Unread, {"entries": entries})
        except ApiError as error:
            if error.code != "log_moved_on":
                raise _explain(error) from None
            self.sync(opened_by=self._opened_by)
            return False
        except ClientError as error:
            if error.code != "unreachable":
                raise
            # The entries may have been stored although the answer was lost.
            self.sync(opened_by=self._opened_by)
            return False
        return True

    def _keep(self, batch: Batch) -> None:
        grants = {entry_id: tuple(grants) for entry_id, grants in batch.grants}
        self._index.keep_entries(
            self.id,
            [SegmentEntry(entry, grants.get(entry.head.id, ())) for entry in batch.entries],
        )

    def _add_batch(self, batch: Batch) -> None:
        if len(batch.state.rewinds) > len(self.state.rewinds):
            self._index.forget_after(self.id, self.state.sequence)
        self._keep(batch)
        self.snapshot.state = batch.state
        for entry in batch.entries:
            if batch.body:
                self.snapshot.apply(entry, batch.body.content)
            self._seen_ids.add(entry.head.id)
        # What this user signs as the leader vouches for the log before it.
        self.snapshot.is_vouched |= self.is_led
        if self.is_saved_at_once:
            self.save()
        self._pin()

    def save(self) -> None:
        self._index.save(self.snapshot)

    def add_genesis(self, batch: Batch) -> None:
        """Keeps the first entry, which the service has accepted."""
        self.snapshot.first, self.snapshot.is_vouched = batch.entries[0].hash, True
        self._add_batch(batch)

    def flush(self) -> None:
        """Waits until the log's newest entries lie in the warehouses."""
        self.account.api.post(f"{self._path}/log/flush", Unread, repeat=True)

    def missing_bodies(self) -> list[SkippedBody]:
        return [body for body in self.snapshot.skipped if body.verdict == Verdict.MISSING]


def now() -> int:
    """This computer's clock in milliseconds."""
    return int(time.time() * 1000)


def _explain(error: ApiError) -> ClientError:
    match error.reason if error.code == "entry_refused" else None:
        case Reason.TIME_AHEAD:
            return ClientError.from_code("clock_ahead")
        case Reason.TIME_BEHIND:
            return ClientError.from_code("clock_behind")
    return error
