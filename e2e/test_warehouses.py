"""How a team leader manages warehouses."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from accounts import LEADER, Company
from tests.fixtures.webhook_receiver import Receiver, documented_verify
from user import User

# The sandbox accepts `demo` for any credential and refuses `wrong`.
GOOD, WRONG = "demo", "wrong"
S3 = {
    "Bucket Name": "harbour-tiles",
    "Region": "eu-central-1",
    "Account Key": GOOD,
    "Secret": GOOD,
    "Path": "vault",
}


@pytest.fixture
def company(user: User) -> Company:
    """A company with the four warehouses of the demo's Northwind."""
    return user.server.factory.company(warehouses=True)


@pytest.fixture
def leader(user: User, company: Company) -> User:
    return opened(user, company)


@pytest.fixture
def northwind(user: User) -> User:
    """The demo's leader, for tests that change nothing."""
    user.sign_in(LEADER, "/warehouses")
    expect(rows(user.page).first).to_be_visible()
    return user


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    receiver = Receiver()
    yield receiver
    receiver.close()


def opened(user: User, company: Company, *, verified: bool = True) -> User:
    user.sign_in(company.leader, "/warehouses", verified=verified)
    expect(rows(user.page).first).to_be_visible()
    return user


def rows(page: Page) -> Locator:
    return page.locator("main ul > li:has(h3)")


def row(page: Page, name: str) -> Locator:
    return rows(page).filter(has=page.get_by_role("button", name=name, exact=True))


def open_row(page: Page, name: str) -> Locator:
    page.get_by_role("button", name=name, exact=True).click()
    panel = page.get_by_role("region", name=name, exact=True)
    expect(panel).to_be_visible()
    return panel


def add(page: Page, name: str, *, type_: str = "AWS S3", **changed: str) -> Locator:
    """Fills in the form for a new warehouse, submits it and returns the dialog."""
    page.get_by_role("button", name="Add warehouse").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("radio", name=type_).check()
    dialog.get_by_label("Nickname (optional)").fill(name)
    fields = S3 if type_ == "AWS S3" else {}
    for label, value in (fields | changed).items():
        dialog.get_by_label(label, exact=True).fill(value)
    dialog.get_by_role("button", name="Add and test").click()
    return dialog


def add_and_correct(leader: User, changed: dict[str, str], cause: str) -> None:
    page = leader.page
    dialog = add(page, "Bergen", **changed)
    expect(dialog.get_by_role("alert")).to_contain_text(cause)
    expect(row(page, "Bergen")).to_have_count(0)
    for label in changed:
        dialog.get_by_label(label, exact=True).fill(S3[label])
    dialog.get_by_role("button", name="Add and test").click()
    leader.assert_toast("Warehouse Added")
    expect(dialog).to_have_count(0)
    expect(row(page, "Bergen").get_by_text("Active", exact=True)).to_be_visible()


def remove(leader: User, name: str) -> None:
    page = leader.page
    open_row(page, name).get_by_role("button", name="Remove").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Remove warehouse").click()
    leader.assert_toast("Warehouse Removed")
    expect(row(page, name)).to_have_count(0)


