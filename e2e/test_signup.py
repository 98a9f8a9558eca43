"""The first ten minutes: a company signs up, and somebody who was invited registers."""

import re

import httpx
import pytest
from playwright.sync_api import expect

from signup import PASSPHRASE, SECRET, Signup
from visitor import LEADER, Visitor

# Whole sign-ups, each with two derivations; the first one also waits for the server to start.
pytestmark = pytest.mark.timeout(300)

LANGUAGES = ("en", "tr", "ar")


@pytest.fixture
def signup(visitor: Visitor) -> Signup:
    return Signup(visitor)


class TestCompany:
    @pytest.mark.parametrize("language", LANGUAGES)
    def test_it_signs_up_from_the_landing_page(self, signup: Signup, language: str) -> None:
        page, words, visitor = signup.page, signup.words, signup.visitor
        sent: list[str] = []
        page.on("request", lambda request: sent.append(f"{request.url} {request.post_data}"))
        phone = {"en": "+12025550161", "tr": "+12025550162", "ar": "+12025550163"}[language]
        email = f"ines.{language}@harbour.test"
        page.goto("/")
        page.get_by_role("banner").get_by_role("link", name=words("common:header.signUp")).click()
        signup.at("signup:password.title")
        expect(page.get_by_role("banner")).to_have_count(0)
        visitor.assert_accessible()
        signup.up_to_the_card(f"Harbour {language}", email, phone)
        visitor.assert_accessible()
        signup.enter_card()
        expect(page.get_by_text(words("signup:payment.verified"))).to_be_visible()
        signup.press("common:actions.next")
        signup.at("signup:review.title")
        visitor.assert_accessible()
        for text in (f"Harbour {language}", email, phone, "04101"):
            expect(page.get_by_text(text).first).to_be_visible()
        signup.submit()
        # It goes after three seconds, so that it is waited for first.
        expect(page.get_by_text(words("signup:review.registered"))).to_be_visible(timeout=60_000)
        expect(page).to_have_url(re.compile("/team-members"))
        expect(page.locator("html")).to_have_attribute("lang", language)
        expect(visitor.user_menu()).to_be_visible()
        assert visitor.next_message(email, 0)
        left = page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])")
        assert "tessera.signup" not in left
        everything = "\n".join([*sent, left])
        assert SECRET not in everything
        assert PASSPHRASE not in everything
        # The payment sandbox stands in for the card provider, which is told the number of course.
        ours = [request for request in sent if "/sandbox/stripe/" not in request]
        assert "4242424242424242" not in "\n".join(ours)

    def test_the_draft_survives_a_reload_without_its_secrets(self, signup: Signup) -> None:
        page = signup.page
        page.goto("/signup")
        signup.up_to_the_card("Reload", "ines.reload@harbour.test", "+12025550164")
        signup.at("signup:payment.title")
        page.reload()
        signup.at("signup:leader.title")
        expect(page.get_by_text(signup.words("signup:leader.resumed"))).to_be_visible()
        expect(page.get_by_label("First name")).to_have_value("Ines")
        expect(page.get_by_label("Password", exact=True)).to_have_value("")
        expect(page.get_by_text("Phone number verified")).to_be_visible()
        signup.fill("auth:fields.password", SECRET)
        signup.fill("auth:fields.confirmPassword", SECRET)
        signup.press("common:actions.next")
        signup.at("signup:passphrase.title")
        expect(page.get_by_label("Passphrase", exact=True)).to_have_value("")

    def test_a_declined_card_is_said_and_another_one_serves(self, signup: Signup) -> None:
        page = signup.page
        page.goto("/signup")
        signup.up_to_the_card("Declined", "ines.declined@harbour.test", "+12025550165")
        signup.enter_card()
        expect(page.get_by_text("Card verified")).to_be_visible()
        signup.press("signup:payment.change")
        signup.enter_card("4000000000000002")
        expect(signup.card().get_by_role("alert")).not_to_be_empty()
        signup.enter_card()
        expect(page.get_by_text("Card verified")).to_be_visible()
        signup.press("common:actions.next")
        signup.submit()
        expect(page).to_have_url(re.compile("/team-members"), timeout=60_000)

    @pytest.mark.look(phone=True)
    def test_nothing_sticks_out_on_a_phone(self, signup: Signup) -> None:
        page = signup.page
        page.goto("/signup")
        signup.verify_password()
        signup.at("signup:company.title")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


def _token_of(visitor: Visitor) -> str:
    return str(visitor.page.evaluate("localStorage.getItem('tessera.token')"))


class TestInvitation:
    @pytest.mark.parametrize("language", ["en", "ar"])
    def test_an_invited_person_registers_from_the_mail(self, signup: Signup, language: str) -> None:
        page, words, visitor = signup.page, signup.words, signup.visitor
        address = f"newcomer.{language}@northwind.test"
        phone = {"en": "+12025550171", "ar": "+12025550172"}[language]
        visitor.sign_in(LEADER)
        httpx.post(
            f"{visitor.address}/api/invite/users/",
            json=[{"email_address": address}],
            headers={"Authorization": f"Bearer {_token_of(visitor)}"},
        ).raise_for_status()
        visitor.log_out()
        mail = visitor.next_message(address, 0)
        link = re.search(r"/register\?token=[\w-]+", str(mail))
        assert link
        page.goto(link[0])
        signup.at("register:title")
        expect(page.get_by_text(address)).to_be_visible()
        expect(page.get_by_text("Northwind").first).to_be_visible()
        assert "token" not in page.url
        visitor.assert_accessible()
        signup.fill_in_person("Linus", "Berg", phone)
        signup.press("register:verify")
        signup.verify_phone(phone)
        signup.press("register:submit")
        expect(page).to_have_url(re.compile("/download"), timeout=60_000)
        page.evaluate("localStorage.clear()")
        page.goto("/")
        page.goto(link[0])
        signup.at("register:used.title")
        expect(page.get_by_role("link", name=words("register:toLogin"))).to_be_visible()

    def test_without_a_link_one_is_told_what_is_needed(self, visitor: Visitor) -> None:
        visitor.page.goto("/register")
        expect(visitor.page.get_by_role("heading", level=1)).to_have_text("You need an invitation")
        visitor.assert_accessible()
