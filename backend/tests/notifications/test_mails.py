"""The declared mails against their texts in the catalogues."""

import re
from typing import Any

import pytest

from tessera.kit.i18n import Language, catalogue
from tessera.notifications import mails
from tessera.notifications.rendering import free_text_fields, text_key


def leaves(mail: type[mails.Mail]) -> list[type[mails.Mail]]:
    below = mail.__subclasses__()
    return [leaf for each in below for leaf in leaves(each)] if below else [mail]


MAILS = {text_key(mail): mail for mail in leaves(mails.Mail)}
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


def test_every_name_that_users_choose_for_others_is_free_text() -> None:
    chosen = {"actor", "company", "inviter", "leader", "member", "warehouse"}
    for key, mail in MAILS.items():
        assert free_text_fields(mail) == chosen & set(mail.__struct_fields__), key


def test_mail_without_one_of_its_parameters_is_refused() -> None:
    with pytest.raises(TypeError, match="address"):
        mails.InviteRequested(link="https://console.test")  # type: ignore[call-arg]
