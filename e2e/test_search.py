"""Search of the console: what can be done on a screen is found by its words and opened at once."""

import re

from playwright.sync_api import expect

from accounts import LEADER
from user import User


def test_an_action_is_found_by_its_words_and_opened(user: User) -> None:
    page = user.page
    user.sign_in(LEADER, "/activity")
    page.get_by_role("button", name="Search screens and actions").click()
    search = page.get_by_role("dialog")
    search.get_by_role("combobox").fill("colleague")
    search.get_by_role("option", name=re.compile("Invite members")).click()
    expect(page).to_have_url(re.compile("/team-members$"))
    expect(page.get_by_role("dialog", name="Invite members")).to_be_visible()
