"""A team leader's day: members, invitations, the company and its passphrase. On a server of its
own, because leadership changes hands."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from server import Server, running_server
from visitor import LEADER, MEMBER, PASSPHRASE, PASSWORD, Visitor

pytestmark = pytest.mark.timeout(300)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with running_server() as server:
        yield server


@pytest.fixture
def leader(visitor: Visitor) -> Visitor:
    visitor.sign_in(LEADER)
    visitor.page.goto("/team-members")
    return visitor


def rows(page: Page) -> Locator:
    return page.locator("main tbody tr")


def toast(page: Page, text: str) -> None:
    """By its words: an open dialog hides everything around it from the roles."""
    expect(page.locator("section[aria-live]").get_by_text(text)).to_be_visible()


def choose(page: Page, name: str, action: str) -> None:
    page.get_by_role("button", name=f"Actions for {name}").click()
    page.get_by_role("menuitem", name=action).click()


def open_company(page: Page, entry: str) -> None:
    page.get_by_role("button", name=re.compile("^Company: Northwind")).click()
    page.get_by_role("menuitem", name=entry).click()


def paste(page: Page, text: str) -> None:
    page.get_by_label("Email addresses").evaluate(
        """(field, text) => {
          const clipboardData = new DataTransfer()
          clipboardData.setData('text', text)
          const event = { clipboardData, bubbles: true, cancelable: true }
          field.dispatchEvent(new ClipboardEvent('paste', event))
        }""",
        text,
    )


class TestMembers:
    def test_sort_filter_and_tab_live_in_the_address(self, leader: Visitor) -> None:
        page = leader.page
        expect(page.get_by_text("1–5 of 42")).to_be_visible()
        leader.assert_accessible()
        page.get_by_role("button", name="Last name").click()
        expect(page).to_have_url(re.compile("sort=lastName%3Aasc"))
        header = page.get_by_role("columnheader", name="Last name")
        expect(header).to_have_attribute("aria-sort", "ascending")
        page.get_by_role("button", name="Filters").click()
        page.get_by_label("Condition").select_option("startsWith")
        page.get_by_label("Value").fill("AD")
        page.get_by_role("button", name="Add filter").click()
        expect(rows(page)).to_have_count(1)
        expect(rows(page).first).to_contain_text("Ada")
        link = page.url
        page.get_by_role("tab", name="Invited").click()
        expect(page).to_have_url(re.compile(r"\?tab=1$"))
        page.goto(link)
        expect(rows(page)).to_have_count(1)
        expect(page.get_by_text("First name starts with “AD”")).to_be_visible()

    def test_the_leader_s_own_row_cannot_be_disabled_or_removed(self, leader: Visitor) -> None:
        page = leader.page
        page.get_by_role("button", name="Actions for Ada Lindqvist").click()
        expect(page.get_by_role("menuitem")).to_have_text(["Edit"])

    def test_editing_proposes_a_new_address(self, leader: Visitor) -> None:
        page = leader.page
        choose(page, "Pedro Wójcik", "Edit")
        page.get_by_label("First name").fill("Piotr")
        page.get_by_label("Email").fill("piotr@example.test")
        leader.assert_accessible()
        page.get_by_role("button", name="Save").click()
        toast(page, "Member Updated")
        row = rows(page).filter(has_text="Piotr")
        expect(row).to_contain_text("pedro.wojcik@northwind.test")
        expect(row).to_contain_text("Waiting for confirmation: piotr@example.test")
        assert leader.next_message("piotr@example.test", 0)

    def test_disable_enable_and_remove(self, leader: Visitor) -> None:
        page = leader.page
        choose(page, "Tomás Bensalem", "Disable")
        page.get_by_role("button", name="Disable").click()
        toast(page, "Member Status Changed")
        expect(rows(page).filter(has_text="Tomás")).to_contain_text("Disabled")
        choose(page, "Tomás Bensalem", "Enable")
        page.get_by_role("button", name="Enable").click()
        expect(rows(page).filter(has_text="Tomás")).not_to_contain_text("Disabled")
        choose(page, "Tomás Bensalem", "Remove")
        page.get_by_role("button", name="Remove member").click()
        toast(page, "Member Removed")
        expect(page.get_by_text("1–5 of 41")).to_be_visible()

    @pytest.mark.look(phone=True)
    def test_cards_on_a_phone(self, leader: Visitor) -> None:
        page = leader.page
        expect(page.get_by_text("leader@northwind.test")).to_be_visible()
        expect(page.get_by_role("table")).to_have_count(0)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        leader.assert_accessible()


class TestInvites:
    def test_five_hundred_pasted_addresses(self, leader: Visitor) -> None:
        page = leader.page
        page.get_by_role("button", name="Invite members").click()
        field = page.get_by_label("Email addresses")
        field.fill("nobody")
        field.press("Enter")
        wrong = page.get_by_text('"nobody" is not a valid email address.')
        expect(wrong).to_be_visible()
        leader.assert_accessible()
        field.fill("person1@example.test")
        field.press(",")
        field.fill("person1@example.test")
        field.press("Tab")
        expect(page.get_by_text("person1@example.test has already been added.")).to_be_visible()
        field.fill("")
        addresses = [f"Person {n} <person{n}@example.test>" for n in range(499)]
        paste(page, "; ".join([*addresses, "member@northwind.test"]))
        page.get_by_role("button", name="Invite 500").click()
        toast(page, "Members Invited")
        expect(page.get_by_text("499 people have been invited.")).to_be_visible()
        expect(page.get_by_role("progressbar")).to_be_visible()
        expect(page.get_by_role("list", name="Result for each address")).to_contain_text(
            "member@northwind.testIs a member already"
        )
        leader.assert_accessible()
        page.get_by_role("button", name="Done").click()
        expect(page).to_have_url(re.compile(r"\?tab=1$"))
        expect(page.get_by_text("1–5 of 502")).to_be_visible()

    def test_one_is_invited_sent_again_and_cancelled(self, leader: Visitor) -> None:
        page = leader.page
        page.get_by_role("button", name="Invite members").click()
        page.get_by_label("Email addresses").fill("zora@example.test")
        page.get_by_role("button", name="Invite", exact=True).click()
        toast(page, "zora@example.test invited")
        leader.next_message("zora@example.test", 0)
        choose(page, "zora@example.test", "Resend invitation")
        page.get_by_role("button", name="Resend").click()
        leader.next_message("zora@example.test", 1)
        choose(page, "zora@example.test", "Cancel invitation")
        page.get_by_role("button", name="Cancel invitation").click()
        toast(page, "Invite Deleted")
        expect(page.get_by_text("zora@example.test")).to_have_count(0)


class TestCompany:
    def test_editing_follows_to_the_badge(self, leader: Visitor) -> None:
        page = leader.page
        open_company(page, "Edit company")
        name = page.get_by_label(re.compile("Company name"))
        save = page.get_by_role("button", name="Save")
        expect(save).to_be_disabled()
        name.fill("Northwind Group")
        page.get_by_label(re.compile("Zip code")).fill("0410")
        expect(save).to_be_disabled()
        page.get_by_label(re.compile("Zip code")).fill("04102")
        leader.assert_accessible()
        save.click()
        toast(page, "Company Updated")
        expect(page.get_by_role("banner")).to_contain_text("Northwind Group")

    def test_the_passphrase_is_revealed_with_locked_keys_and_changed(self, leader: Visitor) -> None:
        page = leader.page
        open_company(page, "Passphrase")
        page.get_by_role("button", name="Reveal").click()
        # The address was opened anew after the login, which locked the keys.
        page.get_by_label("Password", exact=True).fill(PASSWORD)
        page.get_by_role("button", name="Unlock").click()
        expect(page.get_by_text(PASSPHRASE)).to_be_visible(timeout=60_000)
        leader.assert_accessible()
        page.get_by_role("button", name="Change").click()
        page.get_by_label("Passphrase", exact=True).fill("nine slates on a quiet roof")
        page.get_by_label("Passphrase once more").fill("nine slates on a quiet roof")
        save = page.get_by_role("button", name="Save passphrase")
        expect(save).to_be_disabled()
        page.get_by_role("checkbox").check()
        leader.assert_accessible()
        save.click()
        toast(page, "Successfully Changed Passphrase")
        with page.expect_download() as download:
            page.get_by_role("button", name="Save as a file").click()
        assert "nine slates" in download.value.path().read_text()
        page.get_by_role("button", name="Done").click()
        page.goto("/activity")
        expect(rows(page).filter(has_text="Passphrase changed")).to_have_count(1)
        expect(rows(page).filter(has_text="Passphrase revealed").first).to_be_visible()
        with page.expect_download() as download:
            page.get_by_role("button", name="Export CSV").click()
        assert "passphrase.changed" in download.value.path().read_text(encoding="utf-8-sig")


class TestLeadership:
    def test_it_is_handed_on_and_back(self, leader: Visitor, server: Server) -> None:
        """The former leader is out at once, in every browser; the new one types the passphrase."""
        page = leader.page
        other = page.context.new_page()
        other.goto("/activity")
        expect(rows(other).first).to_be_visible()
        choose(page, "Omar Haddad", "Make team leader")
        leader.assert_accessible()
        page.get_by_role("button", name="Change team leader").click()
        expect(page).to_have_url(re.compile("/login$"))
        expect(other).to_have_url(re.compile("/login$"))
        other.close()
        leader.sign_in(MEMBER)
        expect(page).to_have_url(re.compile("/team-members$"))
        open_company(page, "Passphrase")
        page.get_by_role("button", name="Reveal").click()
        expect(page.get_by_role("heading", name="Enter the passphrase")).to_be_visible()
        page.get_by_role("button", name="Cancel").click()
        choose(page, "Ada Lindqvist", "Make team leader")
        page.get_by_role("button", name="Change team leader").click()
        expect(page).to_have_url(re.compile("/login$"))


@pytest.mark.parametrize("language", ["ar"])
class TestArabic:
    def test_members_and_invitations(self, leader: Visitor, language: str) -> None:
        page, words = leader.page, leader.words
        expect(page.locator("html")).to_have_attribute("dir", "rtl")
        expect(rows(page).first).to_be_visible()
        leader.assert_accessible()
        page.get_by_role("button", name=words("members:invite")).click()
        expect(page.get_by_label(words("invites:dialog.label"))).to_be_focused()
        leader.assert_accessible()
        page.keyboard.press("Escape")
        page.get_by_role("tab", name=words("members:tabs.invited")).click()
        expect(rows(page).first).to_be_visible()
        leader.assert_accessible()
