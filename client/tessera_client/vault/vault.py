"""Everything of one account on this computer: its keys, its spaces, and packs on their way."""

from collections.abc import Collection, Iterable, Iterator, Set
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from uuid import UUID, uuid4

from tessera_client.errors import ClientError, NeedsInput, NotLoggedIn, Refused, WrongUsage
from tessera_client.texts import translate
from tessera_client.transfer.answers import SpaceRow
from tessera_client.transfer.api import ApiError, is_offline
from tessera_client.transfer.journal import Journal
from tessera_client.transfer.links import Bandwidth, Warehouses
from tessera_client.transfer.memory import use_one_malloc_arena
from tessera_client.vault.account import Account, open_account
from tessera_client.vault.connected_folders import reseal_connected
from tessera_client.vault.index import Index
from tessera_client.vault.membership import begin_space, name_space, take_over
from tessera_client.vault.profile import StateFolder
from tessera_client.vault.recovery_pair import RecoveryPair
from tessera_client.vault.retired import unretire_needed_packs
from tessera_client.vault.spaces import Space
from tessera_core.user_keys import PrivateKeys

MAX_NAME_BYTES = 255


@dataclass(frozen=True)
class ClosedSpace:
    """A space that could not be opened. It hides no other one."""

    id: UUID
    error: ClientError

    def as_json(self) -> dict[str, str]:
        return {"id": str(self.id), "error": self.error.code, "message": str(self.error)}


