"""The account as the page shows it: whether it is open, its spaces, and what needs attention."""

from contextlib import suppress
from dataclasses import dataclass, field
from uuid import UUID

import msgspec

from tessera_client.errors import (
    EXPECTED,
    ClientError,
    NotLoggedIn,
    Refused,
    WrongUsage,
    to_client_error,
)
from tessera_client.texts import translate
from tessera_client.transfer.answers import CodeSent, Health, Usage
from tessera_client.transfer.api import Api, ApiError, normalize_origin
from tessera_client.ui.listing import Listing, make_listing, make_moment_listing
from tessera_client.ui.schemas import AccountInfo, FormerAddress, Leader, Phase
from tessera_client.ui.worker import Worker
from tessera_client.vault.account import Account, open_account
from tessera_client.vault.kit import confirm_kit
from tessera_client.vault.login import Login, prepare_login, verify_code
from tessera_client.vault.members import Member, check_words, list_members
from tessera_client.vault.vault import Vault
from tessera_client.vault.verify import describe_skipped
from tessera_core.errors import Malformed
from tessera_core.key_envelopes import LeaderPin
from tessera_core.recovery import code_from_text
from tessera_core.words import words_for


@dataclass
class Session:
    worker: Worker
    phase: Phase = Phase.STARTING
    problem: ClientError | None = None
    """Why the last look at the service failed."""
    alarm: ClientError | None = None
    """What somebody should be told about a space; shown until the account is closed."""
    listings: dict[UUID, Listing] = field(default_factory=dict)
    account: AccountInfo | None = None
    usage: Usage | None = None
    health: Health | None = None
    notes: list[str] = field(default_factory=list)
    """Spaces that do not open, and changes that were left out."""
    _login: Login | None = None
    _moment: tuple[tuple[UUID, int, int], Listing] | None = None
    """The earlier moment that was looked at last."""

    def listing(self, space: str) -> Listing:
        found = self.listings.get(UUID(space))
        if found is None:
            raise ClientError(translate("errors.space_gone"), code="space_not_found")
        return found

    @property
    def is_intact(self) -> bool:
        """Whether no piece of any file is missing or out of reach, as far as the service knows."""
        health = self.health
        return health is not None and not (
            health.degraded
            or health.not_safe
            or health.lost
            or any(cloud.shards and cloud.status == 0 for cloud in health.warehouses)
        )

    # Opening and closing

    async def start(self) -> None:
        folder = self.worker.folder
        self._close()
        if not folder.has_profile():
            self.phase, self.account = Phase.LOGGED_OUT, None
            return
        try:
            profile, secrets = folder.load_profile(), folder.load_secrets()
        except ClientError as error:
            self.phase, self.problem, self.account = Phase.LOGGED_OUT, error, None
            return
        self.account = AccountInfo(
            profile.origin, profile.email, profile.name, profile.company_name, profile.device
        )
        if secrets.token is None:
            self.phase = Phase.LOGGED_OUT
        elif secrets.user_key is None:
            self.phase = Phase.LOCKED
        else:
            self.phase = Phase.STARTING
            await self.refresh()

    async def send_code(
        self, url: str, email: str, password: str, *, is_password_changed: bool
    ) -> CodeSent:
        def send() -> CodeSent:
            api = Api(normalize_origin(url))
            self._login = prepare_login(
                api, self.worker.folder, email, password, new_salt=is_password_changed
            )
            return self._login.send_code()

        return await self.worker.run(send)

    async def log_in(self, code: str, device: str) -> None:
        login = self._login
        if login is None:
            raise WrongUsage(translate("errors.password_first"), code="password_required")

        def finish() -> None:
            login.finish(self.worker.folder, code, device)
            login.api.close()

        await self.worker.run(finish)
        self._login = None
        await self.worker.close()
        await self.start()

    async def confirm_reset(self) -> None:
        """The person at this computer says that they have reset the password."""
        await self.worker.use(lambda vault: vault.account.confirm_reset())
        await self.refresh()

    async def unlock(self, password: str) -> None:
        await self.worker.unlock(password)
        await self.start()

    async def lock(self) -> None:
        await self.worker.lock()
        await self.start()

    async def log_out(self) -> None:
        await self.worker.close()
        await self.worker.run(lambda: open_account(self.worker.folder).log_out())
        await self.start()

    def _close(self) -> None:
        self.listings, self._moment = {}, None
        self.usage = self.health = self.problem = self.alarm = None
        self.notes = []

    # Looking

    async def refresh(self) -> None:
        """Looks at the service again. What was shown stays if it cannot be reached."""
        try:
            await self.worker.use(self.read)
            self.problem = None
        except NotLoggedIn as error:
            await self.worker.close()
            self._close()
            self.phase, self.problem = Phase.LOGGED_OUT, error
        except EXPECTED as error:
            self.problem = to_client_error(error)

    def read(self, vault: Vault) -> None:
        account = vault.account
        members = list(_members(account))
        own = next((member for member in members if member.user == account.user), None)
        leader = next((member for member in members if member.is_leader), None)
        is_leader = own is not None and own.is_leader
        if self.account:
            self.account = msgspec.structs.replace(
                self.account,
                is_leader=is_leader,
                words=words_for(account.keys.public, account.company, account.user).split(),
                leader=Leader(leader.name, leader.email, FormerAddress.of(leader))
                if leader
                else None,
                is_leader_trusted=is_leader or account.bundle.leader is not None,
            )
        self.usage = account.api.get("/storage/usage", Usage)
        self.health = account.api.get("/storage/health", Health)
        try:
            self.list_spaces(vault)
        except ClientError as error:
            waits = {"leader_not_trusted", "not_granted", "space_hidden"}
            if isinstance(error, Refused) or error.code not in waits:
                raise
            self.listings, self.phase = {}, Phase.WAITING
            return
        self.phase = Phase.READY if is_leader or self.listings else Phase.WAITING

    async def list_again(self) -> None:
        """Shows what was just stored; if that fails, the next look at the service does."""
        with suppress(*EXPECTED):
            await self.worker.use(self.list_spaces)

    def list_spaces(self, vault: Vault) -> None:
        """Lists again the spaces that have changed."""
        listings, spaces = {}, vault.spaces()
        if vault.closed and not spaces:
            raise vault.closed[0].error
        for space in spaces:
            listing = self.listings.get(space.id)
            if listing is None or listing.space.revision != space.state.sequence:
                listing = make_listing(space, vault.account.user)
            listings[space.id] = listing
        self.listings = listings
        self.notes = [f"{closed.id}: {closed.error}" for closed in vault.closed]
        for space in spaces:
            self.notes += describe_skipped(space)
        if vault.alarms:
            self.alarm = ClientError(vault.alarms.pop(), code="packs_retired")

    def listing_at(self, current: Listing, sequence: int, vault: Vault) -> Listing:
        """The space as it was after a change."""
        space = current.space
        key = (space.id, space.revision, sequence)
        if self._moment is None or self._moment[0] != key:
            found = vault.find(str(space.id))
            self._moment = key, make_moment_listing(found, space, sequence)
        return self._moment[1]

    # People

    async def trust_leader(self, words: str) -> None:
        def trust(vault: Vault) -> None:
            account = vault.account
            leader = next((one for one in list_members(account) if one.is_leader), None)
            if leader is None or leader.keys is None:
                raise ClientError.from_code("leader_without_keys")
            check_words(account, leader, leader.keys, words)
            account.pin_leader(LeaderPin(leader.user, leader.keys.fingerprint))

        await self.worker.use(trust)
        await self.refresh()

    async def confirm_kit(self, passphrase: str, code: str) -> None:
        def confirm(vault: Vault) -> None:
            try:
                confirm_kit(vault, passphrase, code_from_text(code))
            except Malformed:
                raise WrongUsage.from_code("code_malformed") from None

        await self.worker.use(confirm)
        await self.refresh()

    async def verify(self, code: str) -> None:
        await self.worker.use(lambda vault: verify_code(vault.account.api, code))


def _members(account: Account) -> list[Member]:
    _ = account.keys  # The service lists only those who have keys.
    try:
        return list(list_members(account))
    except ApiError as error:
        if error.code != "storage_keys_missing":
            raise
        return []
