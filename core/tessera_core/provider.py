"""How a provider of storage is described: once, for the service, the client and the console."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Translated(Generic[T]):
    """The same in every language of the product."""

    en: T
    tr: T
    ar: T

    def read(self, language: str) -> T:
        found: T = getattr(self, language)
        return found


Text = Translated[str]


@dataclass(frozen=True)
class Field:
    """A value that the connect form asks for. Its name on the wire is in camel case."""

    name: str
    label: Text
    # Where the value is found, on the help page. Without it the API accepts the field, and the
    # console does not ask for it.
    help: Text | None = None
    # Below the field in the form.
    hint: Text | None = None
    required: bool = True
    secret: bool = False
    multi_line: bool = False
    # Takes the whole width of the form.
    wide: bool = False
    # A value has to match the one as a whole and to contain no match of the other.
    pattern: str = r"(?s:.*)"
    without: str = r"(?!)"
    # Messages by code. A value that does not match gets the first; the others belong to the checks
    # in the module with the provider's calls.
    problems: Mapping[str, Text] = field(default_factory=dict)
    # Any other value can be entered too.
    suggestions: tuple[str, ...] = ()
    # Its name in the provider's key file.
    key_file_name: str = ""

    def mismatch(self, value: str) -> str | None:
        """Returns the code of the problem with a value that breaks the pattern."""
        if re.fullmatch(self.pattern, value) and not re.search(self.without, value):
            return None
        return next(iter(self.problems), "invalid")


@dataclass(frozen=True)
class KeyFile:
    """A JSON file of the provider that can be pasted instead of filling in the fields by hand."""

    label: Text
    hint: Text
    unreadable: Text
    placeholder: str


@dataclass(frozen=True)
class Guide:
    """How to get the credentials. `**Name**` is a button, a value stands in backquotes."""

    steps: tuple[str, ...]
    # The caption of the snippet, what it allows, and what else to know about it.
    snippet: str
    permissions: str
    notes: tuple[str, ...]
    warning: str = ""


@dataclass(frozen=True)
class SnippetValue:
    """A placeholder of the snippet, with what it shows until the reader enters a value."""

    name: str
    label: Text
    initial: str


@dataclass(frozen=True)
class Provider:
    # As it is stored, and in the API as `wareHouseId`.
    type: int
    # Names the module with its calls, its option on the command line and its sandbox folder.
    key: str
    # The same in every language.
    name: str
    # Its place in lists; the first one is preselected.
    position: int
    # By which the console's search finds the pages about warehouses.
    search_words: str
    # Where its links lead, over HTTPS. A leading dot stands for any subdomain.
    link_hosts: tuple[str, ...]
    # In the order of the form.
    fields: tuple[Field, ...]
    # Where the credentials are created.
    console_name: str
    console_url: str
    guide: Translated[Guide]
    # The permissions to copy. `{name}` stands for a value, `{path/}` for the path and a slash;
    # lines with `{path}` are left out where there is none.
    snippet: str
    # How to let the page of a share read straight from the cloud, and the rules to copy for it.
    browsers: Text
    cors_rules: str = ""
    snippet_values: tuple[SnippetValue, ...] = ()
    # Names the bucket or container; empty where an account has none.
    bucket_field: str = ""
    # Groups of fields instead of each other. The first one that was begun is required, or the last.
    alternatives: tuple[tuple[str, ...], ...] = ()
    key_file: KeyFile | None = None
    # False for one that only has a section on the help page.
    is_connectable: bool = True

    @property
    def section(self) -> str:
        """The fragment of its section on the help page."""
        return self.name.lower().replace(" ", "-")

    @property
    def secrets(self) -> frozenset[str]:
        return frozenset(field.name for field in self.fields if field.secret)

    def required_fields(self, credentials: Mapping[str, str]) -> frozenset[str]:
        """Depends on what else is given where there are alternatives."""
        begun = [
            group
            for group in self.alternatives
            if any(credentials.get(name, "").strip() for name in group)
        ]
        group = (*begun, *self.alternatives[-1:], ())[0]
        others = {name for names in self.alternatives for name in names}
        always = {field.name for field in self.fields if field.required} - others
        return frozenset(always | set(group))


PATH = Text("Path", "Yol", "المسار")
PATH_HINT = Text(
    "The folder for Tessera’s files, such as /vault",
    "Tessera dosyalarının klasörü, örneğin /vault",
    "مجلد ملفات Tessera، مثل \u2066/vault\u2069",
)
BUCKET_NAME = Text("Bucket Name", "Bucket adı", "اسم الحاوية (Bucket)")
BUCKET_PROBLEM = Text(
    "Use at least 3 lowercase letters, digits, dots or hyphens.",
    "En az 3 küçük harf, rakam, nokta veya kısa çizgi kullanın.",
    "استخدم 3 على الأقل من الأحرف الصغيرة أو الأرقام أو النقاط أو الشرطات.",
)
