"""How a platform admin manages companies."""

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from accounts import ADMIN, Company
from user import User


@pytest.fixture
def admin(user: User) -> User:
    user.sign_in(ADMIN, "/admin/companies")
    expect(rows(user.page).first).to_be_visible()
    return user


def rows(page: Page) -> Locator:
    return page.locator("main tbody tr")


class TestList:
    @pytest.mark.spec("2.21", "2.48")
    def test_pages_search_and_details(self, admin: User) -> None:
        page = admin.page
        expect(rows(page)).to_have_count(5)
        expect(page.get_by_role("button", name="121 Companies")).to_be_visible()
        page.get_by_role("button", name="Next page").click()
        expect(page.get_by_text("6–10 of 121")).to_be_visible()
        expect(page).to_have_url(re.compile(r"\?page=2$"))
        page.get_by_role("searchbox").fill("northwind")
        expect(page).to_have_url(re.compile(r"\?q=northwind$"))
        expect(rows(page)).to_have_count(1)
        admin.act_on("Northwind Ltd", "Details")
        expect(page.get_by_role("heading", level=1)).to_have_text("Northwind Ltd")
        overview = page.get_by_role("tabpanel")
        expect(overview).to_contain_text("Ada Lindqvist")
        expect(overview).to_contain_text("encrypted; we cannot read it")
        expect(overview).to_contain_text("FrankfurtActive")
        expect(overview).to_contain_text("Azure mirrorConnected")

    @pytest.mark.extended
    def test_pages_search_and_order_live_in_the_address(self, admin: User) -> None:
        page = admin.page
        page.get_by_role("button", name="Next page").click()
        expect(page.get_by_text("6–10 of 121")).to_be_visible()
        page.get_by_role("searchbox").fill("pinecrest")
        expect(page).to_have_url(re.compile(r"\?q=pinecrest$"))
        expect(rows(page).first).to_contain_text("Pinecrest")
        page.go_back()
        expect(page.get_by_text("6–10 of 121")).to_be_visible()
        expect(page.get_by_role("searchbox")).to_have_value("")
        page.get_by_label("Rows per page").select_option("25")
        page.get_by_role("button", name="Name", exact=True).click()
        expect(page).to_have_url(re.compile(r"size=25&sort=name%3Aasc$"))
        expect(rows(page)).to_have_count(25)
        expect(rows(page).first).to_contain_text("Aldergate")
        page.reload()
        expect(rows(page)).to_have_count(25)
        expect(rows(page).first).to_contain_text("Aldergate")
        page.get_by_role("searchbox").fill("no such company")
        expect(page.get_by_text("No Results Found")).to_be_visible()


@pytest.mark.extended
class TestSelecting:
    @pytest.mark.spec("1.7", "2.23", "2.26", "2.51", "2.61")
    def test_the_selected_company_is_the_active_one(self, admin: User) -> None:
        page = admin.page
        page.get_by_role("link", name="Northwind Ltd", exact=True).click()
        expect(page).to_have_url(re.compile(r"/admin/companies/\d+$"))
        expect(page.get_by_role("banner")).to_contain_text("Northwind Ltd")
        page.get_by_role("link", name="Members", exact=True).click()
        expect(page).to_have_url(re.compile(r"/admin/members\?company=\d+$"))
        expect(page.get_by_role("heading", name="Members of Northwind Ltd")).to_be_visible()
        expect(page.get_by_role("banner")).to_contain_text("Northwind Ltd")
        expect(rows(page)).to_have_count(5)
        expect(page.get_by_role("button", name="Invite members")).to_have_count(0)
        page.get_by_role("button", name="Actions for Omar Haddad").click()
        expect(page.get_by_role("menuitem")).to_have_text(["Make team leader"])
        page.keyboard.press("Escape")
        page.get_by_role("tab", name="Invited").click()
        expect(rows(page)).to_have_count(3)
        expect(page.get_by_role("button", name=re.compile("Actions for"))).to_have_count(0)

    @pytest.mark.extended
    def test_a_link_shows_the_same_company_in_another_tab(self, admin: User) -> None:
        page = admin.page
        page.goto("/admin/members")
        expect(page.get_by_role("heading", name="Select a company first")).to_be_visible()
        page.get_by_role("link", name="Companies", exact=True).click()
        admin.act_on("Northwind Ltd", "Show members")
        page.get_by_role("tab", name="Invited").click()
        expect(page).to_have_url(re.compile(r"company=\d+&tab=1$"))
        other = page.context.new_page()
        other.goto(page.url)
        expect(other.get_by_role("heading", name="Members of Northwind Ltd")).to_be_visible()
        expect(other.get_by_role("banner")).to_contain_text("Northwind Ltd")
        expect(rows(other)).to_have_count(3)
        other.get_by_role("link", name="Companies", exact=True).click()
        other.get_by_role("link", name=re.compile("^Pinecrest")).first.click()
        expect(other.get_by_role("heading", name=re.compile("^Pinecrest"))).to_be_visible()
        other.go_back()
        other.go_back()
        expect(other.get_by_role("heading", name="Members of Northwind Ltd")).to_be_visible()
        other.goto("/admin/members?company=999999")
        expect(other.get_by_role("heading", name="Select a company first")).to_be_visible()

    @pytest.mark.extended
    def test_search_finds_companies_by_name(self, admin: User) -> None:
        page = admin.page
        page.keyboard.press("Control+k")
        page.get_by_role("combobox", name="Search screens and actions").fill("northwind")
        page.get_by_role("option", name=re.compile("Northwind Ltd")).click()
        expect(page.get_by_role("heading", name="Members of Northwind Ltd")).to_be_visible()


