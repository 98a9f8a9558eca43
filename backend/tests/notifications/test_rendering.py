import json
import re
from pathlib import Path
from typing import Any

import pytest

from tessera.kit.i18n import Language, catalogue, set_shared_params
from tessera.notifications.rendering import render_email

CONSOLE = Path(__file__).parents[3] / "frontend" / "src" / "i18n" / "locales"
PARAMS = re.findall(r"{(\w+)}", json.dumps(catalogue(Language.EN)["mails"]))


def console(language: Language, namespace: str) -> dict[str, Any]:
    texts: dict[str, Any] = json.loads((CONSOLE / language / f"{namespace}.json").read_text())
    return texts


@pytest.mark.parametrize("language", list(Language))
def test_every_mail_says_whom_to_ask(language: Language) -> None:
    set_shared_params(support="support@tessera.test")
    params = {"name": "Ada", "minutes": "30"}
    email = render_email("a@b.test", language, "resetLink", "https://x.test/reset", params)
    assert email.text.splitlines()[-1].count("support@tessera.test") == 1
    assert email.html.count("support@tessera.test") == 1
    assert "&lt;br&gt;" not in email.html


@pytest.mark.parametrize("language", list(Language))
class TestFooter:
    def footer(self, language: Language, template: str) -> str:
        params = dict.fromkeys(PARAMS, "") | {"inviter": "Ada Lindqvist", "company": "Northwind"}
        return render_email("a@b.test", language, template, None, params).text.splitlines()[-3]

    def test_tells_strangers_why_they_were_written_to(self, language: Language) -> None:
        for template in ("invite", "inviteKnown"):
            footer = self.footer(language, template)
            assert "Ada Lindqvist" in footer
            assert "Northwind" in footer

    def test_tells_only_managers_that_they_manage_the_account(self, language: Language) -> None:
        to_managers = catalogue(language)["mails"]["footerManager"]
        assert self.footer(language, "paymentFailed") == to_managers
        assert self.footer(language, "warehouseLost") == to_managers
        assert self.footer(language, "passwordChanged") != to_managers


@pytest.mark.parametrize("language", list(Language))
def test_mails_name_pages_tabs_and_buttons_by_their_labels(language: Language) -> None:
    members, invites, common = (
        console(language, name) for name in ("members", "invites", "common")
    )
    mails = catalogue(language)["mails"]
    again = " ".join(mails["inviteAskedFor"]["paragraphs"])
    assert members["tabs"]["invited"] in again
    assert invites["actions"]["resend"] in again
    assert common["screens"]["teamMembers"] in again
    screens = common["screens"]
    assert screens["subscription"] in mails["trialEnding"]["paragraphs"][1]
    assert screens["agreement"].split()[0] in mails["trialEnding"]["paragraphs"][1]
    buttons = console(language, "subscription")["buttons"]
    assert mails["subscriptionCancelled"]["action"] == buttons["reactivate"]
