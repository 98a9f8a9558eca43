"""Renders mails: texts from the catalogues, one plain layout, escaped by the template engine."""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from jinja2 import Environment, Template

from tessera.integrations.email.protocol import Email
from tessera.kit.i18n import Language, catalogue, fill

_FOOTERS = {
    **dict.fromkeys(("invite", "inviteKnown"), "footerInvited"),
    **dict.fromkeys(
        (
            "accessEnded",
            "companyDisabled",
            "companyDisabledForReason",
            "companyEnabled",
            "deactivatedForDebt",
            "debtSettled",
            "debtWarning",
            "inviteAskedFor",
            "keyHolderLost",
            "keyHolderRevealed",
            "keyRotated",
            "memberWaiting",
            "passphraseChanged",
            "paymentFailed",
            "paymentSucceeded",
            "storageAtRisk",
            "storageRepaired",
            "subscriptionCancelled",
            "subscriptionEnded",
            "trialEnding",
            "warehouseBack",
            "warehouseLost",
            "warehouseRemoved",
            "webhookDisabled",
        ),
        "footerManager",
    ),
}


@cache
def _layout() -> Template:
    source = files("tessera.notifications").joinpath("mail.html.j2").read_text(encoding="utf-8")
    return Environment(autoescape=True).from_string(source)


# Texts that users choose and that others read.
_FREE_TEXT = {"actor", "name", "inviter", "leader", "company", "member", "warehouse"}
_WORD_JOINER = "\u2060"


def _without_links(text: str) -> str:
    """Keeps mail programs from turning e.g. `evil.test` into a link; it looks the same."""
    return re.sub(r"(?<=[.:/@])(?=\S)", _WORD_JOINER, " ".join(text.split()))


def render_email(
    to: str,
    language: Language,
    template: str,
    link: str | None,
    params: Mapping[str, str],
    *,
    footer: str | None = None,
) -> Email:
    """`footer` names the text for a recipient who is not the template's usual one."""
    words = catalogue(language)["mails"]
    mail = words[template]
    one_line = {
        name: _without_links(value) if name in _FREE_TEXT else " ".join(value.split())
        for name, value in params.items()
    }
    paragraphs = [fill(part, one_line) for part in mail["paragraphs"]]
    greeting = fill(words["greeting"], one_line) if "name" in one_line else None
    action = fill(mail["action"], one_line) if link and "action" in mail else None
    reason = words[footer or _FOOTERS.get(template, "footer")]
    closing = [fill(reason, one_line), fill(words["contact"], {})]
    html = _layout().render(
        language=language.value,
        direction="rtl" if language is Language.AR else "ltr",
        title=fill(mail["subject"], one_line),
        greeting=greeting,
        paragraphs=paragraphs,
        action=action,
        link=link,
        footer=closing,
    )
    lines = [greeting, *paragraphs, f"{action}: {link}" if action else None, *closing]
    return Email(
        to=to,
        subject=fill(mail["subject"], one_line),
        text="\n\n".join(line for line in lines if line),
        html=html,
        link=link,
    )
