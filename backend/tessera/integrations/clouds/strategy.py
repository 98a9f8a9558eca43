"""What the product knows about a type of warehouse; each type is one value of this class."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from tessera.integrations.clouds import paths
from tessera.integrations.clouds.protocol import ConnectionFailure, WarehouseType
from tessera.settings import Settings

Form = Mapping[str, str]
Check = Callable[[str], str | None]

MAX_CHARACTERS = 8192

# In the sandbox these stand for a secret, so that success and failure can be shown without one.
SANDBOX_SECRETS = frozenset({"demo", "wrong"})
SANDBOX_REGION = "wrong"


def prefix(form: Form) -> str:
    """The warehouse's own path, without slashes at its ends; empty for the root."""
    return paths.normalised((form.get("path") or "").strip())


@dataclass(frozen=True)
class Strategy:
    type: WarehouseType
    fields: tuple[str, ...]
    required: frozenset[str]
    secret: frozenset[str]
    # What a field has to look like beyond being there: the code of what is wrong, or None.
    checks: Mapping[str, Check]
    # The scheme and options of the operator; a sound form only.
    scheme: str
    options: Callable[[Form, Settings], dict[str, str]]
    # What a provider's answer contains, and what that means; the first one found counts.
    causes: tuple[tuple[str, ConnectionFailure], ...]
    # The folder of the sandbox that stands for the account and bucket of a form.
    place: Callable[[Form], str]
    # A second thought about a failure, where the form itself makes another cause likelier.
    reconsider: Callable[[Form, ConnectionFailure], ConnectionFailure] = field(
        default=lambda _, failure: failure
    )

    def check(self, form: Form, *, sandbox: bool = False) -> dict[str, str]:
        """Field to the code of its message (locales, `fields`); empty when the form is sound."""
        found = {}
        for name in self.fields:
            code = self._problem(name, form.get(name) or "", sandbox=sandbox)
            if code is not None:
                found[name] = code
        return found

    def _problem(self, name: str, value: str, *, sandbox: bool) -> str | None:
        if not value.strip():
            return "missing" if name in self.required else None
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
