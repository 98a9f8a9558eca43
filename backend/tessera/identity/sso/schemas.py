from datetime import datetime
from typing import Annotated, Any
from urllib.parse import urlsplit
from uuid import UUID

from pydantic import Field, StringConstraints

from tessera.auth.passkeys.schemas import Assertion
from tessera.auth.schemas import LoginAddress, Secret
from tessera.auth.sessions.schemas import ClientDevice, SessionRead
from tessera.kit.schemas import ApiModel, Label, Storable

Issuer = Annotated[str, StringConstraints(min_length=1, max_length=500), Storable]
ClientId = Annotated[Label, Field(max_length=300)]
ClientSecret = Annotated[str, StringConstraints(min_length=1, max_length=1_000), Storable]
# What a provider returns.
Returned = Annotated[str, StringConstraints(min_length=1, max_length=4_000), Storable]

Handle = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,60}$")]
Verifier = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{43,128}$")]
Digest = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{43}$")]
DeviceCode = Annotated[str, StringConstraints(min_length=1, max_length=30), Storable]


def host_of(issuer: str) -> str:
    return urlsplit(issuer).hostname or ""


class SsoProviderCreate(ApiModel):
    name: Label


class SsoProviderUpdate(SsoProviderCreate):
    issuer: Issuer
    client_id: ClientId
    client_secret: Annotated[
        ClientSecret | None,
        Field(description="Null keeps the stored one, for the same issuer and client id only."),
    ] = None


class SsoProviderRead(ApiModel):
    uuid: UUID
    name: str
    issuer: Annotated[str | None, Field(description="Null until the provider is set up.")]
    client_id: str | None
    is_default: Annotated[
        bool, Field(description="Whether domains that name no provider lead to it.")
    ]
    is_needed: Annotated[
        bool, Field(description="Whether accounts are linked to it, or domains lead to it.")
    ]
    saved_at: datetime
    linked_members: int
    redirect_uri: Annotated[str, Field(description="What the provider has to allow.")]
    backchannel_logout_uri: Annotated[
        str, Field(description="Where the provider announces logouts.")
    ]


class SsoDomainRead(ApiModel):
    domain: str
    provider: Annotated[UUID | None, Field(description="Null: the default one.")]
    is_lost: Annotated[
        bool,
        Field(description="Whether it is no longer proved: people are led on, and nobody linked."),
    ]


class SsoRead(ApiModel):
    providers: list[SsoProviderRead]
    max_providers: int
    domains: Annotated[
        list[SsoDomainRead], Field(description="Those that were proved, and where they lead.")
    ]
    required: Annotated[bool, Field(description="Whether members log in by a provider only.")]
    is_tried: Annotated[
        bool, Field(description="Whether the caller has logged in by one of the providers.")
    ]
    recovery_codes_left: Annotated[
        int, Field(description="With which the caller gets in when the provider does not answer.")
    ]


class SsoDefault(ApiModel):
    provider: UUID


class SsoDomainUpdate(ApiModel):
    provider: Annotated[UUID | None, Field(description="Null: the default one.")]


class SsoRequirement(ApiModel):
    required: bool


class SsoStart(ApiModel):
    email_address: LoginAddress


class SsoStarted(ApiModel):
    url: Annotated[str, Field(description="Where the browser goes on.")]


class SsoReturned(ApiModel):
    """What the provider put into the address that it sent the browser back to."""

    provider: Annotated[UUID, Field(description="The last part of that address's path.")]
    code: Returned
    state: Returned
    issuer: Returned | None = None


class SsoProved(ApiModel):
    email_address: str
    linked: Annotated[
        bool,
        Field(
            description="Whether the account is linked to this company account. If not, a login"
            " with password and code comes first, then `POST /api/auth/sso/link`."
        ),
    ]
    salt: str | None = None
    user_uuid: str | None = None
    passkey: Annotated[
        dict[str, Any] | None,
        Field(description="Asks for a passkey that unlocks the keys; null if there is none."),
    ] = None


class SsoLogin(ApiModel):
    password: Secret


class SsoPasskeyLogin(ApiModel):
    credential: Assertion


class PasskeySession(SessionRead):
    passkey_key: Annotated[str | None, Field(description="The user key as this passkey seals it.")]


class LogoutTaken(ApiModel):
    """Nothing about who was logged out."""


class LoopbackRedirect(ApiModel):
    """The program waits there, on the computer where the browser is."""

    port: Annotated[int, Field(ge=1024, le=65535)]
    state: Digest


class ClientLoginStart(ApiModel):
    email_address: LoginAddress
    client: ClientDevice
    challenge: Annotated[
        Digest, Field(description="The SHA-256 hash of a verifier that only the program knows.")
    ]
    redirect: Annotated[
        LoopbackRedirect | None,
        Field(description="Null: the person types the device code, in a browser anywhere."),
    ] = None


class ClientLoginStarted(ApiModel):
    handle: str
    device_code: Annotated[str, Field(description="What the person compares or types.")]
    expires_in: Annotated[int, Field(description="Seconds.")]
    interval: Annotated[int, Field(description="Seconds between two questions for the state.")]


class ClientLoginNamed(ApiModel):
    """By the handle if the program waits at a port of its own computer, else by the device code."""

    handle: Handle | None = None
    device_code: DeviceCode | None = None


class ClientLoginShown(ApiModel):
    """Which computer asks."""

    name: str
    system: str
    version: str
    origin: str
    started_at: datetime
    device_code: str


class ClientLoginDecision(ClientLoginNamed):
    accepted: bool


class ClientLoginDecided(ApiModel):
    redirect: Annotated[str | None, Field(description="Where the browser goes on; null: nowhere.")]


class ClientLoginProof(ApiModel):
    """What only the program knows, and the code that came back to its port."""

    handle: Handle
    verifier: Verifier
    code: Handle | None = None


class ClientLoginState(ApiModel):
    confirmed: bool
    email_address: str | None = None
    salt: str | None = None


class ClientLoginFinish(ClientLoginProof):
    password: Secret
