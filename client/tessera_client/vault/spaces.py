"""A space: its log as far as it was read, and what is appended to it."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from tessera_client.errors import ClientError, Refused
from tessera_client.texts import translate
from tessera_client.transfer.api import ApiError
from tessera_client.transfer.download import ChunkPlace, ChunkReader, PackSource
from tessera_client.transfer.links import Warehouses
from tessera_client.vault.account import Account, Member
from tessera_client.vault.contents import Contents
from tessera_client.vault.index import Index
from tessera_client.vault.log_reader import (
    check_leader,
    load_bodies,
    open_keyring,
    read_entries,
)
from tessera_client.vault.snapshot import bodies_to_replay
from tessera_core import base64url
from tessera_core.bodies import StoredBody, seal_body
from tessera_core.changes import ChangeBody, NameSpace
from tessera_core.entries import (
    Change,
    Checkpoint,
    Clear,
    Entry,
    Generation,
    Genesis,
    LeaderChanged,
    MemberAdded,
    MemberRemoved,
    sign_entry,
)
from tessera_core.grants import RECOVERY, Grant, grants_hash, seal_grant
from tessera_core.key_envelopes import SpacePin
from tessera_core.keyring import Keyring
from tessera_core.log import LogState, Reason
from tessera_core.tree import Tree
from tessera_core.user_keys import PrivateKeys, PublicKeys

GRANTS_PER_CALL = 200

_MAX_ATTEMPTS = 20


@dataclass(frozen=True)
class Body:
    """The content of a change or checkpoint, and where it is stored if it is too long."""

    content: bytes
    stored: StoredBody | None = None


class GenerationChanged(Exception):
    """The space got new keys while packs were made for the old ones."""


class Space:
    """One space's log, checked as far as it was read, and the keys that open it."""

    def __init__(self, account: Account, index: Index, warehouses: Warehouses, space: UUID) -> None:
        self._account = account
        self._index = index
        self._warehouses = warehouses
        self._snapshot = index.load(account.company, space)
        self._seen_ids: set[bytes] = set()
        self._recovery: PrivateKeys | None = None

    @property
    def id(self) -> UUID:
        return self.state.space

    @property
    def name(self) -> str:
        return self._snapshot.name

    @property
    def state(self) -> LogState:
        return self._snapshot.state

    @property
    def tree(self) -> Tree:
        return self._snapshot.tree

    @property
    def contents(self) -> Contents:
        return self._snapshot.contents

    @property
    def body_packs(self) -> frozenset[bytes]:
        return self._snapshot.body_packs

    @property
    def entries_since_checkpoint(self) -> int:
        return self.state.sequence - self._snapshot.checkpoint

    @property
    def is_open(self) -> bool:
        """Whether the keys of the newest generation are known."""
        keyring = self._snapshot.keyring
        return keyring is not None and keyring.generation == self.state.generation

    @property
    def keyring(self) -> Keyring:
        keyring = self._snapshot.keyring
        assert keyring is not None, "sync opens the keyring"
        return keyring

    @property
    def _path(self) -> str:
        return f"/storage/spaces/{self.id}"

    # Reading

    def sync(self) -> None:
        """Takes in new entries. A log that does not extend what was seen is refused."""
        begun = self.state.sequence
        snapshot = self._snapshot.copy()
        entries = list[Entry]()
        for _ in range(_MAX_ATTEMPTS):
            entries += read_entries(self._account, snapshot)
            check_leader(self._account, snapshot, self._recovery)
            if open_keyring(self._account, snapshot, self._recovery):
                break
        else:
            raise Refused(translate("errors.grant_refused"), code="grant_refused")
        self._seen_ids.update(entry.head.id for entry in entries)
        self._snapshot = snapshot
        bodies = load_bodies(self._account, self.id, bodies_to_replay(entries))
        snapshot.replay(bodies, self.reader)
        if self.state.sequence > begun:
            self._index.save(self._snapshot)
        self._pin()

    def _pin(self) -> None:
        state = self.state
        if state.sequence:
            pin = SpacePin(self._snapshot.first, state.sequence, state.head)
            self._account.pin_space(state.space, pin)

    # Chunks

    def source(self) -> PackSource:
        return PackSource(self._account.api, self._warehouses, self.id, self.state.packs)

    def reader(self) -> ChunkReader:
        return ChunkReader(self.source(), self.keyring)

    def chunk_places(self) -> dict[bytes, ChunkPlace]:
        return self._snapshot.chunk_places()

    # Writing

    def append(
        self, clear: Clear, *, body: Body | None = None, author: PrivateKeys | None = None
    ) -> None:
        """Appends an entry that needs no grants, wherever the log ends by now."""
        self.append_made(lambda: (clear, ()), body=body, author=author)

    def append_made(
        self,
        make: Callable[[], tuple[Clear, Sequence[Grant]] | None],
        *,
        body: Body | None = None,
        author: PrivateKeys | None = None,
    ) -> None:
        """`make` is asked again if somebody else was faster; None says that nothing is left to do.

        A sealed body is signed again and not sealed again, unless the generation has changed.
        """
        keys, user = (author, RECOVERY) if author else (self._account.keys, self._account.user)
        sealed, sealed_id, generation = b"", b"", 0
        for _ in range(_MAX_ATTEMPTS):
            if body is not None:
                self.ensure_generation()
            made = make()
            if made is None:
                return
            clear, grants = made
            head = self.state.next_head(clear, user, now())
            if body is not None:
                if generation != head.generation:
                    if generation and isinstance(clear, Change | Checkpoint) and clear.packs:
                        raise GenerationChanged
                    sealed_id, generation = head.id, head.generation
                    sealed = seal_body(body.stored or body.content, head, clear.kind, self.keyring)
                head = replace(head, id=sealed_id)
            entry = sign_entry(head, clear, keys, body=sealed)
            if self._send(entry, grants):
                self._take_in(entry, body)
                return
            if entry.head.id in self._seen_ids:
                return
        raise ClientError(translate("errors.log_busy"), code="log_busy")

    def _send(self, entry: Entry, grants: Sequence[Grant]) -> bool:
        """Returns False if the log has moved on; it was read again then."""
        api = self._account.api
        for at in range(0, len(grants), GRANTS_PER_CALL):
            batch = [base64url.encode(each.encode()) for each in grants[at : at + GRANTS_PER_CALL]]
            body = {"entryId": base64url.encode(entry.head.id), "grants": batch}
            api.post(f"{self._path}/grants", body, repeat=True)
        try:
            api.post(f"{self._path}/log", {"entry": base64url.encode(entry.encode())})
        except ApiError as error:
            if error.code != "log_moved_on":
                raise _explain(error) from None
            self.sync()
            return False
        except ClientError as error:
            if error.code != "unreachable":
                raise
            # The entry may have been stored although its answer was lost.
            self.sync()
            return False
        return True

    def _take_in(self, entry: Entry, body: Body | None = None) -> None:
        self.state.append(entry)
        if body:
            self._snapshot.apply(entry, body.content)
        self._seen_ids.add(entry.head.id)
        self._index.save(self._snapshot)
        self._pin()

    def flush(self) -> None:
        """Waits until the log's newest entries lie in the warehouses."""
        self._account.api.post(f"{self._path}/log/flush", repeat=True)

    def ensure_generation(self) -> None:
        """After a removal, somebody has to make new keys before anything is written."""
        made: Keyring | None = None

        def make() -> tuple[Clear, list[Grant]] | None:
            nonlocal made
            if not self.state.awaiting_generation:
                return None
            known = self._snapshot.keyring
            made = known.next() if known else Keyring.create()
            return self._new_generation(made)

        if self.state.awaiting_generation:
            self.append_made(make)
            current = self._snapshot.keyring
            if made and (current is None or current.generation < self.state.generation):
                self._snapshot.keyring = made
                self._index.save(self._snapshot)

    def _new_generation(self, keyring: Keyring) -> tuple[Clear, list[Grant]]:
        assert self.state.recovery_keys is not None
        recipients = {RECOVERY: self.state.recovery_keys, **self.state.members}
        grants = [self._grant(keyring, member, keys) for member, keys in recipients.items()]
        commitment = keyring.commitment(self.id, keyring.generation)
        return Generation(commitment, grants_hash(grants)), grants

    def _grant(self, keyring: Keyring, member: UUID, keys: PublicKeys) -> Grant:
        return seal_grant(keyring, keys, company=self.state.company, space=self.id, member=member)

    # Beginning

    def begin(self, recovery: PrivateKeys) -> None:
        account = self._account
        clear = Genesis(account.user, account.keys.public, recovery.public)
        head = self.state.next_head(clear, account.user, now())
        entry = sign_entry(head, clear, account.keys, recovery_keys=recovery)
        account.api.post("/storage/spaces", {"entry": base64url.encode(entry.encode())})
        self._snapshot.first, self._snapshot.is_vouched = entry.hash, True
        self._take_in(entry)

    def set_name(self, name: str) -> None:
        body = ChangeBody((), (NameSpace(name),))
        self.ensure_generation()
        self.append(Change(()), body=Body(body.encode()))

    # Recovery

    def recover(self, recovery: PrivateKeys) -> bool:
        """Makes this user the leader by the recovery pair; False if that is not needed."""
        account, self._recovery = self._account, recovery
        self.sync()
        if self.state.leader == account.user and (
            self.state.members.get(account.user) == account.keys.public
        ):
            return False

        def make() -> tuple[Clear, list[Grant]]:
            public = account.keys.public
            grants = [self._grant(self.keyring, account.user, public)]
            return LeaderChanged(account.user, public, grants_hash(grants)), grants

        self.append_made(make, author=recovery)
        self._snapshot.is_vouched = True
        self.ensure_generation()
        self._recovery = None
        return True

    # Members

    def add_member(self, member: Member) -> None:
        """Replaces the keys of somebody who lost theirs."""
        known = self.state.members.get(member.user)
        if known is not None and known != member.keys:
            self.remove_member(member.user)
        self.ensure_generation()

        def make() -> tuple[Clear, list[Grant]] | None:
            if member.user in self.state.members:
                return None
            grants = [self._grant(self.keyring, member.user, member.keys)]
            return MemberAdded(member.user, member.keys, grants_hash(grants)), grants

        self.append_made(make)

    def remove_member(self, user: UUID) -> None:
        def make() -> tuple[Clear, tuple[()]] | None:
            return (MemberRemoved(user), ()) if user in self.state.members else None

        self.append_made(make)
        self.ensure_generation()


def now() -> int:
    """This computer's clock in milliseconds."""
    return int(time.time() * 1000)


def _explain(error: ApiError) -> ClientError:
    reason = error.extra.get("reason")
    if error.code == "entry_refused" and reason == Reason.TIME_AHEAD:
        return ClientError(translate("errors.clock_ahead"), code="clock_ahead")
    return error
