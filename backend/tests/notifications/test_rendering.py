import pytest

from tessera.kit.i18n import Language, set_shared_params
from tessera.notifications.rendering import render_email


@pytest.mark.parametrize("language", list(Language))
def test_every_mail_says_whom_to_ask(language: Language) -> None:
    set_shared_params(support="support@tessera.test")
    params = {"name": "Ada", "minutes": "30"}
    email = render_email("a@b.test", language, "resetLink", "https://x.test/reset", params)
    assert email.text.splitlines()[-1].count("support@tessera.test") == 1
    assert email.html.count("support@tessera.test") == 1
    assert "&lt;br&gt;" not in email.html
