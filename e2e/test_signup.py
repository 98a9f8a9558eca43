"""A company signs up, and an invited user registers."""

import re

import pytest
from playwright.sync_api import expect

from accounts import Company
from signup import PASSPHRASE, SECRET, Signup
from user import User


@pytest.fixture
def signup(user: User) -> Signup:
    return Signup(user)


def _sign_up_from_the_landing_page(signup: Signup) -> str:
    """Returns the leader's address."""
    page, texts, user = signup.page, signup.texts, signup.user
    language = texts.language
    sent: list[str] = []
    page.on("request", lambda request: sent.append(f"{request.url} {request.post_data}"))
    phone, email = user.server.factory.phone(), f"ines.{language}@harbour.test"
    page.goto("/")
    page.get_by_role("banner").get_by_role("link", name=texts("common:screens.signup")).click()
    signup.at("signup:password.title")
    expect(page.get_by_role("banner")).to_have_count(0)
    signup.up_to_the_card(f"Harbour {language}", email, phone)
    signup.enter_card()
    expect(page.get_by_text(texts("signup:payment.verified"))).to_be_visible()
    signup.press("common:actions.next")
    signup.at("signup:review.title")
    for text in (f"Harbour {language}", email, phone, "04101"):
        expect(page.get_by_text(text).first).to_be_visible()
    signup.submit()
    user.assert_toast(texts("signup:review.registered"))
    expect(page).to_have_url(re.compile("/team-members"))
    expect(page.locator("html")).to_have_attribute("lang", language)
    expect(user.user_menu()).to_be_visible()
    left = page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])")
    assert "tessera.signup" not in left
    everything = "\n".join([*sent, left])
    assert SECRET not in everything
    assert PASSPHRASE not in everything
    # The payment sandbox stands in for the card provider, which does receive the number.
    ours = [request for request in sent if "/sandbox/stripe/" not in request]
    assert "4242424242424242" not in "\n".join(ours)
    return email


class TestCompany:
    @pytest.mark.spec("1.3", "1.9", "2.16", "4.24")
    @pytest.mark.parametrize("language", ["tr"])
    def test_company_signs_up_in_turkish(self, signup: Signup, language: str) -> None:
        email = _sign_up_from_the_landing_page(signup)
        assert signup.user.next_message(email, 0)

    @pytest.mark.extended
    @pytest.mark.parametrize("language", ["ar"])
    def test_company_signs_up_in_arabic(self, signup: Signup, language: str) -> None:
        _sign_up_from_the_landing_page(signup)

    @pytest.mark.extended
    def test_the_draft_survives_a_reload_without_its_secrets(self, signup: Signup) -> None:
        page, phone = signup.page, signup.user.server.factory.phone()
        page.goto("/signup")
        signup.up_to_the_card("Reload", "ines.reload@harbour.test", phone)
        signup.at("signup:payment.title")
        page.reload()
        signup.at("signup:leader.title")
        expect(page.get_by_text(signup.texts("signup:leader.resumed"))).to_be_visible()
        expect(page.get_by_label("First name")).to_have_value("Ines")
        expect(page.get_by_label("Password", exact=True)).to_have_value("")
        expect(page.get_by_text("Phone number verified")).to_be_visible()
        signup.fill("auth:fields.password", SECRET)
        signup.fill("auth:fields.confirmPassword", SECRET)
        signup.press("common:actions.next")
        signup.at("signup:passphrase.title")
        expect(page.get_by_label("Passphrase", exact=True)).to_have_value("")

    @pytest.mark.extended
    def test_a_declined_card_is_said_and_another_one_serves(self, signup: Signup) -> None:
        page, phone = signup.page, signup.user.server.factory.phone()
        page.goto("/signup")
        signup.up_to_the_card("Declined", "ines.declined@harbour.test", phone)
        signup.enter_card()
        expect(page.get_by_text("Card verified")).to_be_visible()
        signup.press("common:actions.change")
        signup.enter_card("4000000000000002")
        expect(signup.card().get_by_role("alert")).not_to_be_empty()
        signup.enter_card()
        expect(page.get_by_text("Card verified")).to_be_visible()
        signup.press("common:actions.next")
        signup.submit()
        expect(page).to_have_url(re.compile("/team-members"))


class TestInvitation:
    @pytest.mark.spec("2.10")
    def test_an_invited_person_registers_from_the_mail(
        self, signup: Signup, company: Company
    ) -> None:
        page, texts, user = signup.page, signup.texts, signup.user
        address, phone = "linus.berg@harbour.test", user.server.factory.phone()
        user.sign_in(company.leader, "/team-members")
        page.get_by_role("button", name=texts("members:invite")).click()
        page.get_by_label(texts("invites:dialog.label")).fill(address)
        page.get_by_role("dialog").locator("button[type=submit]").click()
        link = re.search(r"/register\?token=[\w-]+", str(user.next_message(address, 0)))
        assert link
        page.evaluate("localStorage.clear()")
        page.goto(link[0])
        signup.at("register:title")
        expect(page.get_by_text(address)).to_be_visible()
        expect(page.get_by_text(company.name).first).to_be_visible()
        assert "token" not in page.url
        page.reload()
        expect(page.get_by_text(address)).to_be_visible()
        signup.fill_in_person("Linus", "Berg", phone)
        signup.press("register:verify")
        signup.verify_phone(phone)
        signup.press("register:submit")
        expect(page).to_have_url(re.compile("/download"))
        user.assert_toast(texts("register:registered"))
        page.evaluate("localStorage.clear()")
        page.goto(link[0])
        signup.at("register:used.title")
        expect(page.get_by_role("link", name=texts("register:toLogin"))).to_be_visible()

    @pytest.mark.extended
    def test_invitation_page_without_a_link_says_what_is_needed(self, user: User) -> None:
        user.page.goto("/register")
        expect(user.page.get_by_role("heading", level=1)).to_have_text("You need an invitation")
