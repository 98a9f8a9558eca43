"""Renders mails: texts from the catalogues, one plain layout, escaped by the template engine."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from jinja2 import Environment, Template

from tessera.integrations.email.protocol import Email
from tessera.kit.i18n import Language, catalogue


@cache
def _layout() -> Template:
    source = files("tessera.notifications").joinpath("mail.html.j2").read_text(encoding="utf-8")
    return Environment(autoescape=True).from_string(source)


def render_email(
    to: str, language: Language, template: str, link: str | None, params: Mapping[str, str]
) -> Email:
    words = catalogue(language)["mails"]
    mail = words[template]
    one_line = {name: " ".join(value.split()) for name, value in params.items()}
    paragraphs = [part.format(**one_line) for part in mail["paragraphs"]]
    greeting = words["greeting"].format(**one_line) if "name" in one_line else None
    action = mail["action"].format(**one_line) if link and "action" in mail else None
    html = _layout().render(
        language=language.value,
        direction="rtl" if language is Language.AR else "ltr",
        title=mail["subject"].format(**one_line),
        greeting=greeting,
        paragraphs=paragraphs,
        action=action,
        link=link,
        footer=words["footer"],
    )
    lines = [greeting, *paragraphs, f"{action}: {link}" if action else None, words["footer"]]
    return Email(
        to=to,
        subject=mail["subject"].format(**one_line),
        text="\n\n".join(line for line in lines if line),
        html=html,
        link=link,
    )
