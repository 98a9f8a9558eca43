"""Links for people without an account: made, listed and ended on the page."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from tessera_client.errors import WrongUsage
from tessera_client.ui.guest_jobs import GuestJob
from tessera_client.ui.operations import checked_path
from tessera_client.ui.schemas import ShareInfo, ShareMade, ShareRules, shown_time
from tessera_client.vault import shares as vault_shares
from tessera_client.vault.shares import (
    MAX_DAYS,
    MAX_DOWNLOADS,
    ShareOptions,
    Source,
    create_share,
    new_password,
)
from tessera_client.vault.vault import Vault

MAX_PASSWORD = 1000


class NewShare(msgspec.Struct):
    """What somebody asks for on the page."""

    space: str
    paths: Annotated[list[str], Meta(min_length=1)]
    days: Annotated[int, Meta(ge=1, le=MAX_DAYS)]
    downloads: Annotated[int, Meta(ge=1, le=MAX_DOWNLOADS)]
    password: Annotated[str, Meta(min_length=1, max_length=MAX_PASSWORD)] | None = None


class Sharing(GuestJob):
    """Makes one link at a time, and says how far it is."""

    def _busy(self) -> WrongUsage:
        return WrongUsage.from_code("share_busy")

    async def create(self, wanted: NewShare) -> ShareMade:
        paths = [checked_path(path) for path in wanted.paths]
        options = ShareOptions(wanted.days, wanted.downloads, wanted.password)

        def create(vault: Vault) -> ShareMade:
            space = vault.find(wanted.space)
            sources = [Source(space, path) for path in paths]
            made = create_share(vault, sources, options, self._show)
            expires = shown_time(int(made.expires_at.timestamp() * 1000))
            return ShareMade(made.link, expires, made.files, made.bytes, made.left_out)

        return await self._run(create)


def share_rules(vault: Vault) -> ShareRules:
    policy = vault_shares.read_policy(vault.account.api)
    days = max(1, min(policy.max_days, MAX_DAYS))
    return ShareRules(policy.is_allowed, days, MAX_DOWNLOADS, new_password())


def shares(vault: Vault) -> list[ShareInfo]:
    """The user's own; the team leader sees everybody's."""
    user = vault.account.profile.user
    return [
        ShareInfo(
            row.id,
            row.author_name,
            row.author == user,
            row.state,
            row.bytes,
            row.downloads,
            row.max_downloads,
            int(row.created_at.timestamp() * 1000),
            int(row.expires_at.timestamp() * 1000),
        )
        for row in vault_shares.list_shares(vault.account.api)
    ]


def end_share(vault: Vault, share: UUID) -> None:
    vault_shares.end_share(vault.account.api, share)
