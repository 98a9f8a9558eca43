import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tessera.authz.queries import Recipient
from tessera.errors import Text
from tessera.kit.i18n import Language, catalogue, set_shared_params
from tessera.notifications import mails
from tessera.notifications.rendering import render_email

CONSOLE = Path(__file__).parents[3] / "frontend" / "src" / "i18n" / "locales"


def console(language: Language, namespace: str) -> dict[str, Any]:
    texts: dict[str, Any] = json.loads((CONSOLE / language / f"{namespace}.json").read_text())
    return texts


@pytest.mark.parametrize("language", list(Language))
def test_every_mail_says_whom_to_ask(language: Language) -> None:
    set_shared_params(support="support@tessera.test")
    mail = mails.ResetLink(minutes=mails.Count(30, "minutes"), link="https://x.test/reset")
    email = render_email(Recipient("a@b.test", language, "Ada"), mail)
    assert email.text.splitlines()[-1].count("support@tessera.test") == 1
    assert email.html.count("support@tessera.test") == 1
    assert "&lt;br&gt;" not in email.html


@pytest.mark.parametrize("language", list(Language))
class TestFooter:
    def footer(self, language: Language, mail: mails.Mail) -> str:
        return render_email(Recipient("a@b.test", language), mail).text.splitlines()[-3]

    def test_tells_strangers_why_they_were_written_to(self, language: Language) -> None:
        company, inviter, days = "Northwind", "Ada Lindqvist", mails.Count(7, "days")
        for mail in (
            mails.Invite(company, inviter, days, "https://x.test"),
            mails.InviteKnown(company, inviter),
        ):
            footer = self.footer(language, mail)
            assert "Ada Lindqvist" in footer
            assert "Northwind" in footer

    def test_tells_only_managers_that_they_manage_the_account(self, language: Language) -> None:
        to_managers = catalogue(language)["mails"]["footerManager"]
        lost = mails.WarehouseLost(None, "Depot", Text("warehouses.failures.timeout", ""))
        assert self.footer(language, mails.DebtSettled("Northwind", "")) == to_managers
        assert self.footer(language, lost) == to_managers
        assert self.footer(language, mails.PasswordChanged()) != to_managers


def test_values_are_written_as_the_language_writes_them() -> None:
    mail = mails.TrialEnding(
        company="evil.test",
        link="https://x.test",
        left=mails.Count(3, "days"),
        trial=datetime(2026, 3, 1, tzinfo=UTC),
        price=mails.Money(75_000, "usd"),
        deadline=datetime(2026, 2, 8, tzinfo=UTC),
    )
    for language, parts in {
        Language.EN: ("3 days", "March 1, 2026", "$750"),
        Language.TR: ("3 gün", "1 Mart 2026", "$750"),
    }.items():
        text = render_email(Recipient("a@b.test", language), mail, "footerBilling")
        assert all(part in f"{text.subject} {text.text}" for part in parts), text.text
        # A word joiner keeps mail programs from making it a link.
        assert "evil.\u2060test" in text.text


@pytest.mark.parametrize("language", list(Language))
def test_mails_name_pages_tabs_and_buttons_by_their_labels(language: Language) -> None:
    members, invites, common = (
        console(language, name) for name in ("members", "invites", "common")
    )
    mails = catalogue(language)["mails"]
    again = " ".join(mails["inviteRequested"]["paragraphs"])
    assert members["tabs"]["invited"] in again
    assert invites["actions"]["resend"] in again
    assert common["screens"]["teamMembers"] in again
    screens = common["screens"]
    assert screens["subscription"] in mails["trialEnding"]["paragraphs"][1]
    assert screens["agreement"].split()[0] in mails["trialEnding"]["paragraphs"][1]
    buttons = console(language, "subscription")["buttons"]
    assert mails["subscriptionCancelled"]["action"] == buttons["reactivate"]
