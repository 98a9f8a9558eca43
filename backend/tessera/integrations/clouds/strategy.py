"""Describes a type of warehouse; each type is one instance of this class."""

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from tessera.integrations.clouds import paths
from tessera.integrations.clouds.protocol import ConnectionFailure, Link, Upload, WarehouseType
from tessera.settings import Settings

Form = Mapping[str, str]
Check = Callable[[str], str | None]

MAX_CHARACTERS = 8192

# In the sandbox these replace a secret, so that success and failure can be shown without one.
SANDBOX_SECRETS = frozenset({"demo", "wrong"})
SANDBOX_REGION = "wrong"


def prefix(form: Form) -> str:
    """Returns the warehouse's own path without slashes at its ends; empty for the root."""
    return paths.normalised((form.get("path") or "").strip())


@dataclass(frozen=True)
class LinkRequest:
    """A link to be made; `key` contains the warehouse's path, and downloads have no upload."""

    form: Form = field(repr=False)
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
    type: WarehouseType
    fields: tuple[str, ...]
    required: frozenset[str]
    secret: frozenset[str]
    # Checks beyond presence: each returns an error code or None.
    checks: Mapping[str, Check]
    # The operator's scheme and options; for valid forms only.
    scheme: str
    options: Callable[[Form, Settings], dict[str, str]]
    # Texts in a provider's response and their meaning; the first match counts.
    causes: tuple[tuple[str, ConnectionFailure], ...]
    # The account and bucket of a form; also the sandbox folder that represents them.
    place: Callable[[Form], str]
    # What is lost together: the provider's account, as far as a form names it.
    account: Callable[[Form], str]
    # Names the bucket or container; None where an account has none.
    bucket_field: str | None
    # Signs or requests a link to one object.
    link: Callable[[LinkRequest], Coroutine[None, None, Link]]
    # The required fields of a form, where they depend on what else is given.
    required_with: Callable[[Form], frozenset[str]] | None = None
    # Corrects the cause of a failure where the form makes another one more likely.
    reconsider: Callable[[Form, ConnectionFailure], ConnectionFailure] = field(
        default=lambda _, failure: failure
    )
    # True where each link takes a thread for milliseconds, so that one call gets a bounded number.
    has_costly_links: bool = False
    case_sensitive_paths: bool = True
    # False where the library lists names without their folders, so that each is listed by itself.
    lists_whole_paths: bool = True
    # False where one account has many credentials, so that forms cannot be compared.
    place_names_account: bool = True

    def check(self, form: Form, *, sandbox: bool = False) -> dict[str, str]:
        """Maps fields to message codes (locales, `fields`); empty if the form is valid."""
        found = {}
        required = self.required_fields(form)
        for name in self.fields:
            value = form.get(name) or ""
            if not value.strip():
                code = "missing" if name in required else None
            else:
                code = self._problem(name, value, sandbox=sandbox)
            if code is not None:
                found[name] = code
        return found

    def bucket(self, form: Form) -> str:
        return form.get(self.bucket_field, "") if self.bucket_field else ""

    def required_fields(self, form: Form) -> frozenset[str]:
        return self.required_with(form) if self.required_with else self.required

    def location(self, form: Form) -> tuple[str, ...]:
        """Returns the place and the folders of the path, in a comparable spelling."""
        path = prefix(form)
        folders = path if self.case_sensitive_paths else path.casefold()
        return (self.place(form), *(folders.split("/") if folders else ()))

    def _problem(self, name: str, value: str, *, sandbox: bool) -> str | None:
        if len(value) > MAX_CHARACTERS:
            return "too_long"
        if sandbox and self._is_stand_in(name, value):
            return None
        if name == "path":
            return paths.problem(value)
        if not value.isascii() or not value.replace("\r", "").replace("\n", "").isprintable():
            return "characters"
        check = self.checks.get(name)
        return check(value) if check else None

    def _is_stand_in(self, name: str, value: str) -> bool:
        if name == "region":
            return value == SANDBOX_REGION
        return name in self.secret and value in SANDBOX_SECRETS
