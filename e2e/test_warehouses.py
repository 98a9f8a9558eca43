"""Warehouses, as a team leader keeps them. On a server of its own: they are changed and removed."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from server import Server, running_server
from visitor import ADMIN, LEADER, Visitor

pytestmark = pytest.mark.timeout(300)

# The sandbox takes `demo` for any credential and refuses `wrong`.
GOOD, WRONG = "demo", "wrong"
S3 = {
    "Bucket Name": "northwind-tiles",
    "Region": "eu-central-1",
    "Account Key": GOOD,
    "Secret": GOOD,
    "Path": "vault",
}


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with running_server() as server:
        yield server


@pytest.fixture
def leader(visitor: Visitor) -> Visitor:
    visitor.sign_in(LEADER)
    visitor.page.goto("/warehouses")
    expect(rows(visitor.page).first).to_be_visible()
    return visitor


def rows(page: Page) -> Locator:
    return page.locator("main ul > li:has(h3)")


def row(page: Page, name: str) -> Locator:
    return rows(page).filter(has=page.get_by_role("button", name=name, exact=True))


def open_row(page: Page, name: str) -> Locator:
    page.get_by_role("button", name=name, exact=True).click()
    panel = page.get_by_role("region", name=name, exact=True)
    expect(panel).to_be_visible()
    return panel


def toast(page: Page, text: str) -> None:
    """By its words: an open dialog hides everything around it from the roles."""
    expect(page.locator("section[aria-live]").get_by_text(text)).to_be_visible()


def add(page: Page, name: str, *, type_: str = "AWS S3", **changed: str) -> Locator:
    """Fills the form for a new one and sends it. Answers the dialog."""
    page.get_by_role("button", name="Add warehouse").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("radio", name=type_).check()
    dialog.get_by_label("Nickname (optional)").fill(name)
    fields = S3 if type_ == "AWS S3" else {}
    for label, value in (fields | changed).items():
        dialog.get_by_label(label, exact=True).fill(value)
    dialog.get_by_role("button", name="Add and test").click()
    return dialog


def remove(page: Page, name: str) -> None:
    open_row(page, name).get_by_role("button", name="Remove").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Remove warehouse").click()
    toast(page, "Warehouse Removed")
    expect(row(page, name)).to_have_count(0)


def end_verified_access(page: Page) -> None:
    """Five minutes pass: the next call for details is refused, as the server refuses it then."""
    refused: list[str] = []

    def refuse_once(route: Route) -> None:
        if refused:
            route.continue_()
            return
        refused.append(route.request.url)
        route.fulfill(
            status=403,
            json={"code": "verification_required", "message": "Please verify that it is you."},
        )

    page.route(re.compile(r"/api/warehouse\?"), refuse_once)


class TestPage:
    def test_it_shows_how_things_stand(self, leader: Visitor) -> None:
        page = leader.page
        expect(rows(page)).to_have_count(4)
        expect(page.locator("main h2")).to_have_text("1 more warehouse has to become Active")
        expect(page.locator("main dl").first).to_contain_text("Required3")
        legend = page.get_by_role("list", name="What the states mean")
        states = [re.compile(f"^{name}:") for name in ("Not Connected", "Connected", "Active")]
        expect(legend.get_by_role("listitem")).to_have_text(states)
        first = row(page, "Frankfurt")
        expect(first).to_contain_text("AWS S3 · vault")
        expect(first.get_by_text("Default", exact=True)).to_be_visible()
        expect(first.get_by_text("Active", exact=True)).to_be_visible()
        expect(first.get_by_role("img", name=re.compile("Last 30 days: .*Active"))).to_be_visible()
        expect(row(page, "Azure mirror")).to_contain_text("The health file is missing.")
        expect(row(page, "Team Dropbox")).to_contain_text("does not accept these credentials")
        leader.assert_accessible()

    def test_search_and_pages_live_in_the_address(self, leader: Visitor) -> None:
        page = leader.page
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

    def test_it_can_be_tried_again(self, leader: Visitor) -> None:
        page = leader.page
        page.route("**/api/all*", lambda route: route.fulfill(status=503, json={"code": "x"}))
        page.reload()
        expect(page.get_by_text("The warehouses could not be loaded")).to_be_visible()
        page.unroute("**/api/all*")
        page.get_by_role("button", name="Retry").click()
        expect(rows(page)).to_have_count(4)

    @pytest.mark.parametrize(("language", "theme"), [("ar", "light"), ("ar", "dark")])
    def test_in_arabic(self, visitor: Visitor, language: str, theme: str) -> None:
        page, words = visitor.page, visitor.words
        visitor.sign_in(LEADER)
        page.goto("/warehouses")
        expect(page.locator("html")).to_have_attribute("dir", "rtl")
        expect(rows(page)).to_have_count(4)
        expect(row(page, "Frankfurt")).to_contain_text(words("warehouses:status.2"))
        open_row(page, "Frankfurt")
        visitor.assert_accessible()
        page.get_by_role("button", name=words("warehouses:add.button")).click()
        dialog = page.get_by_role("dialog", name=words("warehouses:add.title"))
        expect(dialog.get_by_label(words("warehouses:fields.secret"), exact=True)).to_be_visible()
        visitor.assert_accessible()

    @pytest.mark.look(phone=True)
    def test_nothing_sticks_out_on_a_phone(self, leader: Visitor) -> None:
        page = leader.page
        open_row(page, "Google archive")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390

    def test_elsewhere_in_the_console(self, leader: Visitor) -> None:
        page = leader.page
        page.get_by_role("button", name="Quick panel").click()
        panel = page.get_by_role("dialog", name="Quick panel")
        states = panel.get_by_role("region", name="Warehouse states")
        expect(states).to_contain_text("FrankfurtActive")
        expect(states).to_contain_text("Team DropboxNot Connected")
        page.keyboard.press("Escape")
        expect(panel).to_have_count(0)
        page.keyboard.press("Control+k")
        page.get_by_role("combobox").fill("azure mir")
        page.get_by_role("option", name=re.compile("Azure mirror")).click()
        expect(page).to_have_url(re.compile(r"/warehouses\?q=Azure\+mirror$"))
        expect(rows(page)).to_have_count(1)

    def test_an_admin_sees_the_states(self, visitor: Visitor) -> None:
        page = visitor.page
        visitor.sign_in(ADMIN)
        page.get_by_role("button", name="Actions for Northwind Ltd").click()
        page.get_by_role("menuitem", name="Details").click()
        drawer = page.get_by_role("dialog", name="Northwind Ltd")
        expect(drawer).to_contain_text("FrankfurtActive")
        expect(drawer).to_contain_text("Azure mirrorConnected")


class TestOpening:
    def test_only_after_verification(self, leader: Visitor) -> None:
        page = leader.page
        end_verified_access(page)
        before = len(leader.messages(LEADER.phone))
        page.get_by_role("button", name="Frankfurt", exact=True).click()
        dialog = page.get_by_role("dialog", name="Verification Required")
        expect(dialog).to_be_visible()
        expect(page.get_by_text("northwind-tessera")).to_have_count(0)
        code = str(leader.next_message(LEADER.phone, before)["code"])
        dialog.get_by_label("Verification code").fill(code)
        expect(page.get_by_role("region", name="Frankfurt")).to_contain_text("northwind-tessera")

    def test_one_at_a_time_with_masked_secrets(self, leader: Visitor) -> None:
        page = leader.page
        leader.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        panel = open_row(page, "Frankfurt")
        secret = panel.locator("dd").filter(has=page.get_by_role("button", name="Copy Secret"))
        expect(secret).not_to_contain_text(GOOD)
        panel.get_by_role("button", name="Show Secret").click()
        expect(secret).to_contain_text(GOOD)
        panel.get_by_role("button", name="Copy Secret").click()
        toast(page, "Copied")
        assert page.evaluate("navigator.clipboard.readText()") == GOOD
        leader.assert_accessible()
        open_row(page, "Google archive")
        expect(panel).to_have_count(0)
        page.get_by_role("button", name="Google archive", exact=True).click()
        expect(page.get_by_role("region", name="Google archive")).to_have_count(0)


class TestChanging:
    def test_adding_one(self, leader: Visitor) -> None:
        page = leader.page
        add(page, "Oslo")
        toast(page, "Warehouse Added")
        expect(page.get_by_role("dialog")).to_have_count(0)
        expect(row(page, "Oslo").get_by_text("Active", exact=True)).to_be_visible()
        remove(page, "Oslo")

    @pytest.mark.parametrize(
        ("changed", "cause"),
        [
            ({"Secret": WRONG}, "The provider does not accept these credentials."),
            ({"Bucket Name": "missing"}, "The bucket or container does not exist."),
            ({"Region": WRONG}, "The bucket is in another region."),
            ({"Path": "readonly"}, "The credentials do not allow reading and writing here."),
            ({"Path": "unreachable"}, "The provider cannot be reached."),
        ],
    )
    def test_the_cause_of_a_failure_is_said_and_mended(
        self, leader: Visitor, changed: dict[str, str], cause: str
    ) -> None:
        page = leader.page
        dialog = add(page, "Bergen", **changed)
        expect(dialog.get_by_role("alert")).to_contain_text(cause)
        expect(dialog.get_by_text("The type cannot be changed.")).to_be_visible()
        for label in changed:
            dialog.get_by_label(label, exact=True).fill(S3[label])
        dialog.get_by_role("button", name="Save and test").click()
        toast(page, "Warehouse Updated")
        expect(dialog).to_have_count(0)
        expect(row(page, "Bergen").get_by_text("Active", exact=True)).to_be_visible()
        remove(page, "Bergen")

    def test_a_slow_one_is_processed(self, leader: Visitor) -> None:
        page = leader.page
        dialog = add(page, "Tortoise", Path="slow")
        expect(dialog.get_by_text("Testing the connection to AWS S3")).to_be_visible()
        toast(page, "Processing...")
        expect(dialog).to_have_count(0)
        slow = row(page, "Tortoise")
        expect(slow).to_contain_text("Processing…")
        expect(slow.get_by_text("Active", exact=True)).to_be_visible(timeout=90_000)
        expect(slow).not_to_contain_text("Processing…")
        remove(page, "Tortoise")

    def test_fields_follow_the_type(self, leader: Visitor) -> None:
        page = leader.page
        dialog = add(
            page,
            "Container",
            type_="Azure",
            **{"Application Name": "tiles", "Connection String": "BlobEndpoint=x", "Path": "a"},
        )
        expect(dialog.get_by_text("Copy the connection string as Azure shows it")).to_be_visible()
        expect(dialog.get_by_label("Connection String", exact=True)).to_be_focused()
        help_ = dialog.get_by_role("link", name="Open the steps")
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

    def test_editing_from_beside_the_cause(self, leader: Visitor) -> None:
        page = leader.page
        page.get_by_role("button", name="Edit Team Dropbox").click()
        dialog = page.get_by_role("dialog", name="Edit warehouse")
        expect(dialog.get_by_role("alert")).to_contain_text("Not connected:")
        dialog.get_by_label("Access Token", exact=True).fill(GOOD)
        dialog.get_by_role("button", name="Save and test").click()
        toast(page, "Warehouse Updated")
        expect(row(page, "Team Dropbox").get_by_text("Active", exact=True)).to_be_visible()

    def test_the_health_file_is_republished(self, leader: Visitor) -> None:
        page = leader.page
        expect(page.get_by_role("button", name="Republish Health File")).to_have_count(1)
        panel = open_row(page, "Azure mirror")
        panel.get_by_role("button", name="Republish Health File").click()
        toast(page, "Health file published to Azure mirror.")
        expect(row(page, "Azure mirror").get_by_text("Active", exact=True)).to_be_visible()
        expect(page.get_by_role("button", name="Republish Health File")).to_have_count(0)

    def test_the_default_moves(self, leader: Visitor) -> None:
        page = leader.page
        panel = open_row(page, "Google archive")
        panel.get_by_role("checkbox", name="Default warehouse").click()
        toast(page, "Warehouse Updated")
        expect(row(page, "Google archive").get_by_text("Default", exact=True)).to_be_visible()
        expect(row(page, "Frankfurt").get_by_text("Default", exact=True)).to_have_count(0)
        expect(panel.get_by_role("checkbox")).to_be_disabled()
        gone = panel.get_by_role("button", name="Remove")
        expect(gone).to_be_disabled()
        gone.locator("..").hover()
        expect(page.locator("[role=tooltip]")).to_contain_text("This is the default warehouse.")

    def test_a_new_key(self, leader: Visitor) -> None:
        page = leader.page
        card = page.locator("main section").first
        version = int(re.findall(r"key version (\d+)", card.inner_text())[0])
        page.get_by_role("button", name="New encryption key").click()
        dialog = page.get_by_role("alertdialog")
        expect(dialog).to_contain_text("encrypted with a new key")
        leader.assert_accessible()
        dialog.get_by_role("button", name="Generate new key").click()
        toast(page, "All Database Entries Encrypted With New Key")
        expect(card).to_contain_text(f"key version {version + 1}")
        expect(open_row(page, "Frankfurt")).to_contain_text("northwind-tessera")

    def test_removing_all_of_them(self, leader: Visitor) -> None:
        """The last of these tests: nothing is left after it."""
        page = leader.page
        default = rows(page).first.get_by_role("heading").get_by_role("button").inner_text()
        others = [
            name
            for name in ("Frankfurt", "Google archive", "Azure mirror", "Team Dropbox")
            if name != default
        ]
        remove(page, others[0])
        open_row(page, others[1]).get_by_role("button", name="Remove").click()
        expect(page.get_by_role("alertdialog")).to_contain_text("Only 2 warehouses remain then.")
        leader.assert_accessible()
        page.get_by_role("alertdialog").get_by_role("button", name="Cancel").click()
        page.get_by_role("button", name=others[1], exact=True).click()
        for name in (*others[1:], default):
            remove(page, name)
        expect(page.get_by_text("There are no Warehouses")).to_be_visible()
        expect(page.get_by_text("The service requires at least three warehouses")).to_be_visible()
        expect(page.get_by_role("link", name="How to get the credentials")).to_be_visible()
        leader.assert_accessible()
