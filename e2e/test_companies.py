"""What a platform admin does with companies. On a server of its own: one of them is deleted."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from server import Server, running_server
from visitor import ADMIN, LEADER, Visitor

pytestmark = pytest.mark.timeout(300)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with running_server() as server:
        yield server


@pytest.fixture
def admin(visitor: Visitor) -> Visitor:
    visitor.sign_in(ADMIN)
    expect(rows(visitor.page).first).to_be_visible()
    return visitor


def rows(page: Page) -> Locator:
    return page.locator("main tbody tr")


def toast(page: Page, text: str) -> None:
    """By its words: an open dialog hides everything around it from the roles."""
    expect(page.locator("section[aria-live]").get_by_text(text)).to_be_visible()


def choose(page: Page, name: str, action: str) -> None:
    page.get_by_role("button", name=f"Actions for {name}").click()
    page.get_by_role("menuitem", name=action).click()


class TestList:
    def test_pages_search_and_order_live_in_the_address(self, admin: Visitor) -> None:
        page = admin.page
        expect(rows(page)).to_have_count(5)
        expect(page.get_by_role("button", name="121 Companies")).to_be_visible()
        admin.assert_accessible()
        page.get_by_role("button", name="Next page").click()
        expect(page.get_by_text("6–10 of 121")).to_be_visible()
        expect(page).to_have_url(re.compile(r"\?page=2$"))
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

    def test_details_have_no_secrets(self, admin: Visitor) -> None:
        page = admin.page
        choose(page, "Northwind Ltd", "Details")
        drawer = page.get_by_role("dialog", name="Northwind Ltd")
        expect(drawer).to_contain_text("Ada Lindqvist")
        expect(drawer).to_contain_text("sealed, unreadable for us")
        admin.assert_accessible()


class TestSelecting:
    def test_the_selected_company_is_the_active_one(self, admin: Visitor) -> None:
        page = admin.page
        page.get_by_role("button", name="Northwind Ltd", exact=True).click()
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

    def test_a_link_shows_the_same_company_in_another_tab(self, admin: Visitor) -> None:
        page = admin.page
        page.get_by_role("button", name="Northwind Ltd", exact=True).click()
        page.get_by_role("tab", name="Invited").click()
        expect(page).to_have_url(re.compile(r"company=\d+&tab=1$"))
        other = page.context.new_page()
        other.goto(page.url)
        expect(other.get_by_role("heading", name="Members of Northwind Ltd")).to_be_visible()
        expect(other.get_by_role("banner")).to_contain_text("Northwind Ltd")
        expect(rows(other)).to_have_count(3)
        other.get_by_role("link", name="Companies").click()
        other.get_by_role("button", name=re.compile("^Pinecrest")).first.click()
        expect(
            other.get_by_role("heading", name=re.compile("^Members of Pinecrest"))
        ).to_be_visible()
        other.go_back()
        other.go_back()
        expect(other.get_by_role("heading", name="Members of Northwind Ltd")).to_be_visible()
        other.goto("/admin/members?company=999999")
        expect(other.get_by_role("heading", name="Select a company first")).to_be_visible()

    def test_without_one_the_page_says_so(self, admin: Visitor) -> None:
        admin.page.goto("/admin/members")
        expect(admin.page.get_by_role("heading", name="Select a company first")).to_be_visible()

    def test_search_finds_companies_by_name(self, admin: Visitor) -> None:
        page = admin.page
        page.keyboard.press("Control+k")
        page.get_by_role("combobox", name="Search screens and actions").fill("northwind")
        page.get_by_role("option", name=re.compile("Northwind Ltd")).click()
        expect(page.get_by_role("heading", name="Members of Northwind Ltd")).to_be_visible()


class TestChanging:
    def test_disabling_ends_the_sessions_of_a_company(
        self, admin: Visitor, server: Server, browser: Browser
    ) -> None:
        page = admin.page
        other = browser.new_context(base_url=server.address, locale="en-US")
        leader = Visitor(other.new_page(), server.address)
        leader.sign_in(LEADER)
        switch = page.get_by_role("switch", name="Northwind Ltd enabled")
        switch.click()
        question = page.get_by_role("alertdialog", name="Disable Northwind Ltd?")
        expect(question).to_be_visible()
        question.get_by_role("button", name="Cancel").click()
        expect(switch).to_be_checked()
        switch.click()
        question.get_by_role("button", name="Disable").click()
        toast(page, "Company Status Changed")
        expect(switch).not_to_be_checked()
        leader.page.get_by_role("link", name="Activity").click()
        expect(leader.page.get_by_text("Session Expired").first).to_be_visible()
        other.close()
        switch.click()
        page.get_by_role("button", name="Enable", exact=True).click()
        expect(switch).to_be_checked()

    def test_deleting_needs_the_name(self, admin: Visitor) -> None:
        page = admin.page
        page.get_by_role("searchbox").fill("pinecrest")
        expect(rows(page).first).to_contain_text("Pinecrest")
        name = page.locator("main tbody tr button bdi").first.inner_text()
        choose(page, name, "Delete")
        confirm = page.get_by_role("button", name="Delete company")
        expect(confirm).to_be_disabled()
        page.get_by_label(f"Type {name} to confirm").fill(name)
        admin.assert_accessible()
        confirm.click()
        toast(page, "Company Deleted")
        expect(page.get_by_role("button", name="120 Companies")).to_be_visible()
        page.goto("/admin/activity")
        expect(page.get_by_text("Company deleted").first).to_be_visible()


@pytest.mark.parametrize("language", ["ar"])
@pytest.mark.parametrize("theme", ["dark"])
class TestArabic:
    def test_companies_mirrored_and_accessible(
        self, admin: Visitor, language: str, theme: str
    ) -> None:
        page, words = admin.page, admin.words
        expect(page.locator("html")).to_have_attribute("dir", "rtl")
        expect(page.get_by_role("heading", level=1)).to_have_text(words("companies:title"))
        admin.assert_accessible()
        page.get_by_role("button", name=words("table:filters.open")).click()
        expect(page.get_by_label(words("table:filters.column"))).to_be_visible()
        admin.assert_accessible()
        page.goto("/admin/activity")
        expect(rows(page).first).to_be_visible()
        admin.assert_accessible()
