"""Renders mails: texts from the catalogues, one plain layout, escaped by the template engine."""

import re
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from importlib.resources import files
from typing import Protocol, get_type_hints

from jinja2 import Environment, Template
from msgspec.structs import asdict

from tessera.errors import Text
from tessera.integrations.email import Email
from tessera.kit.formatting import format_count, format_date, format_money
from tessera.kit.i18n import Language, catalogue, fill, translate
from tessera.notifications.mails import Count, Footer, Mail, Money, Verbatim

_WORD_JOINER = "\u2060"


class Addressee(Protocol):
    """A row of a person who gets mail; without a first name the mail does not greet."""

    @property
    def email(self) -> str: ...
    @property
    def first_name(self) -> str: ...
    @property
    def language(self) -> str: ...


def text_key(mail: type[Mail]) -> str:
    return mail.__name__[0].lower() + mail.__name__[1:]


@cache
def _verbatim_fields(mail: type[Mail]) -> frozenset[str]:
    hints = get_type_hints(mail, include_extras=True)
    return frozenset(name for name, kind in hints.items() if kind == Verbatim)


def render_email(to: Addressee, mail: Mail, footer: Footer | None = None) -> Email:
    """`footer` is for a recipient who is not the mail's usual one."""
    language = Language(to.language)
    texts: Mapping[str, str] = catalogue(language)["mails"]
    words = catalogue(language)["mails"][text_key(type(mail))]
    params = _params(mail, language)
    link: str | None = getattr(mail, "link", None)
    paragraphs = [fill(part, params) for part in words["paragraphs"]]
    name = {"name": _without_links(to.first_name)}
    greeting = fill(texts["greeting"], name) if to.first_name else None
    action = fill(words["action"], params) if link else None
    closing = [fill(texts[footer or mail.footer], params), fill(texts["contact"], {})]
    subject = fill(words["subject"], params)
    html = _layout().render(
        language=language.value,
        direction="rtl" if language is Language.AR else "ltr",
        title=subject,
        greeting=greeting,
        paragraphs=paragraphs,
        action=action,
        link=link,
        footer=closing,
    )
    lines = [greeting, *paragraphs, f"{action}: {link}" if action else None, *closing]
    return Email(
        to=to.email,
        subject=subject,
        text="\n\n".join(line for line in lines if line),
        html=html,
        link=link,
    )


@cache
def _layout() -> Template:
    source = files("tessera.notifications").joinpath("mail.html.j2").read_text(encoding="utf-8")
    return Environment(autoescape=True).from_string(source)


def _params(mail: Mail, language: Language) -> dict[str, str]:
    verbatim = _verbatim_fields(type(mail))
    return {
        name: " ".join(value.split()) if name in verbatim else _formatted(value, language)
        for name, value in asdict(mail).items()
    }


def _formatted(value: object, language: Language) -> str:
    match value:
        case datetime():
            return format_date(value, language)
        case Money():
            return format_money(value.cents, value.currency, language)
        case Count():
            return format_count(value.unit, value.number, language)
        case Text():
            return translate(value.key, language)
        case None:
            return ""
        case _:
            return _without_links(str(value))


def _without_links(text: str) -> str:
    """Keeps mail programs from turning e.g. `evil.test` into a link; it looks the same."""
    return re.sub(r"(?<=[.:/@])(?=\S)", _WORD_JOINER, " ".join(text.split()))
