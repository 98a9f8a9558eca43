"""The second key holder of a company."""

import re

import pytest
from playwright.sync_api import expect

from accounts import PASSPHRASE, PASSWORD, Company
from traffic import Traffic
from user import User

NEW_PASSWORD = "sealed-Tesserae-4142"


def name_holder(user: User, company: Company) -> str:
    """The member makes keys, and the leader names them. Returns the words of the leader, whose
    browser has made keys to sign with."""
    page, member = user.page, company.member
    user.sign_in(member, "/download")
    words = user.six_words()
    user.sign_in(company.leader, "/activity")
    user.open_company("Second key holder")
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Name a key holder").click()
    dialog.get_by_role("button", name=f"Choose {member.name}").click()
    dialog.get_by_label("Your password", exact=True).fill(PASSWORD)
    dialog.get_by_label(f"Six words of {member.name}").fill(words)
    dialog.get_by_role("button", name="Name a key holder").click()
    user.assert_toast(f"{member.name} is now the second key holder")
    expect(dialog).to_contain_text("Key holder since")
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_be_hidden()
    return user.six_words()


def compare(user: User, sender: str, words: str) -> None:
    user.page.get_by_label(f"Six words of {sender}").fill(words)
    user.page.get_by_role("button", name="Compare and continue").click()


@pytest.mark.extended
def test_the_holder_reveals_the_passphrase(user: User, company: Company) -> None:
    """Neither the passphrase nor its key is ever sent."""
    page = user.page
    company_key = user.server.factory.company_key(company)
    traffic = Traffic(page)
    words = name_holder(user, company)
    user.sign_in(company.member, "/download")
    dialog = user.open_dialog("console:userActions.heldKey")
    dialog.get_by_role("button", name="Reveal passphrase").click()
    dialog.get_by_label("Password", exact=True).fill(PASSWORD)
    dialog.get_by_role("button", name="Unlock", exact=True).click()
    compare(user, company.leader.name, words)
    expect(dialog.get_by_text(PASSPHRASE, exact=True)).to_be_visible()
    assert any('"keyHandover":"' in request for request in traffic.sent)
    traffic.assert_free_of(company_key, PASSPHRASE, PASSWORD)


@pytest.mark.extended
def test_the_holder_hands_the_key_to_a_leader_who_reset_the_password(
    user: User, company: Company
) -> None:
    page, leader, member = user.page, company.leader, company.member
    company_key = user.server.factory.company_key(company)
    traffic = Traffic(page)
    former_words = name_holder(user, company)
    page.reload()
    user.log_out()

    page.goto("/forgot-password")
    page.get_by_label(user.texts("auth:fields.email"), exact=True).fill(leader.email)
    page.get_by_role("button", name=user.texts("auth:forgot.send")).click()
    # The other mail says that the member has keys.
    user.next_message(leader.email, 1)
    links = [mail["link"] or "" for mail in user.messages(leader.email)]
    page.goto(next(link for link in links if "reset-password" in link))
    page.get_by_label(user.texts("auth:fields.newPassword"), exact=True).fill(NEW_PASSWORD)
    page.get_by_label(user.texts("auth:fields.confirmPassword"), exact=True).fill(NEW_PASSWORD)
    page.get_by_role("button", name=user.texts("auth:reset.submit")).click()
    expect(page).to_have_url(re.compile("/login"))
    user.log_in(leader, NEW_PASSWORD)
    expect(page.get_by_role("complementary")).to_contain_text(f"ask {member.name}")
    words = user.six_words()

    user.sign_in(member, "/download")
    holders_words = user.six_words()
    # Locks the keys again.
    page.reload()
    notice = page.get_by_role("complementary")
    expect(notice).to_contain_text(f"{leader.name}, your team leader, cannot open")
    notice.get_by_role("button", name="Company passphrase").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Hand over the key").click()
    dialog.get_by_label(f"Six words of {leader.name}").fill(words)
    dialog.get_by_label("Your password", exact=True).fill(PASSWORD)
    dialog.get_by_role("button", name="Hand over the key").click()
    compare(user, leader.name, former_words)
    user.assert_toast(f"Key handed over to {leader.name}")
    expect(notice).to_have_count(0)

    user.sign_in(leader, "/activity")
    page.get_by_role("button", name="Receive passphrase").click()
    page.get_by_role("button", name="Reveal", exact=True).click()
    page.get_by_label("Password", exact=True).fill(NEW_PASSWORD)
    page.get_by_role("button", name="Unlock", exact=True).click()
    compare(user, member.name, holders_words)
    expect(page.get_by_text(PASSPHRASE, exact=True)).to_be_visible()
    user.assert_toast("Passphrase received")
    traffic.assert_free_of(company_key, PASSPHRASE, PASSWORD, NEW_PASSWORD)