@pytest.mark.extended
class TestPage:
    def test_warehouses_page_shows_the_state_of_each(self, northwind: User) -> None:
        page = northwind.page
        expect(rows(page)).to_have_count(4)
        expect(page.locator("main h2")).to_have_text("1 more warehouse must become Active")
        expect(page.locator("main dl").first).to_contain_text("Required3")
        legend = page.get_by_role("list", name="Status legend")
        states = [re.compile(f"^{name}:") for name in ("Not Connected", "Connected", "Active")]
        expect(legend.get_by_role("listitem")).to_have_text(states)
        first = row(page, "Frankfurt")
        expect(first).to_contain_text("AWS S3 · northwind-tessera/vault")
        expect(first.get_by_text("Default", exact=True)).to_be_visible()
        expect(first.get_by_text("Active", exact=True)).to_be_visible()
        expect(first.get_by_role("img", name=re.compile("Last 30 days: .*Active"))).to_be_visible()
        expect(row(page, "Azure mirror")).to_contain_text("The health file is missing.")
        expect(row(page, "Team Dropbox")).to_contain_text("rejects these credentials")

    def test_search_and_pages_live_in_the_address(self, northwind: User) -> None:
        page = northwind.page
        page.get_by_role("searchbox").fill("dropbox")
        expect(page).to_have_url(re.compile(r"/warehouses\?q=dropbox$"))
        expect(rows(page)).to_have_count(1)
        page.go_back()
        expect(rows(page)).to_have_count(4)
        page.get_by_label("Rows per page").select_option("25")
        expect(page).to_have_url(re.compile(r"size=25$"))
        page.get_by_role("searchbox").fill("no such warehouse")
        expect(page.get_by_text("No Results Found")).to_be_visible()
        page.get_by_role("button", name="Clear search and filters").click()
        expect(rows(page)).to_have_count(4)

    def test_a_button_that_is_blocked_turns_grey_at_once(self, northwind: User) -> None:
        page = northwind.page
        page.emulate_media(reduced_motion="no-preference")
        # It holds no pieces of files, whose loss would have to be confirmed first.
        open_row(page, "Team Dropbox").get_by_role("button", name="Remove").click()
        button = page.get_by_role("alertdialog").get_by_role("button", name="Remove warehouse")
        expect(button).to_be_enabled()
        running = button.evaluate(
            "(button) => { button.disabled = true; return button.getAnimations().length }"
        )
        assert running == 0

    def test_failed_warehouses_page_can_be_tried_again(self, northwind: User) -> None:
        page = northwind.page
        page.route("**/api/all*", lambda route: route.fulfill(status=503, json={"code": "x"}))
        page.reload()
        expect(page.get_by_text("Could not load warehouses")).to_be_visible()
        page.unroute("**/api/all*")
        page.get_by_role("button", name="Retry").click()
        expect(rows(page)).to_have_count(4)

    def test_elsewhere_in_the_console(self, northwind: User) -> None:
        page = northwind.page
        page.get_by_role("button", name="Quick panel").click()
        panel = page.get_by_role("dialog", name="Quick panel")
        states = panel.get_by_role("region", name="Warehouse status")
        expect(states).to_contain_text("FrankfurtActive")
        expect(states).to_contain_text("Team DropboxNot Connected")
        page.keyboard.press("Escape")
        expect(panel).to_have_count(0)
        page.keyboard.press("Control+k")
        page.get_by_role("dialog").get_by_role("combobox").fill("azure mir")
        page.get_by_role("option", name=re.compile("Azure mirror")).click()
        expect(page).to_have_url(re.compile(r"/warehouses\?q=Azure\+mirror$"))
        expect(rows(page)).to_have_count(1)


class TestHealth:
    def test_problems_are_found_checked_and_explained(self, leader: User) -> None:
        page = leader.page
        expect(rows(page).first).to_contain_text("Team Dropbox")
        page.get_by_role("button", name=re.compile("^Connected")).click()
        expect(page).to_have_url(re.compile(r"filter=status"))
        expect(rows(page)).to_have_count(1)
        page.get_by_role("button", name="Check Azure mirror now").click()
        leader.assert_toast("Azure mirror: The health file is missing.")
        page.get_by_role("button", name="History of Azure mirror").click()
        dialog = page.get_by_role("dialog", name="History of Azure mirror")
        periods = dialog.get_by_role("listitem")
        expect(periods).to_have_count(4)
        expect(periods.first).to_contain_text("The health file is missing.")
        expect(periods.nth(2)).to_contain_text("Cannot reach the provider.")
        leader.assert_accessible()
        dialog.get_by_role("button", name="Close").click()
        expect(dialog).to_have_count(0)
        page.get_by_role("button", name=re.compile("^Connected")).click()
        expect(rows(page)).to_have_count(4)


