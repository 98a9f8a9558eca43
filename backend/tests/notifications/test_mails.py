"""The declared mails against their texts in the catalogues."""

import ast
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, get_type_hints

import pytest

import tessera
from tessera.authz.queries import Recipient
from tessera.errors import Text
from tessera.kit.i18n import Language, catalogue
from tessera.notifications import mails
from tessera.notifications.rendering import render_email, text_key


def leaves(mail: type[mails.Mail]) -> list[type[mails.Mail]]:
    below = mail.__subclasses__()
    return [leaf for each in below for leaf in leaves(each)] if below else [mail]


MAILS = {text_key(mail): mail for mail in leaves(mails.Mail)}
_SAMPLES = {
    datetime: datetime(2026, 1, 1, tzinfo=UTC),
    mails.Money: mails.Money(75_000, "usd"),
    mails.Count: mails.Count(3, "days"),
    Text: Text("mails.contact", ""),
    int: 3,
}
OTHER_FOOTERS = {mails.AlertMail: "footerAlerts", mails.BillingMail: "footerBilling"}


def named(*texts: str) -> set[str]:
    return {name for text in texts for name in re.findall(r"{(\w+)}", text)} - {"support"}


def footers(mail: type[mails.Mail]) -> list[str]:
    other = [name for base, name in OTHER_FOOTERS.items() if issubclass(mail, base)]
    return [mail.footer, *other]


@pytest.mark.parametrize("language", list(Language))
class TestTexts:
    def texts(self, language: Language) -> dict[str, Any]:
        texts: dict[str, Any] = catalogue(language)["mails"]
        return texts

    def test_each_mail_has_its_text_and_each_text_its_mail(self, language: Language) -> None:
        with_subject = {key for key, text in self.texts(language).items() if "subject" in text}
        assert with_subject == set(MAILS)

    def test_texts_name_each_declared_parameter_and_no_other(self, language: Language) -> None:
        texts = self.texts(language)
        for key, mail in MAILS.items():
            text = texts[key]
            own = named(text["subject"], *text["paragraphs"], text.get("action", ""))
            own |= named(*(texts[footer] for footer in footers(mail)))
            assert own == set(mail.__struct_fields__) - {"link"}, key

    def test_mail_has_a_link_if_its_text_has_an_action(self, language: Language) -> None:
        texts = self.texts(language)
        for key, mail in MAILS.items():
            assert ("action" in texts[key]) == ("link" in mail.__struct_fields__), key


@pytest.mark.parametrize("mail", MAILS.values(), ids=lambda mail: mail.__name__)
def test_what_users_choose_becomes_no_link(mail: type[mails.Mail]) -> None:
    hints = get_type_hints(mail)
    texts = {name: "evil.test" for name in mail.__struct_fields__ if hints[name] is str}
    texts.pop("link", None)
    params = {name: _SAMPLES.get(hints[name]) for name in mail.__struct_fields__}
    email = render_email(Recipient("a@b.test", "en", "evil.test"), mail(**{**params, **texts}))
    assert ("evil.test" in email.text) == bool({"address", "host", "reason"} & hints.keys())


def test_every_mail_is_sent_somewhere() -> None:
    package = Path(tessera.__file__).parent
    sources = [path for path in package.rglob("*.py") if path.name != "mails.py"]
    named = {
        node.attr
        for path in sources
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute)
    }
    assert {mail.__name__ for mail in MAILS.values()} - named == set()


def test_mail_without_one_of_its_parameters_is_refused() -> None:
    with pytest.raises(TypeError, match="address"):
        mails.InviteRequested(link="https://console.test")  # type: ignore[call-arg]