class Vault:
    def __init__(self, account: Account, bandwidth: Bandwidth | None = None) -> None:
        use_one_malloc_arena()
        self.account = account
        self.alarms: list[str] = []
        """What somebody should be told about the spaces that were opened."""
        self.closed: list[ClosedSpace] = []
        self.recovery = RecoveryPair(account)
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
        """The spaces that this account is a member of, read to their ends. Those that do not open
        are in `closed`."""
        spaces = list[Space]()
        for row in self._rows():
            try:
                spaces.append(self._open(row))
            except NotLoggedIn:
                raise
            except ClientError as error:
                self.closed.append(ClosedSpace(row.id, error))
        return spaces

    def find(self, name: str) -> Space:
        """Returns the space with this name or id."""
        for row in self._rows():
            if str(row.id) == name:
                return self._open(row)
        spaces = [space for space in self.spaces() if space.name == name]
        if len(spaces) > 1:
            raise _ambiguous(name, spaces)
        if spaces:
            return spaces[0]
        # It may be one of those that did not open.
        for closed in self.closed:
            raise closed.error
        raise ClientError.from_code("space_not_found", name=name)

    def kept_spaces(self, name: str | None = None) -> list[Space]:
        """All spaces that this computer has opened before, or the one with this name or id, as far
        as it has read them. Asks nobody."""
        if not self.account.open_kept_keys():
            return []
        spaces = [self.load_space(space) for space in self.account.bundle.spaces]
        return [
            space
            for space in spaces
            if space.is_open and space.name and name in (None, space.name, str(space.id))
        ]

    def find_seen(self, name: str) -> Space:
        """Returns the space with this name or id as far as this computer has read it."""
        spaces = [self.load_space(space) for space in self.account.bundle.spaces]
        found = [space for space in spaces if name in (space.name, str(space.id))]
        if len(found) > 1:
            raise _ambiguous(name, found)
        if not found:
            raise ClientError.from_code("space_not_found", name=name)
        return found[0]

    def create_space(self, name: str) -> Space:
        """Only the leader creates spaces. One whose creation was interrupted is finished."""
        if not 1 <= len(name.encode()) <= MAX_NAME_BYTES or not {":", "/", "\0"}.isdisjoint(name):
            raise WrongUsage(translate("errors.bad_space_name"), code="bad_name")
        if not self.account.is_leader():
            raise ClientError(translate("errors.create_forbidden"), code="forbidden")
        spaces = self.spaces()
        if any(space.name == name for space in spaces):
            raise ClientError.from_code("space_exists", name=name)
        unfinished = [space for space in spaces if not space.name and space.is_led]
        if unfinished:
            space = unfinished[0]
        else:
            space = self.load_space(uuid4())
            begin_space(space)
        name_space(space, name)
        return space

    def refused_grants(self, spaces: list[Space]) -> list[tuple[str, UUID]]:
        """Members who could not open what a leader granted, with the space's label."""
        labels = {space.id: space.label for space in spaces}
        return [
            (labels[row.id], member)
            for row in self._all_rows()
            if row.id in labels
            for member in row.refused_grants
        ]

    # The leader's keys and the recovery pair

    def is_recovery_unfinished(self) -> bool:
        """Whether an interrupted run has named a new pair that not all spaces have."""
        if not self._has_newest_pair():
            return False
        newest = self.recovery.records[-1].keys
        spaces = (self.load_space(row.id) for row in self._all_rows())
        return any(space.read_recovery_keys() != newest for space in spaces)

    def recover(self, pair: PrivateKeys) -> list[Space]:
        """Takes over every space by the recovery pair, and replaces the pair: whoever held it may
        hold it still. Returns the spaces that had to be taken over."""
        if not self._has_newest_pair():
            self.recovery.replace(pair)
        return self.take_over_spaces()

    def _has_newest_pair(self) -> bool:
        """Whether the newest record names these keys, and the pair is held."""
        record = self.recovery.records[-1] if self.recovery.records else None
        return (
            record is not None
            and record.leader == self.account.user
            and record.fingerprint == self.account.keys.public.fingerprint
            and self.recovery.find(record.keys) is not None
        )

    def take_over_spaces(self) -> list[Space]:
        """Gives every space the present leader's keys and the newest recovery pair."""
        spaces = [self.load_space(row.id) for row in self._all_rows()]
        return [space for space in spaces if take_over(space)]

    def replace_keys(self) -> list[Space]:
        """Makes new keys for the account after a device was lost. The leader's spaces get them,
        and a new recovery pair, at once; the other ones wait for their leader."""
        account = self.account
        if account.send_keys_again():
            return []
        records = self.recovery.records
        if not records or records[-1].leader != account.user:
            self._renew_account_keys()
            return []
        pair = self.recovery.find(records[-1].keys)
        if pair is None:
            raise NeedsInput.from_code("recovery_not_held")
        is_named = records[-1].fingerprint == account.keys.public.fingerprint
        if is_named and not self._is_unfinished():
            self._renew_account_keys()
            is_named = False
        if not is_named:
            self.recovery.replace(pair)
        return self.take_over_spaces()

    def _is_unfinished(self) -> bool:
        """Whether an interrupted run has made new keys that not all spaces have."""
        public = self.account.keys.public
        newest = self.recovery.records[-1].keys
        for row in self._all_rows():
            space = self.load_space(row.id)
            if row.leader != self.account.user:
                continue
            if space.read_recovery_keys() != newest:
                return True
            known = space.state.members.get(self.account.user)
            if known not in (None, public):
                return True
        return False

    def _renew_account_keys(self) -> None:
        folder, user, before = self.account.folder, self.account.user, self.account.keys
        index = self.index
        self.account.replace_keys()
        reseal_connected(folder, user, before, self.account.keys)
        index.change_keys(self.account.keys)

    def _all_rows(self) -> list[SpaceRow]:
        return self.account.api.get("/storage/spaces", list[SpaceRow])

    def _rows(self) -> list[SpaceRow]:
        """The rows of spaces that this account is a member of, as the service tells."""
        rows, hidden = self._shown_and_hidden()
        if hidden and self._bring_back(hidden):
            rows, hidden = self._shown_and_hidden()
        self.closed = [ClosedSpace(space, self._hidden(space)) for space in sorted(hidden)]
        return rows

    def _shown_and_hidden(self) -> tuple[list[SpaceRow], Set[UUID]]:
        rows = [row for row in self._all_rows() if row.is_member]
        hidden = self.account.bundle.spaces.keys() - {row.id for row in rows}
        return rows, hidden

    def _bring_back(self, hidden: Collection[UUID]) -> bool:
        """Whether a service that was restored knows one of these spaces again."""
        if not self.account.read_restore().is_open:
            return False
        is_back = False
        for space in map(self.load_space, hidden):
            with suppress(ApiError, NeedsInput):
                is_back |= space.bring_back() is not None
            self._tell(space)
        return is_back

    def _tell(self, space: Space) -> None:
        if followed := space.followed:
            self.alarms.append(
                translate(
                    "notices.rewound",
                    first=followed.sequence,
                    last=followed.abandoned,
                    space=space.label,
                )
            )
        if space.brought_back:
            self.alarms.append(
                translate("notices.brought_back", count=space.brought_back, space=space.label)
            )

    def _hidden(self, space: UUID) -> ClientError:
        """A space that was seen vanishes for members who are removed, never for its leader."""
        if self.load_space(space).is_led:
            return Refused.from_code("space_hidden")
        return ClientError(translate("errors.space_gone_or_hidden"), code="space_hidden")

    def _open(self, row: SpaceRow) -> Space:
        space = self.load_space(row.id)
        state, pin = space.state, self.account.bundle.spaces.get(space.id)
        is_newest = (state.sequence, state.head) == (row.sequence, row.head)
        is_read = is_newest and space.is_open and not space.snapshot.is_provisional
        if not (is_read and pin and pin.sequence == state.sequence):
            space.sync()
            self._tell(space)
        if alarm := unretire_needed_packs(space):
            self.alarms.append(alarm)
        return space

    def load_space(self, space: UUID) -> Space:
        """The space as far as this computer has read it."""
        return Space(self.account, self.recovery, self.index, self.warehouses, space)


def _ambiguous(name: str, spaces: Iterable[Space]) -> WrongUsage:
    ids = ", ".join(str(space.id) for space in spaces)
    return WrongUsage.from_code("space_ambiguous", name=name, ids=ids)


@contextmanager
def open_vault(
    folder: StateFolder, password: str | None = None, bandwidth: Bandwidth | None = None
) -> Iterator[Vault]:
    """Opens the account; what was seen of the logs is stored for other devices at the end."""
    account = open_account(folder)
    if not account.has_user_key:
        if not password:
            raise NeedsInput.from_code("locked")
        account.unlock(password)
    vault = Vault(account, bandwidth)
    try:
        yield vault
    finally:
        try:
            account.save_pins()
        except ClientError as error:
            # This computer keeps them until the next time.
            if not is_offline(error):
                raise
        finally:
            vault.close()
