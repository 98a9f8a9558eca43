"""Base models and field types of the API."""

import re
import unicodedata
from ipaddress import ip_network
from typing import Annotated, Self

from email_validator import EmailNotValidError, validate_email
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    PlainSerializer,
    StringConstraints,
    WithJsonSchema,
)
from pydantic.alias_generators import to_camel

from tessera.kit.responses import FieldError
from tessera_core import base64url


class ApiModel(BaseModel):
    model_config = ConfigDict(
        alias_generator=to_camel, populate_by_name=True, extra="forbid", hide_input_in_errors=True
    )

    @classmethod
    def of(cls, row: object, **others: object) -> Self:
        """Takes the fields from the row's attributes of the same names, except those given."""
        same = {name: getattr(row, name) for name in cls.model_fields if name not in others}
        return cls(**same, **others)


class SecretBody(ApiModel):
    """A body whose fields the specification puts into the query."""


class Toggle(ApiModel):
    """Without `enabled` the call toggles; with it, repeating the call changes nothing."""

    enabled: bool | None = None


def _email(text: str) -> str:
    try:
        return validate_email(text, check_deliverability=False, test_environment=True).normalized
    except EmailNotValidError:
        raise FieldError("email") from None


_PHONE = re.compile(r"\+[0-9]{7,15}")


def _phone(text: str) -> str:
    """Accepts spaces. Whether the number can exist is left to the console, as a warning."""
    number = text.replace(" ", "")
    if not _PHONE.fullmatch(number):
        raise FieldError("phone")
    return number


# Names appear in mails to others, where a mail program would turn an address into a link.
_LINK = re.compile(r"/|@|\bwww\.|\.[a-z]{2,}\b")


def clean_line(text: str) -> str:
    cleaned = unicodedata.normalize("NFC", text).strip()
    if any(unicodedata.category(character).startswith("C") for character in cleaned):
        raise FieldError("characters")
    return cleaned


def needed_line(text: str) -> str:
    cleaned = clean_line(text)
    if not cleaned:
        raise FieldError("missing")
    return cleaned


def _person_name(text: str) -> str:
    cleaned = needed_line(text)
    if _LINK.search(cleaned):
        raise FieldError("link")
    return cleaned


def _storable(text: str) -> str:
    if "\0" in text:
        raise FieldError("characters")
    return text


# Any text that PostgreSQL can store.
Storable = AfterValidator(_storable)
EmailAddress = Annotated[str, StringConstraints(max_length=254), AfterValidator(_email)]
PhoneNumber = Annotated[str, StringConstraints(max_length=32), AfterValidator(_phone)]
PersonName = Annotated[str, StringConstraints(max_length=100), AfterValidator(_person_name)]
# Short printable text on one line.
Label = Annotated[str, StringConstraints(max_length=100), AfterValidator(needed_line)]


def normalize_email(address: str) -> str:
    """Normalizes an address, so that upper and lower case give the same account."""
    return unicodedata.normalize("NFKC", address).strip().casefold()


def _decode(value: object) -> object:
    """Reads canonical base64url; bytes from our own code pass."""
    if not isinstance(value, str):
        return value
    try:
        return base64url.decode(value)
    except ValueError:
        raise FieldError("base64url") from None


Base64Url = Annotated[
    bytes,
    BeforeValidator(_decode),
    PlainSerializer(base64url.encode, return_type=str),
    WithJsonSchema({"type": "string", "contentEncoding": "base64url"}),
]


def _network(text: str) -> str:
    """A single address is a network of one; bits beyond the prefix are refused as a mistake."""
    try:
        return str(ip_network(text.strip()))
    except ValueError:
        raise FieldError("network") from None


Network = Annotated[str, StringConstraints(max_length=50), AfterValidator(_network)]


def distinct(values: list[str]) -> list[str]:
    return list(dict.fromkeys(values))
