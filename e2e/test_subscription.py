"""How a team leader manages payment."""

import re
from typing import Any

import httpx
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import FrameLocator, Locator, Page, expect

from accounts import LEADER, Company
from user import User

GOOD = "378282246310005"
DECLINED = "4000000000000002"
ASKS_THE_BANK = "4000002500003155"
FAILS_LATER = "4000000000000341"


@pytest.fixture
def company(user: User) -> Company:
    """A company on trial, with a Visa and a Mastercard."""
    return user.server.factory.company(cards=("tok_visa", "tok_mastercard"))


@pytest.fixture
def leader(user: User, company: Company) -> User:
    user.sign_in(company.leader, "/subscription")
    expect(details(user.page)).to_be_visible()
    return user


def details(page: Page) -> Locator:
    return page.get_by_role("region", name="Payment Details")


def card(page: Page, last4: str) -> Locator:
    return details(page).get_by_role("listitem").filter(has_text=last4)


def card_form(page: Page) -> FrameLocator:
    """Opens the dialog and waits for the cross-origin page inside it."""
    details(page).get_by_role("button", name="Add Payment Method").click()
    form = page.frame_locator("iframe[title='Card form']")
    expect(form.get_by_label("Card number")).to_be_focused()
    return form


def type_card(form: FrameLocator, number: str) -> None:
    form.get_by_label("Card number").fill("")
    form.get_by_label("Card number").press_sequentially(number)
    form.get_by_label("Expiry date").fill("")
    form.get_by_label("Expiry date").press_sequentially("1234")
    form.get_by_label("CVC").fill("1234")
    form.get_by_label("Postal code").fill("04101")
    form.get_by_role("button", name="Add Card").click()


def confirm(page: Page, button: str) -> None:
    page.get_by_role("alertdialog").get_by_role("button", name=button).click()


def until(page: Page, locator: Locator) -> None:
    """Reloads the page until the payment sandbox's changes have arrived by webhook."""
    for _ in range(20):
        page.reload()
        # Not found by role, because behind a dialog it has none.
        expect(page.locator("h1")).to_be_visible()
        try:
            expect(locator).to_be_visible(timeout=2_000)
        except AssertionError:
            continue
        return
    raise AssertionError("it did not appear")


def unpaid_notice(page: Page) -> Locator:
    return page.get_by_role("complementary", name="Unpaid amount")


def fall_into_debt(leader: User, company: Company) -> None:
    """The default card fails when the trial ends."""
    page = leader.page
    type_card(card_form(page), FAILS_LATER)
    expect(page.get_by_role("dialog")).to_have_count(0)
    card(page, "0341").get_by_role("checkbox").click()
    leader.assert_toast("Default Payment Method Changed")
    leader.server.factory.pass_days(company, 32)
    until(page, unpaid_notice(page))


class TestPage:
    @pytest.mark.spec("2.33")
    def test_subscription_page_shows_plan_cards_and_invoices(self, leader: User) -> None:
        page = leader.page
        expect(page.get_by_role("heading", level=1, name="Subscription")).to_be_visible()
        plan = page.get_by_role("region", name="Plan")
        for fact in ("$750", "3 active public clouds", "25 GB data upload", "30-day free trial"):
            expect(plan).to_contain_text(fact)
        expect(details(page)).to_contain_text("Next Billing Date:")
        expect(details(page)).to_contain_text("Trialing")
        expect(card(page, "4242").get_by_role("img", name="Visa")).to_be_visible()
        expect(card(page, "4242")).to_contain_text("exp: 12/")
        expect(card(page, "4242").get_by_role("checkbox")).to_be_checked()
        expect(details(page).get_by_role("button", name="Change Plan")).to_be_disabled()
        invoices = page.get_by_role("region", name="Invoices")
        link = invoices.get_by_role("link", name=re.compile("PDF")).first
        answer = httpx.get(link.get_attribute("href") or "")
        assert answer.content.startswith(b"%PDF")
        page.get_by_role("button", name="Quick panel").click()
        panel = page.get_by_role("dialog", name="Quick panel")
        expect(panel).to_contain_text(re.compile(r"\d+ days left"))

    @pytest.mark.extended
    @pytest.mark.parametrize(("language", "theme"), [("ar", "light"), ("ar", "dark")])
    def test_the_card_form_in_arabic(self, user: User, language: str, theme: str) -> None:
        page, texts = user.page, user.texts
        user.sign_in(LEADER, "/subscription")
        details = page.get_by_role("region", name=texts("subscription:details.title"))
        expect(details).to_contain_text(texts("subscription:details.nextBilling"))
        details.get_by_role("button", name=texts("subscription:buttons.addCard")).click()
        frame = page.frame_locator("iframe")
        expect(frame.get_by_label(texts("card:fields.number"))).to_be_focused()
        expect(frame.locator("html")).to_have_attribute("dir", "rtl")
        expect(frame.locator("html")).to_have_attribute("data-theme", theme)
        inside: Any = page.frames[-1]
        found = Axe().run(inside)
        assert found.violations_count == 0, found.generate_report()

    @pytest.mark.extended
    def test_own_warehouses_and_no_way_back_while_there_are_any(self, user: User) -> None:
        page = user.page
        user.sign_in(LEADER, "/subscription")
        menu = page.get_by_role("navigation", name="Main menu")
        expect(menu.get_by_role("link", name="Warehouses")).to_be_visible()
        back = page.get_by_role("button", name="Use the default warehouses")
        expect(back).to_be_disabled()


