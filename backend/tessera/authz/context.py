"""`RequestContext` for any request; `Access` and `Identity` for signed-in users."""

from collections.abc import AsyncIterator, Sequence
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
SSO_COOKIE = "tessera_sso"

SessionKind = Literal["browser", "client"]
CallerKind = Literal["browser", "client", "token", "directory"]
SecondFactor = Literal["sms", "totp", "passkey"]
# Where the company's provider proved who somebody is, the second step is the provider's.
SessionFactor = SecondFactor | Literal["provider"]


def accepts(allowed: Sequence[SecondFactor] | None, factor: SessionFactor) -> bool:
    return allowed is None or factor == "provider" or factor in allowed


@dataclass(frozen=True)
class CallContext:
    """What is known of a request within a transaction. It gives no second connection: requests that
    hold one each while they wait for another would stop the service."""

    resources: Resources
    origin: str
    user_agent: str
    request_id: str
    language: Language
    device_cookie: str = ""
    sso_cookie: str = ""

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
    def country(self) -> str | None:
        """Of the origin; None if it is not known."""
        countries = self.resources.countries
        return countries.country_of(self.origin) if countries else None

    @property
    def settings(self) -> Settings:
        return self.resources.settings

    @property
    def keys(self) -> Keys:
        return self.resources.keys


class RequestContext(CallContext):
    @property
    def database(self) -> Database:
        return self.resources.database


def request_context(request: Request) -> RequestContext:
    resources: Resources = request.app.state.resources
    return RequestContext(
        resources=resources,
        origin=origin_of(request, resources.settings.trusted_proxies),
        user_agent=request.headers.get("user-agent", "")[:300],
        request_id=request.state.request_id,
        language=current_language.get(),
        device_cookie=request.cookies.get(DEVICE_COOKIE, "")[:300],
        sso_cookie=request.cookies.get(SSO_COOKIE, "")[:100],
    )


async def _context(request: Request) -> RequestContext:
    """Async only so that FastAPI does not run it in a thread."""
    return request_context(request)


AnyRequestContext = Annotated[RequestContext, Depends(_context)]


class CurrentUser(Struct, frozen=True):
    """With an API token, the leader who made it, under the token's name and without a session;
    with the directory's token, the leader of the day."""

    session_id: int
    kind: CallerKind
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
    second_factor: SessionFactor = "sms"
    client_version: str | None = None
    # The company's policies.
    allowed_factors: list[SecondFactor] | None = None
    min_client_version: str | None = None
    allowed_networks: list[str] | None = None
    allowed_countries: list[str] | None = None
    api_token_id: int | None = None
    token_name: str = ""

    @property
    def name(self) -> str:
        return self.token_name or self.full_name

    @property
    def is_factor_accepted(self) -> bool:
        return accepts(self.allowed_factors, self.second_factor)

    @property
    def full_name(self) -> str:
        return f"{self.first_name} {self.last_name}"

    @property
    def actor_uuid(self) -> UUID | None:
        """Whom the activity names: nobody if a token or the directory acts."""
        return None if self.token_name else self.user_uuid


@dataclass(frozen=True)
class Access:
    """A transaction inside the user's company, committed before the response is sent."""

    connection: Connection
    current_user: CurrentUser
    context: CallContext


@dataclass(frozen=True)
class Identity:
    """A signed-in user without a transaction; `access` opens one."""

    current_user: CurrentUser
    context: RequestContext

    @asynccontextmanager
    async def access(self) -> AsyncIterator[Access]:
        async with self.context.database.tenant(self.current_user.company_id) as connection:
            yield Access(connection, self.current_user, self.context)