class TestOpening:
    @pytest.mark.spec("2.63", "2.69")
    def test_warehouse_opens_after_verification_and_republishes_its_health_file(
        self, user: User, company: Company
    ) -> None:
        page = opened(user, company, verified=False).page
        page.get_by_role("button", name="Frankfurt", exact=True).click()
        dialog = page.get_by_role("dialog", name="Verification Required")
        expect(dialog).to_be_visible()
        expect(page.get_by_text("eu-central-1")).to_have_count(0)
        code = str(user.next_message(company.leader.phone, 0)["code"])
        dialog.get_by_label("Verification code").fill(code)
        expect(page.get_by_role("region", name="Frankfurt")).to_contain_text("eu-central-1")

        expect(page.get_by_role("button", name="Republish Health File")).to_have_count(1)
        panel = open_row(page, "Azure mirror")
        panel.get_by_role("button", name="Republish Health File").click()
        user.assert_toast("Health file published to Azure mirror.")
        expect(row(page, "Azure mirror").get_by_text("Active", exact=True)).to_be_visible()
        expect(page.get_by_role("button", name="Republish Health File")).to_have_count(0)

    @pytest.mark.extended
    def test_warehouses_open_one_at_a_time_with_masked_secrets(self, northwind: User) -> None:
        page = northwind.page
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        panel = open_row(page, "Frankfurt")
        secret = panel.locator("dd").filter(has=page.get_by_role("button", name="Copy Secret"))
        expect(secret).not_to_contain_text(GOOD)
        panel.get_by_role("button", name="Show Secret").click()
        expect(secret).to_contain_text(GOOD)
        panel.get_by_role("button", name="Copy Secret").click()
        northwind.assert_toast("Copied")
        assert page.evaluate("navigator.clipboard.readText()") == GOOD
        northwind.assert_accessible()
        open_row(page, "Google archive")
        expect(panel).to_have_count(0)
        page.get_by_role("button", name="Google archive", exact=True).click()
        expect(page.get_by_role("region", name="Google archive")).to_have_count(0)


class TestAlerts:
    @pytest.mark.extended
    def test_a_member_is_told_and_a_receiver_verifies_a_signed_event(
        self, leader: User, receiver: Receiver
    ) -> None:
        page = leader.page
        page.get_by_role("button", name="Alerts", exact=True).click()
        dialog = page.get_by_role("dialog", name="Alerts")
        search = dialog.get_by_role("searchbox", name="Search members to add")
        search.fill("omar")
        dialog.get_by_role("button", name="Add Omar Haddad").click()
        leader.assert_toast("Recipient Added")
        expect(dialog.get_by_role("button", name="Remove Omar Haddad")).to_be_visible()

        dialog.get_by_label("Address", exact=True).fill(receiver.url)
        dialog.get_by_role("button", name="Add webhook").click()
        leader.assert_toast("Webhook Added")
        secret = dialog.locator("code").inner_text()
        dialog.get_by_role("button", name="Send test event").click()
        deliveries = dialog.get_by_role("list", name="Latest deliveries").get_by_role("listitem")
        expect(deliveries).to_have_count(1)
        expect(deliveries).to_contain_text("Test event")
        expect(deliveries).to_contain_text("Status 204Delivered", timeout=60_000)
        (posted,) = receiver.posted
        assert documented_verify()(secret, posted.headers, posted.body)
        leader.assert_accessible()
        dialog.get_by_role("button", name="Close").click()
        expect(dialog).to_have_count(0)


