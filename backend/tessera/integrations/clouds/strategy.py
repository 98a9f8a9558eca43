"""How the service uses a provider's storage; each provider is one instance of this class."""

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from tessera.integrations.clouds import paths
from tessera.integrations.clouds.protocol import ConnectionFailure, Link, Upload
from tessera.settings import Settings
from tessera_core.provider import Field, Provider

Credentials = Mapping[str, str]

MAX_CHARACTERS = 8192

# In the sandbox these replace a secret, so that success and failure can be shown without one.
SANDBOX_SECRETS = frozenset({"demo", "wrong"})
SANDBOX_REGION = "wrong"


def prefix(credentials: Credentials) -> str:
    """Returns the warehouse's own path without slashes at its ends; empty for the root."""
    return paths.normalised((credentials.get("path") or "").strip())


@dataclass(frozen=True)
class LinkRequest:
    """A link to be made; `key` contains the warehouse's path, and downloads have no upload."""

    credentials: Credentials = field(repr=False)
    settings: Settings = field(repr=False)
    key: str
    upload: Upload | None
    now: datetime
    seconds: int

    @property
    def expires_at(self) -> datetime:
        return self.now + timedelta(seconds=self.seconds)


@dataclass(frozen=True)
class Strategy:
    provider: Provider
    # The operator's scheme and options; for valid credentials only.
    scheme: str
    options: Callable[[Credentials, Settings], dict[str, str]]
    # Texts in a provider's response and their meaning; the first match counts.
    causes: tuple[tuple[str, ConnectionFailure], ...]
    # The account and bucket that credentials name; also the sandbox folder that represents them.
    place: Callable[[Credentials], str]
    # What is lost together: the provider's account, as far as the credentials name it.
    account: Callable[[Credentials], str]
    # Signs or requests a link to one object.
    link: Callable[[LinkRequest], Coroutine[None, None, Link]]
    # Checks beyond the pattern of a field: each returns one of the field's problems, or None.
    checks: Mapping[str, Callable[[str], str | None]] = field(default_factory=dict)
    # Corrects the cause of a failure where the credentials make another one more likely.
    reconsider: Callable[[Credentials, ConnectionFailure], ConnectionFailure] = field(
        default=lambda _, failure: failure
    )
    # True where each link takes a thread for milliseconds, so that one call gets a bounded number.
    has_costly_links: bool = False
    case_sensitive_paths: bool = True
    # False where the library lists names without their folders, so that each is listed by itself.
    lists_whole_paths: bool = True
    # False where one account has many credentials, so that they cannot be compared.
    place_names_account: bool = True

    def check(self, credentials: Credentials, *, sandbox: bool = False) -> dict[str, str]:
        """Maps fields to the codes of their problems; empty if the credentials are valid."""
        problems = {}
        required = self.provider.required_fields(credentials)
        for described in self.provider.fields:
            value = credentials.get(described.name) or ""
            if not value.strip():
                code = "missing" if described.name in required else None
            else:
                code = self._problem(described, value, sandbox=sandbox)
            if code is not None:
                problems[described.name] = code
        return problems

    def bucket(self, credentials: Credentials) -> str:
        return credentials.get(self.provider.bucket_field, "")

    def location(self, credentials: Credentials) -> tuple[str, ...]:
        """Returns the place and the folders of the path, in a comparable spelling."""
        path = prefix(credentials)
        folders = path if self.case_sensitive_paths else path.casefold()
        return (self.place(credentials), *(folders.split("/") if folders else ()))

    def _problem(self, described: Field, value: str, *, sandbox: bool) -> str | None:
        if len(value) > MAX_CHARACTERS:
            return "too_long"
        if sandbox and _is_stand_in(described, value):
            return None
        if described.name == "path":
            return paths.problem(value)
        if not value.isascii() or not value.replace("\r", "").replace("\n", "").isprintable():
            return "characters"
        return self.checks.get(described.name, described.mismatch)(value)


def _is_stand_in(described: Field, value: str) -> bool:
    if described.name == "region":
        return value == SANDBOX_REGION
    return described.secret and value in SANDBOX_SECRETS
