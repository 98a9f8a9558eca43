"""Requests for files, on the page: made and ended, and what has come, accepted or refused."""

from collections.abc import Awaitable, Callable
from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from tessera_client.errors import WrongUsage
from tessera_client.ui.guest_jobs import GuestJob
from tessera_client.ui.operations import checked_path
from tessera_client.ui.schemas import (
    ArrivalAccepted,
    ArrivalInfo,
    NotStored,
    RequestInfo,
    RequestMade,
    RequestPlace,
    RequestRules,
)
from tessera_client.ui.worker import Worker
from tessera_client.vault import requests as vault_requests
from tessera_client.vault.requests import (
    MAX_DAYS,
    ListedRequest,
    RequestOptions,
    accept_arrival,
)
from tessera_client.vault.vault import Vault
from tessera_core.requests import MAX_BYTES, MAX_FILES, MAX_TITLE_BYTES


class NewRequest(msgspec.Struct):
    """What somebody asks for on the page."""

    space: str
    folder: str
    title: Annotated[str, Meta(min_length=1, max_length=MAX_TITLE_BYTES)]
    days: Annotated[int, Meta(ge=1, le=MAX_DAYS)]
    files: Annotated[int, Meta(ge=1, le=MAX_FILES)]
    bytes: Annotated[int, Meta(ge=1, le=MAX_BYTES)]


class Arrival(msgspec.Struct):
    arrival: UUID


class Receiving(GuestJob):
    """Stores what has come, one upload at a time."""

    def __init__(self, worker: Worker, on_stored: Callable[[], Awaitable[None]]) -> None:
        super().__init__(worker)
        self._on_stored = on_stored

    def _busy(self) -> WrongUsage:
        return WrongUsage.from_code("receiving_busy")

    async def accept(self, arrival: UUID) -> ArrivalAccepted:
        def accept(vault: Vault) -> ArrivalAccepted:
            accepted = accept_arrival(vault, arrival, self._show)
            failed = [NotStored(each.path, each.message) for each in accepted.summary.failed]
            return ArrivalAccepted(accepted.paths, failed)

        accepted = await self._run(accept)
        await self._on_stored()
        return accepted


def create_request(vault: Vault, wanted: NewRequest) -> RequestMade:
    folder = checked_path(wanted.folder) if wanted.folder else ""
    options = RequestOptions(wanted.days, wanted.files, wanted.bytes)
    space = vault.find(wanted.space)
    file_request = vault_requests.create_request(vault, space, folder, wanted.title, options)
    return RequestMade(file_request.link, int(file_request.expires_at.timestamp() * 1000))


def request_rules(vault: Vault) -> RequestRules:
    policy = vault_requests.read_policy(vault.account.api)
    days = max(1, min(policy.max_days, MAX_DAYS))
    return RequestRules(policy.is_allowed, days, MAX_FILES, MAX_BYTES)


def requests(vault: Vault) -> list[RequestInfo]:
    """Those of the user's spaces; the team leader sees that there are others."""
    user = vault.account.profile.user
    return [_info(listed, user) for listed in vault_requests.list_requests(vault)]


def end_request(vault: Vault, request: UUID) -> None:
    vault_requests.end_request(vault.account.api, request)


def refuse_arrival(vault: Vault, arrival: UUID) -> None:
    vault_requests.refuse_arrival(vault.account.api, arrival)


def _info(listed: ListedRequest, user: UUID) -> RequestInfo:
    row, opened = listed.row, listed.opened
    return RequestInfo(
        id=row.id,
        title=opened.details.title if opened else None,
        place=RequestPlace(opened.space.id, opened.space.label, opened.folder) if opened else None,
        link=opened.link if opened and row.state == "open" else None,
        author=row.author_name,
        is_own=row.author == user,
        state=row.state,
        is_forged=listed.is_forged,
        accepted=row.accepted,
        expires=int(row.expires_at.timestamp() * 1000),
        arrivals=[
            ArrivalInfo(arrival.id, arrival.bytes, int(arrival.arrived_at.timestamp() * 1000))
            for arrival in row.arrivals
        ],
    )
