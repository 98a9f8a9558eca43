"""Everything of one account on this computer: its keys, its spaces, and packs on their way."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from uuid import UUID, uuid4

from tessera_client.errors import ClientError, NeedsInput, WrongUsage
from tessera_client.texts import translate
from tessera_client.transfer.api import ApiError
from tessera_client.transfer.journal import Journal
from tessera_client.transfer.links import Bandwidth, Warehouses
from tessera_client.transfer.memory import share_one_heap
from tessera_client.vault.account import Account, open_account
from tessera_client.vault.index import Index
from tessera_client.vault.profile import StateFolder
from tessera_client.vault.retired import keep_needed
from tessera_client.vault.spaces import Space
from tessera_core import base64url
from tessera_core.user_keys import PrivateKeys

MAX_NAME_BYTES = 255


class Vault:
    def __init__(self, account: Account, bandwidth: Bandwidth | None = None) -> None:
        share_one_heap()
        self.account = account
        self.alarms: list[str] = []
        """What somebody should be told about the spaces that were opened."""
        self.warehouses = Warehouses(
            account.profile.origin, account.profile.allowed_hosts, bandwidth=bandwidth
        )

    @cached_property
    def index(self) -> Index:
        folder = self.account.folder.user_folder(self.account.user)
        return Index(folder / "index.sqlite", self.account.keys)

    @cached_property
    def journal(self) -> Journal:
        journal = Journal(self.account.folder.user_folder(self.account.user))
        journal.clean()
        return journal

    def close(self) -> None:
        self.warehouses.close()
        self.account.api.close()

    def spaces(self) -> list[Space]:
        """All spaces that this account is a member of, read to their ends."""
        return [self._open(row) for row in self._rows()]

    def find(self, name: str) -> Space:
        """Returns the space with this name or id."""
        found = []
        for row in self._rows():
            if row["id"] == name:
                return self._open(row)
            space = self._open(row)
            if space.name == name:
                found.append(space)
        if not found:
            raise ClientError(
                translate("errors.space_not_found", name=name), code="space_not_found"
            )
        if len(found) > 1:
            ids = ", ".join(str(space.id) for space in found)
            raise WrongUsage(
                translate("errors.space_ambiguous", name=name, ids=ids), code="space_ambiguous"
            )
        return found[0]

    def create_space(self, name: str) -> Space:
        """Only the leader creates spaces. One whose creation was interrupted is finished."""
        if not 1 <= len(name.encode()) <= MAX_NAME_BYTES or ":" in name or "/" in name:
            raise WrongUsage(translate("errors.bad_space_name"), code="bad_name")
        if not self.account.is_leader():
            raise ClientError(translate("errors.create_forbidden"), code="forbidden")
        spaces = self.spaces()
        if any(space.name == name for space in spaces):
            raise ClientError(translate("errors.space_exists", name=name), code="space_exists")
        unfinished = [
            space for space in spaces
            if not space.name and space.state.leader == self.account.user
        ]  # fmt: skip
        if unfinished:
            space = unfinished[0]
        else:
            space = self._space(uuid4())
            space.begin(self.account.recovery_keys())
        space.set_name(name)
        return space

    def recover(self, recovery: PrivateKeys) -> list[Space]:
        """Takes over every space by the recovery pair; returns those that had to be."""
        rows = self.account.api.get("/storage/spaces")
        spaces = [self._space(UUID(row["id"])) for row in rows]
        return [space for space in spaces if space.recover(recovery)]

    def replace_keys(self) -> list[Space]:
        """Makes new keys for the account. The spaces that it leads get them, and a new generation,
        by the recovery pair; the other ones wait for their leader."""
        account, rows = self.account, self.account.api.get("/storage/spaces")
        led = [UUID(row["id"]) for row in rows if row["leader"] == str(account.user)]
        recovery = self._begin_replacement(leads=bool(led))
        taken = []
        if recovery is not None:
            taken = [each for space in led if (each := self._space(space)).recover(recovery)]
            account.grant_recovery_again(recovery)
            account.hold_recovery(None)
        return taken

    def _begin_replacement(self, *, leads: bool) -> PrivateKeys | None:
        """Replaces the keys unless an interrupted run did. Returns a leader's recovery pair."""
        account = self.account
        try:
            recovery = account.recovery_keys() if leads else None
        except NeedsInput:
            if account.held_recovery is None:
                raise
            return account.held_recovery
        if recovery is not None:
            account.hold_recovery(recovery)
        try:
            account.replace_keys()
        except ApiError:
            account.hold_recovery(None)
            raise
        # It is sealed by the keys.
        self.__dict__.pop("index", None)
        return recovery

    def _rows(self) -> list[dict[str, str]]:
        rows = self.account.api.get("/storage/spaces")
        return [row for row in rows if row["isMember"]]

    def _open(self, row: dict[str, str]) -> Space:
        space = self._space(UUID(row["id"]))
        state, pin = space.state, self.account.bundle.spaces.get(space.id)
        is_newest = (state.sequence, state.head) == (
            int(row["sequence"]), base64url.decode(row["head"])
        )  # fmt: skip
        if not (is_newest and space.is_open and pin and pin.sequence == state.sequence):
            space.sync()
        if alarm := keep_needed(space):
            self.alarms.append(alarm)
        return space

    def _space(self, space: UUID) -> Space:
        return Space(self.account, self.index, self.warehouses, space)


@contextmanager
def open_vault(
    folder: StateFolder, password: str | None = None, bandwidth: Bandwidth | None = None
) -> Iterator[Vault]:
    """Opens the account; what was seen of the logs is stored for other devices at the end."""
    account = open_account(folder)
    if not account.has_user_key:
        if not password:
            raise NeedsInput(translate("errors.locked"), code="locked")
        account.unlock(password)
    vault = Vault(account, bandwidth)
    try:
        yield vault
    finally:
        try:
            account.save_pins()
        finally:
            vault.close()