class TestChanging:
    @pytest.mark.spec("1.11")
    def test_warehouse_is_added_corrected_made_the_default_and_removed(self, leader: User) -> None:
        page = leader.page
        add_and_correct(leader, {"Secret": WRONG}, "The provider rejects these credentials.")
        panel = open_row(page, "Google archive")
        panel.get_by_role("checkbox", name="Default warehouse").click()
        leader.assert_toast("Warehouse Updated")
        expect(row(page, "Google archive").get_by_text("Default", exact=True)).to_be_visible()
        expect(row(page, "Frankfurt").get_by_text("Default", exact=True)).to_have_count(0)
        expect(panel.get_by_role("checkbox")).to_be_disabled()
        gone = panel.get_by_role("button", name="Remove")
        expect(gone).to_be_disabled()
        gone.locator("..").hover()
        expect(page.locator("[role=tooltip]")).to_contain_text("This is the default warehouse.")
        remove(leader, "Bergen")

    @pytest.mark.extended
    @pytest.mark.parametrize(
        ("changed", "cause"),
        [
            ({"Bucket Name": "missing"}, "The bucket or container does not exist."),
            ({"Region": WRONG}, "The bucket is in another region."),
            ({"Path": "readonly"}, "The credentials do not allow reading and writing here."),
            ({"Path": "unreachable"}, "Cannot reach the provider."),
        ],
    )
    def test_the_cause_of_a_failure_is_said_and_corrected(
        self, leader: User, changed: dict[str, str], cause: str
    ) -> None:
        add_and_correct(leader, changed, cause)

    @pytest.mark.extended
    def test_a_slow_one_is_processed(self, leader: User) -> None:
        page = leader.page
        dialog = add(page, "Tortoise", Path="slow")
        expect(dialog.get_by_text("Testing the connection to AWS S3")).to_be_visible()
        dialog.get_by_role("button", name="Save anyway").click(timeout=60_000)
        leader.assert_toast("Processing...")
        expect(dialog).to_have_count(0)
        slow = row(page, "Tortoise")
        expect(slow).to_contain_text("Processing…")
        expect(slow.get_by_text("Active", exact=True)).to_be_visible(timeout=90_000)
        expect(slow).not_to_contain_text("Processing…")

    @pytest.mark.extended
    def test_fields_follow_the_type(self, leader: User) -> None:
        page = leader.page
        dialog = add(
            page,
            "Container",
            type_="Azure",
            **{"Application Name": "tiles", "Connection String": "BlobEndpoint=x", "Path": "a"},
        )
        expect(dialog.get_by_text("Copy the connection string from Azure")).to_be_visible()
        expect(dialog.get_by_label("Connection String", exact=True)).to_be_focused()
        help_ = dialog.get_by_role("link", name="View the steps")
        expect(help_).to_have_attribute("href", re.compile("/faq#azure"))
        dialog.get_by_role("radio", name="Google Cloud").check()
        expect(dialog.get_by_role("button", name="Add and test")).to_be_disabled()
        dialog.get_by_label("Service account JSON (optional)").fill(
            '{"client_email": "t@tiles-1.iam.gserviceaccount.com", "project_id": "tiles-1"}'
        )
        expect(dialog.get_by_text("2 fields filled in")).to_be_visible()
        expect(dialog.get_by_label("Project Id", exact=True)).to_have_value("tiles-1")
        leader.assert_accessible()
        dialog.get_by_role("button", name="Cancel").click()
        expect(row(page, "Container")).to_have_count(0)

    @pytest.mark.extended
    def test_editing_from_beside_the_cause(self, leader: User) -> None:
        page = leader.page
        page.get_by_role("button", name="Edit Team Dropbox").click()
        dialog = page.get_by_role("dialog", name="Edit warehouse")
        expect(dialog.get_by_role("alert")).to_contain_text("Not connected:")
        dialog.get_by_label("Access Token", exact=True).fill(GOOD)
        dialog.get_by_role("button", name="Save and test").click()
        leader.assert_toast("Warehouse Updated")
        expect(row(page, "Team Dropbox").get_by_text("Active", exact=True)).to_be_visible()

    @pytest.mark.extended
    def test_encryption_key_is_rotated(self, leader: User) -> None:
        page = leader.page
        card = page.locator("main section").first
        expect(card).to_contain_text("key version 1")
        page.get_by_role("button", name="New encryption key").click()
        dialog = page.get_by_role("alertdialog")
        expect(dialog).to_contain_text("encrypted with a new key")
        dialog.get_by_role("button", name="Generate new key").click()
        leader.assert_toast("All Database Entries Encrypted With New Key")
        expect(card).to_contain_text("key version 2")
        expect(open_row(page, "Frankfurt")).to_contain_text("northwind-tessera")

    @pytest.mark.spec("2.70")
    @pytest.mark.extended
    def test_removing_all_of_them(self, leader: User) -> None:
        page = leader.page
        default, *others = ("Frankfurt", "Google archive", "Azure mirror", "Team Dropbox")
        remove(leader, others[0])
        open_row(page, others[1]).get_by_role("button", name="Remove").click()
        expect(page.get_by_role("alertdialog")).to_contain_text("Only 2 warehouses remain.")
        leader.assert_accessible()
        page.get_by_role("alertdialog").get_by_role("button", name="Cancel").click()
        page.get_by_role("button", name=others[1], exact=True).click()
        for name in (*others[1:], default):
            remove(leader, name)
        expect(page.get_by_text("There are no Warehouses")).to_be_visible()
        expect(page.get_by_text("The service requires at least three warehouses")).to_be_visible()
        expect(page.get_by_role("link", name="How to get credentials")).to_be_visible()
