"""`RequestContext` for any request; `Access` and `Identity` for signed-in users."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from fastapi import Depends, Request
from msgspec import Struct

from tessera.authz.permissions import Permission, Role
from tessera.kit.client_ip import network_of, origin_of
from tessera.kit.database import Connection, Database
from tessera.kit.i18n import Language, current_language
from tessera.kit.keys import Keys
from tessera.kit.rate_counters import Counter, counter_of
from tessera.kit.workflows import Resources
from tessera.limits import Limit
from tessera.settings import Settings

DEVICE_COOKIE = "tessera_device"

SessionKind = Literal["browser", "client"]


@dataclass(frozen=True)
class RequestContext:
    resources: Resources
    origin: str
    user_agent: str
    request_id: str
    language: Language
    device_cookie: str = ""

    @property
    def subnet(self) -> str:
        """What limits that belong to one account count by."""
        return network_of(self.origin, 64)

    @property
    def site(self) -> str:
        """What limits of an origin count by, whichever account it names."""
        return network_of(self.origin, 48)

    def counter(self, limit: Limit, *subject: object) -> Counter:
        return counter_of(self.keys, limit, *subject)

    @property
    def settings(self) -> Settings:
        return self.resources.settings

    @property
    def database(self) -> Database:
        return self.resources.database

    @property
    def keys(self) -> Keys:
        return self.resources.keys


def request_context(request: Request) -> RequestContext:
    resources: Resources = request.app.state.resources
    return RequestContext(
        resources=resources,
        origin=origin_of(request, resources.settings.trusted_proxies),
        user_agent=request.headers.get("user-agent", "")[:300],
        request_id=request.state.request_id,
        language=current_language.get(),
        device_cookie=request.cookies.get(DEVICE_COOKIE, "")[:300],
    )


async def _context(request: Request) -> RequestContext:
    """Async only so that FastAPI does not run it in a thread."""
    return request_context(request)


AnyRequestContext = Annotated[RequestContext, Depends(_context)]


class CurrentUser(Struct, frozen=True):
    session_id: int
    kind: SessionKind
    verified_until: datetime | None
    user_id: int
    user_uuid: UUID
    company_id: int
    company_uuid: UUID
    company_name: str
    role: Role
    first_name: str
    last_name: str
    language: Language
    is_subscribed: bool
    can_view_warehouse: bool
    permissions: frozenset[Permission]

    @property
    def name(self) -> str:
        return f"{self.first_name} {self.last_name}"


@dataclass(frozen=True)
class Access:
    """A transaction inside the user's company, committed before the response is sent."""

    connection: Connection
    current_user: CurrentUser
    context: RequestContext


@dataclass(frozen=True)
class Identity:
    """A signed-in user without a transaction; `access` opens one."""

    current_user: CurrentUser
    context: RequestContext

    @asynccontextmanager
    async def access(self) -> AsyncIterator[Access]:
        async with self.context.database.tenant(self.current_user.company_id) as connection:
            yield Access(connection, self.current_user, self.context)
