"""How a team leader manages members, invitations, the company and its passphrase."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from accounts import LEADER, PASSPHRASE, PASSWORD, Company
from traffic import Traffic
from user import User


def rows(page: Page) -> Locator:
    return page.locator("main tbody tr")


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


@pytest.mark.extended
class TestFirstSteps:
    def test_first_steps_follow_the_state_until_dismissed(self, user: User) -> None:
        page, factory = user.page, user.server.factory
        company = factory.company(warehouses=True)
        factory.show_first_steps(company.leader)
        user.sign_in(company.leader, "/team-members")
        card = page.get_by_role("region", name="First steps")
        # The company has a member, and two of its four warehouses are Active.
        expect(card).to_contain_text("1 of 4 done")
        card.get_by_role("button", name="I have kept it").click()
        expect(card).to_contain_text("2 of 4 done")
        user.assert_accessible()
        card.get_by_role("link", name="Go to Warehouses").click()
        expect(page.get_by_role("button", name="Frankfurt", exact=True)).to_be_visible()
        user.sign_in(company.leader, "/team-members")
        expect(card).to_contain_text("2 of 4 done")
        card.get_by_role("button", name="Dismiss").click()
        expect(card).to_have_count(0)
        user.sign_in(company.leader, "/team-members")
        expect(rows(page).first).to_be_visible()
        expect(card).to_have_count(0)


class TestMembers:
    @pytest.mark.spec("1.10")
    def test_edit_disable_enable_and_remove(self, user: User) -> None:
        page = user.page
        company = user.server.factory.company(members=8)
        user.sign_in(company.leader, "/team-members")
        expect(page.get_by_text("1–5 of 10")).to_be_visible()
        page.get_by_role("button", name=f"Actions for {company.leader.name}").click()
        expect(page.get_by_role("menuitem")).to_have_text(["Edit"])
        page.keyboard.press("Escape")

        user.act_on(company.member.name, "Edit")
        page.get_by_label("First name").fill("Piotr")
        page.get_by_label("Email").fill("piotr@example.test")
        page.get_by_role("button", name="Save").click()
        user.assert_toast("Member Updated")
        row = rows(page).filter(has_text="Piotr")
        expect(row).to_contain_text(company.member.email)
        expect(row).to_contain_text("Waiting for confirmation: piotr@example.test")
        assert user.next_message("piotr@example.test", 0)

        user.act_on("Person 1 Moreau", "Disable")
        page.get_by_role("button", name="Disable").click()
        user.assert_toast("Member Status Changed")
        expect(rows(page).filter(has_text="Person 1")).to_contain_text("Disabled")
        user.act_on("Person 1 Moreau", "Enable")
        page.get_by_role("button", name="Enable").click()
        expect(rows(page).filter(has_text="Person 1")).not_to_contain_text("Disabled")
        user.act_on("Person 1 Moreau", "Remove")
        page.get_by_role("button", name="Remove member").click()
        user.assert_toast("Member Removed")
        expect(page.get_by_text("1–5 of 9")).to_be_visible()

        for number in (2, 3):
            page.get_by_role("checkbox", name=f"Select Person {number} Moreau").check()
        bar = page.get_by_role("group", name="Selected rows")
        expect(bar).to_contain_text("2 selected")
        bar.get_by_role("button", name="Remove").click()
        page.get_by_role("button", name="Remove 2 members").click()
        user.assert_toast("2 members removed")
        expect(page.get_by_text("1–5 of 7")).to_be_visible()
        expect(page.get_by_role("tab", name="Registered 7")).to_be_visible()

    @pytest.mark.extended
    def test_sort_filter_and_tab_live_in_the_address(self, user: User) -> None:
        page = user.page
        user.sign_in(LEADER, "/team-members")
        expect(page.get_by_text("1–5 of 42")).to_be_visible()
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


@pytest.mark.extended
class TestProposedContacts:
    @pytest.fixture
    def address(self, user: User, company: Company) -> str:
        """A new email that the leader has proposed for the member."""
        page, address = user.page, f"new.{company.member.email}"
        user.sign_in(company.leader, "/team-members")
        user.act_on(company.member.name, "Edit")
        page.get_by_label("Email").fill(address)
        page.get_by_role("button", name="Save").click()
        user.assert_toast("Member Updated")
        expect(rows(page).filter(has_text=address)).to_contain_text("Waiting for confirmation")
        user.next_message(address, 0)
        user.wait_for_requests()
        return address

    def test_member_confirms_proposed_contacts(
        self, user: User, company: Company, address: str
    ) -> None:
        page = user.page
        user.sign_in(company.member, "/download")
        dialog = user.open_dialog("console:userActions.profile")
        expect(dialog).to_contain_text(f"Proposed by {company.leader.name}:")
        before = len(user.messages(address))
        dialog.get_by_role("button", name=f"Confirm {address}").click()
        page.get_by_role("button", name="Send link").click()
        link = user.next_message(address, before)["link"]
        user.wait_for_requests()
        page.goto(link)
        page.get_by_role("button", name="Confirm new email").click()
        expect(page.get_by_role("heading", name="Your email is confirmed")).to_be_visible()
        user.wait_for_requests()
        page.goto("/download")
        expect(user.open_dialog("console:userActions.profile")).to_contain_text(address)

    def test_member_declines_proposed_contacts(
        self, user: User, company: Company, address: str
    ) -> None:
        user.sign_in(company.member, "/download")
        dialog = user.open_dialog("console:userActions.profile")
        dialog.get_by_role("button", name=f"Decline {address}").click()
        user.assert_toast("Change declined")
        expect(dialog.get_by_text(address)).to_have_count(0)
        expect(dialog).to_contain_text(company.member.email)

    def test_leader_withdraws_proposed_contacts(
        self, user: User, company: Company, address: str
    ) -> None:
        page = user.page
        user.act_on(company.member.name, "Edit")
        page.get_by_role("button", name=f"Withdraw {address}").click()
        user.assert_toast("Change withdrawn")
        page.get_by_role("button", name="Cancel").click()
        expect(page.get_by_role("dialog")).to_have_count(0)
        expect(rows(page).filter(has_text=address)).to_have_count(0)


class TestInvites:
    @pytest.mark.spec("1.10", "4.38")
    def test_people_are_invited_sent_again_and_cancelled(
        self, user: User, company: Company
    ) -> None:
        page = user.page
        user.sign_in(company.leader, "/team-members")
        page.get_by_role("button", name="Invite members").click()
        paste(page, f"Zora <zora@example.test>; ilse@example.test, {company.member.email}")
        page.get_by_role("button", name="Invite 3").click()
        user.assert_toast("Members Invited")
        expect(page.get_by_text("2 people invited.")).to_be_visible()
        expect(page.get_by_role("list", name="Result for each address")).to_contain_text(
            f"{company.member.email}Already a member"
        )
        page.get_by_role("button", name="Done").click()
        expect(page).to_have_url(re.compile(r"\?tab=1$"))
        user.next_message("zora@example.test", 0)
        user.act_on("zora@example.test", "Resend invitation")
        page.get_by_role("button", name="Resend").click()
        user.next_message("zora@example.test", 1)
        user.act_on("zora@example.test", "Cancel invitation")
        page.get_by_role("button", name="Cancel invitation").click()
        user.assert_toast("Invite Deleted")
        expect(page.get_by_text("zora@example.test")).to_have_count(0)
        expect(rows(page)).to_have_count(1)

    @pytest.mark.extended
    def test_five_hundred_pasted_addresses(self, user: User, company: Company) -> None:
        page = user.page
        user.sign_in(company.leader, "/team-members")
        page.get_by_role("button", name="Invite members").click()
        field = page.get_by_label("Email addresses")
        field.fill("nobody")
        field.press("Enter")
        wrong = page.get_by_text('"nobody" is not a valid email address.')
        expect(wrong).to_be_visible()
        user.assert_accessible()
        field.fill("person1@example.test")
        field.press(",")
        field.fill("person1@example.test")
        field.press("Tab")
        expect(page.get_by_text("person1@example.test has already been added.")).to_be_visible()
        field.fill("")
        addresses = [f"Person {n} <person{n}@example.test>" for n in range(499)]
        paste(page, "; ".join([*addresses, company.member.email]))
        page.get_by_role("button", name="Invite 500").click()
        user.assert_toast("Members Invited")
        expect(page.get_by_text("499 people invited.")).to_be_visible()
        expect(page.get_by_role("progressbar")).to_be_visible()
        page.get_by_role("button", name="Done").click()
        expect(page.get_by_text("1–5 of 499")).to_be_visible()


class TestCompany:
    @pytest.mark.spec("1.13", "1.14")
    @pytest.mark.extended
    def test_details_and_passphrase_are_changed_and_recorded(
        self, user: User, company: Company
    ) -> None:
        page = user.page
        user.sign_in(company.leader, "/activity")
        user.open_company("Edit company")
        save = page.get_by_role("button", name="Save")
        expect(save).to_be_disabled()
        page.get_by_label(re.compile("Company name")).fill("Harbour Group")
        page.get_by_label(re.compile("Zip code")).fill("0410")
        expect(save).to_be_disabled()
        page.get_by_label(re.compile("Zip code")).fill("04102")
        save.click()
        user.assert_toast("Company Updated")
        expect(page.get_by_role("banner")).to_contain_text("Harbour Group")

        user.open_company("Passphrase")
        page.get_by_role("button", name="Reveal", exact=True).click()
        # Only a login unlocks the keys.
        page.get_by_label("Password", exact=True).fill(PASSWORD)
        page.get_by_role("button", name="Unlock").click()
        expect(page.get_by_text(PASSPHRASE)).to_be_visible()
        page.get_by_role("button", name="Change").click()
        page.get_by_label("Passphrase", exact=True).fill("nine slates on a quiet roof")
        page.get_by_label("Confirm passphrase").fill("nine slates on a quiet roof")
        save = page.get_by_role("button", name="Save passphrase")
        expect(save).to_be_disabled()
        page.get_by_role("checkbox").check()
        save.click()
        user.assert_toast("Successfully Changed Passphrase")
        with page.expect_download() as download:
            page.get_by_role("button", name="Save as a file").click()
        assert "nine slates" in download.value.path().read_text()
        page.get_by_role("button", name="Done").click()

        page.reload()
        expect(rows(page).filter(has_text="Passphrase changed")).to_have_count(1)
        expect(rows(page).filter(has_text="Passphrase revealed").first).to_be_visible()
        expect(rows(page).filter(has_text="Company details changed").first).to_be_visible()
        with page.expect_download() as download:
            page.get_by_role("button", name="Export CSV").click()
        assert "Passphrase changed" in download.value.path().read_text(encoding="utf-8-sig")

    @pytest.mark.extended
    def test_a_former_passphrase_is_opened_again(self, user: User, company: Company) -> None:
        page = user.page
        user.sign_in(company.leader, "/activity")
        user.open_company("Passphrase")
        page.get_by_role("button", name="Change", exact=True).click()
        page.get_by_label("Password", exact=True).fill(PASSWORD)
        page.get_by_role("button", name="Unlock").click()
        page.get_by_label("Passphrase", exact=True).fill("nine slates on a quiet roof")
        page.get_by_label("Confirm passphrase").fill("nine slates on a quiet roof")
        page.get_by_role("checkbox").check()
        page.get_by_role("button", name="Save passphrase").click()
        user.assert_toast("Successfully Changed Passphrase")
        page.get_by_role("button", name="Done").click()
        expect(page.get_by_role("dialog")).to_have_count(0)

        user.open_company("Passphrase")
        former = page.get_by_role("listitem", name="Version 1")
        expect(former).to_contain_text(f"by {company.leader.name}")
        former.get_by_role("button", name="Reveal version 1").click()
        expect(page.get_by_role("heading", name="Former passphrase")).to_be_visible()
        expect(page.get_by_text(PASSPHRASE)).to_be_visible()
        page.get_by_role("button", name="Close").click()
        expect(page.get_by_role("dialog")).to_have_count(0)
        page.goto("/activity")
        expect(rows(page).filter(has_text="Former passphrase revealed")).to_have_count(1)


class TestLeadership:
    @pytest.mark.spec("4.39")
    def test_leadership_is_transferred(self, user: User, company: Company) -> None:
        """The old leader is logged out in every tab at once; the new one retypes the passphrase."""
        page = user.page
        user.sign_in(company.leader, "/team-members")
        other = page.context.new_page()
        other.goto("/activity")
        expect(other.get_by_role("heading", level=1)).to_be_visible()
        user.act_on(company.member.name, "Make team leader")
        page.get_by_role("button", name="Change team leader").click()
        expect(page).to_have_url(re.compile("/login$"))
        expect(other).to_have_url(re.compile("/login$"))
        other.close()
        user.log_in(company.member)
        expect(page).to_have_url(re.compile("/team-members$"))
        user.open_company("Passphrase")
        page.get_by_role("button", name="Reveal", exact=True).click()
        expect(page.get_by_role("heading", name="Enter the passphrase")).to_be_visible()
        page.get_by_role("button", name="Cancel").click()
        user.act_on(company.leader.name, "Make team leader")
        page.get_by_role("button", name="Change team leader").click()
        expect(page).to_have_url(re.compile("/login$"))

    @pytest.mark.extended
    def test_the_passphrase_is_handed_over(self, user: User, company: Company) -> None:
        """The new leader reveals it without typing it. Neither it nor its key is ever sent."""
        page = user.page
        company_key = user.server.factory.company_key(company)
        traffic = Traffic(page)
        user.sign_in(company.member, "/download")
        words = user.six_words()

        user.sign_in(company.leader, "/team-members")
        leaders_words = user.six_words()
        # Locks the keys again.
        page.reload()
        user.act_on(company.member.name, "Make team leader")
        dialog = page.get_by_role("alertdialog")
        dialog.get_by_role("checkbox", name="Hand over the passphrase too").check()
        dialog.get_by_label("Your password", exact=True).fill(PASSWORD)
        typed = dialog.get_by_label(f"Six words of {company.member.name}")
        typed.fill("zoo zoo zoo zoo zoo zoo")
        dialog.get_by_role("button", name="Change team leader").click()
        expect(dialog).to_contain_text("These words do not match")
        typed.fill(words)
        dialog.get_by_role("button", name="Change team leader").click()
        expect(page).to_have_url(re.compile("/login$"))

        user.sign_in(company.member, "/activity")
        page.get_by_role("button", name="Receive passphrase").click()
        page.get_by_role("button", name="Reveal", exact=True).click()
        page.get_by_label("Password", exact=True).fill(PASSWORD)
        page.get_by_role("button", name="Unlock", exact=True).click()
        page.get_by_label(f"Six words of {company.leader.name}").fill(leaders_words)
        page.get_by_role("button", name="Compare and continue").click()
        expect(page.get_by_text(PASSPHRASE, exact=True)).to_be_visible()
        user.assert_toast("Passphrase received")
        expect(page.get_by_role("button", name="Receive passphrase")).to_have_count(0)
        assert any('"keyHandover":"' in request for request in traffic.sent)
        traffic.assert_free_of(company_key, PASSPHRASE, PASSWORD)