class TestCards:
    @pytest.mark.spec("1.15", "2.82", "8.7")
    def test_card_is_added_made_the_default_and_the_others_deleted(self, leader: User) -> None:
        page = leader.page
        sent: list[str] = []
        page.on("request", lambda request: sent.append(f"{request.url} {request.post_data or ''}"))
        form = card_form(page)
        port = int(leader.address.split(":")[-1])
        expect(page.locator("iframe")).to_have_attribute("src", f"http://127.0.0.1:{port + 1}/")
        type_card(form, DECLINED)
        expect(form.get_by_role("alert")).to_have_text("Your card was declined.")
        type_card(form, GOOD)
        leader.assert_toast("Payment Method Added")
        expect(page.get_by_role("dialog")).to_have_count(0)
        expect(card(page, "0005").get_by_role("img", name="American Express")).to_be_visible()
        assert not [text for text in sent if GOOD in text and "/api/" in text]

        expect(card(page, "4242").get_by_role("button", name="Delete")).to_be_disabled()
        card(page, "4444").get_by_role("checkbox").click()
        leader.assert_toast("Default Payment Method Changed")
        expect(card(page, "4242").get_by_role("checkbox")).not_to_be_checked()
        page.reload()
        expect(card(page, "4444").get_by_role("checkbox")).to_be_checked()

        for last4 in ("0005", "4242"):
            card(page, last4).get_by_role("button", name="Delete").click()
            expect(page.get_by_role("alertdialog")).to_contain_text(last4)
            confirm(page, "Delete")
            leader.assert_toast("Payment Method Deleted")
            expect(card(page, last4)).to_have_count(0)
        last = card(page, "4444").get_by_role("button", name="Delete")
        expect(last).to_be_disabled()
        last.locator("..").hover()
        expect(page.locator("[role=tooltip]")).to_contain_text("renews with this card")

    @pytest.mark.extended
    def test_the_bank_is_asked_and_a_wrong_number_refused(self, leader: User) -> None:
        page = leader.page
        form = card_form(page)
        type_card(form, "4242424242424241")
        expect(form.get_by_role("alert")).to_contain_text("card number is not valid")
        type_card(form, ASKS_THE_BANK)
        form.get_by_role("button", name="Decline").click()
        expect(form.get_by_role("alert")).to_contain_text("Your bank wants you to confirm")
        form.get_by_role("button", name="Add Card").click()
        form.get_by_role("button", name="Approve").click()
        expect(page.get_by_role("dialog")).to_have_count(0)
        expect(card(page, "3155")).to_be_visible()
        expect(card(page, "4241")).to_have_count(0)