class TestDisabling:
    @pytest.mark.spec("1.6")
    @pytest.mark.extended
    def test_the_reason_is_shown_at_login(
        self, user: User, company: Company, browser: Browser
    ) -> None:
        page = user.page
        user.sign_in(ADMIN, "/admin/companies?filter=memberCount:matches:2")
        page.get_by_role("button", name="Filters").click()
        page.get_by_label("Column").select_option("Subscription")
        page.get_by_label("Value").select_option("Active")
        page.get_by_role("button", name="Add filter").click()
        expect(page.get_by_text("Subscription: Active", exact=True)).to_be_visible()
        page.get_by_role("link", name=company.name, exact=True).click()
        expect(page.get_by_role("heading", level=1)).to_have_text(company.name)
        page.get_by_role("tab", name="Members").click()
        expect(rows(page)).to_have_count(2)
        page.get_by_role("button", name="Disable", exact=True).click()
        question = page.get_by_role("alertdialog", name=f"Disable {company.name}?")
        question.get_by_label("Reason (optional)").fill("The invoice of May is unpaid.")
        question.get_by_role("button", name="Disable").click()
        user.assert_toast("Company Status Changed")
        page.get_by_role("tab", name="Activity").click()
        expect(rows(page).first).to_contain_text("Reason: The invoice of May is unpaid.")
        page.get_by_role("tab", name="Overview").click()
        expect(page.get_by_role("tabpanel")).to_contain_text("The invoice of May is unpaid.")

        elsewhere = browser.new_context(base_url=user.address, locale="en-US")
        member = User(elsewhere.new_page(), user.server)
        member.page.goto("/login")
        member.submit_password(company.member)
        expect(member.page.get_by_role("alert")).to_contain_text(
            "Reason: The invoice of May is unpaid."
        )
        elsewhere.close()


class TestChanging:
    @pytest.mark.spec("1.6", "2.22", "6.3")
    @pytest.mark.extended
    def test_disabling_ends_its_sessions_and_deleting_needs_its_name(
        self, user: User, company: Company, browser: Browser
    ) -> None:
        page = user.page
        elsewhere = browser.new_context(base_url=user.address, locale="en-US")
        leader = User(elsewhere.new_page(), user.server)
        leader.sign_in(company.leader, "/faq")
        user.sign_in(ADMIN, "/admin/companies")
        switch = page.get_by_role("switch", name=f"{company.name} enabled")
        switch.click()
        question = page.get_by_role("alertdialog", name=f"Disable {company.name}?")
        expect(question).to_be_visible()
        question.get_by_role("button", name="Cancel").click()
        expect(switch).to_be_checked()
        switch.click()
        question.get_by_role("button", name="Disable").click()
        user.assert_toast("Company Status Changed")
        expect(switch).not_to_be_checked()
        leader.page.get_by_role("link", name="Activity").click()
        expect(leader.page.get_by_text("Session Expired").first).to_be_visible()
        elsewhere.close()
        switch.click()
        page.get_by_role("button", name="Enable", exact=True).click()
        expect(switch).to_be_checked()

        user.act_on(company.name, "Delete")
        confirm = page.get_by_role("button", name="Delete company")
        expect(confirm).to_be_disabled()
        page.get_by_label(f"Type {company.name} to confirm").fill(company.name)
        confirm.click()
        user.assert_toast("Company Deleted")
        expect(page.get_by_role("button", name="121 Companies")).to_be_visible()
        page.goto("/admin/activity")
        expect(page.get_by_text("Company deleted").first).to_be_visible()


@pytest.mark.extended
@pytest.mark.parametrize("language", ["ar"])
@pytest.mark.parametrize("theme", ["dark"])
class TestArabic:
    def test_companies_mirrored_and_accessible(
        self, admin: User, language: str, theme: str
    ) -> None:
        page, texts = admin.page, admin.texts
        expect(page.locator("html")).to_have_attribute("dir", "rtl")
        expect(page.get_by_role("heading", level=1)).to_have_text(texts("common:screens.companies"))
        page.get_by_role("button", name=texts("table:filters.open")).click()
        expect(page.get_by_label(texts("table:filters.column"))).to_be_visible()
        admin.assert_accessible()