class TestEnding:
    @pytest.mark.spec("1.15")
    def test_subscription_is_cancelled_and_reactivated(self, leader: User) -> None:
        page = leader.page
        page.get_by_role("button", name="Cancel Subscription").click()
        dialog = page.get_by_role("alertdialog")
        expect(dialog).to_contain_text("Are you sure you want to cancel subscription?")
        expect(dialog).to_contain_text("ends with the free trial")
        expect(dialog).to_contain_text("Nothing is charged.")
        dialog.get_by_label("Why are you leaving? (optional)").fill("Only a test")
        confirm(page, "Cancel Subscription")
        leader.assert_toast("Subscription Cancelled")
        expect(details(page)).to_contain_text("Ending:")
        page.get_by_role("button", name="Reactivate Subscription").click()
        expect(dialog).to_contain_text("Are you sure you want to reactivate subscription?")
        expect(dialog).to_contain_text("You are not charged now.")
        confirm(page, "Reactivate Subscription")
        leader.assert_toast("Subscription Reactivated")
        expect(details(page)).to_contain_text("Next Billing Date:")

    @pytest.mark.extended
    def test_auto_renew_is_turned_off_and_on(self, leader: User) -> None:
        page = leader.page
        toggle = page.get_by_role("switch", name="Auto Renew")
        toggle.click()
        leader.assert_toast("Subscription Successfully Changed")
        expect(details(page)).to_contain_text("Ending:")
        toggle.click()
        expect(details(page)).to_contain_text("Next Billing Date:")

    @pytest.mark.extended
    def test_reactivation_after_the_end_is_charged(self, leader: User, company: Company) -> None:
        page = leader.page
        page.get_by_role("button", name="Cancel Subscription").click()
        confirm(page, "Cancel Subscription")
        expect(details(page)).to_contain_text("Ending:")
        leader.server.factory.pass_days(company, 31)
        dialog = page.get_by_role("dialog", name="Subscription Cancelled")
        until(page, dialog)
        expect(dialog).to_contain_text("add a valid payment method or reactivate")
        dialog.get_by_role("button", name="Reactivate Subscription").click()
        expect(page.get_by_role("alertdialog")).to_contain_text("$750 will be charged now")
        confirm(page, "Reactivate Subscription")
        leader.assert_toast("Subscription Reactivated")
        expect(details(page)).to_contain_text("Active")
        menu = page.get_by_role("navigation", name="Main menu")
        expect(menu.get_by_role("link", name="Team Members")).to_be_visible()


class TestDebt:
    @pytest.mark.extended
    def test_choosing_another_card_asks_before_the_debt_is_paid(
        self, leader: User, company: Company
    ) -> None:
        page = leader.page
        fall_into_debt(leader, company)
        dialog = page.get_by_role("alertdialog", name="Set as default and pay now?")
        card(page, "4242").get_by_role("checkbox").click()
        expect(dialog).to_contain_text(
            "$750 is unpaid. It will be charged now to Visa ending in 4242."
        )
        leader.assert_accessible()
        confirm(page, "Cancel")
        expect(dialog).to_have_count(0)
        page.reload()
        expect(unpaid_notice(page)).to_contain_text("$750 unpaid since")
        expect(card(page, "0341").get_by_role("checkbox")).to_be_checked()

        card(page, "4242").get_by_role("checkbox").click()
        confirm(page, "Set Default and Pay $750")
        leader.assert_toast("Default Payment Method Changed$750 paid with Visa ending in 4242")
        expect(unpaid_notice(page)).to_have_count(0)
        expect(card(page, "4242").get_by_role("checkbox")).to_be_checked()
        expect(details(page)).to_contain_text("Active")

    @pytest.mark.extended
    def test_an_unpaid_subscription_closes_and_a_good_card_opens_it(
        self, leader: User, company: Company
    ) -> None:
        page = leader.page
        fall_into_debt(leader, company)
        notice = unpaid_notice(page)
        expect(notice).to_contain_text("$750 unpaid since")
        expect(notice).to_contain_text("You keep full access until")
        expect(details(page)).to_contain_text("Past due")
        leader.server.factory.pass_days(company, 15)
        until(page, notice.get_by_text("Only this page is available."))
        leader.assert_accessible()
        menu = page.get_by_role("navigation", name="Main menu")
        expect(menu.get_by_role("link", name="Team Members")).to_have_count(0)
        expect(page.get_by_text("Next: $750")).to_have_count(0)
        form = card_form(page)
        expect(page.get_by_role("dialog")).to_contain_text("$750 is unpaid and will be charged")
        type_card(form, GOOD)
        leader.assert_toast("Payment Method Added$750 paid")
        expect(notice).to_have_count(0)
        expect(details(page)).to_contain_text("Active")
        expect(menu.get_by_role("link", name="Team Members")).to_be_visible()
