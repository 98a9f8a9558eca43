"""Help and downloads. On a server of its own: the last of these tests end the subscription."""

import hashlib
import re
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

from server import Server, running_server
from visitor import LEADER, MEMBER, Visitor

PROVIDERS = {
    "google-drive": "Google Drive",
    "dropbox": "Dropbox",
    "aws-s3": "AWS S3",
    "azure": "Azure",
    "google-cloud": "Google Cloud",
}


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with running_server() as server:
        yield server


@pytest.fixture
def leader(visitor: Visitor) -> Visitor:
    visitor.sign_in(LEADER)
    return visitor


@pytest.fixture
def member(visitor: Visitor) -> Visitor:
    visitor.sign_in(MEMBER)
    return visitor


def card(page: Page, platform: str) -> Locator:
    return page.get_by_role("region", name=platform, exact=True)


def bearer(page: Page) -> str:
    return str(page.evaluate("localStorage.getItem('tessera.token')"))


def sign_in_to_a_dialog(visitor: Visitor) -> None:
    """A leader whose subscription has ended is told so first, and the page waits behind it."""
    visitor.choose_language()
    code = visitor.submit_credentials(LEADER)
    visitor.page.get_by_label(visitor.words("auth:code.label")).fill(code)
    expect(visitor.page).to_have_url(re.compile("/(team-members|subscription)$"))


class TestHelp:
    def test_every_provider_has_steps_and_something_to_copy(self, leader: Visitor) -> None:
        page = leader.page
        leader.user_menu().click()
        page.get_by_role("menuitem", name="Help").click()
        expect(page).to_have_url(re.compile("/faq$"))
        for anchor, name in PROVIDERS.items():
            section = page.locator(f"#{anchor}")
            expect(section.get_by_role("heading", level=2, name=name)).to_be_visible()
            assert section.locator("ol > li").count() >= 4
            expect(section.get_by_role("button", name=re.compile("^Copy"))).to_be_visible()
        leader.assert_accessible()

    def test_a_policy_is_filled_in_and_copied(self, leader: Visitor) -> None:
        page = leader.page
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.goto("/faq#aws-s3")
        section = page.locator("#aws-s3")
        expect(section).to_be_in_viewport()
        section.get_by_label("Bucket", exact=True).fill("acme-tiles")
        section.get_by_role("button", name=re.compile("^Copy")).click()
        expect(section.get_by_text("Copied")).to_be_visible()
        copied = page.evaluate("navigator.clipboard.readText()")
        assert "arn:aws:s3:::acme-tiles/tessera/*" in copied
        assert page.evaluate("Object.keys(localStorage).join()").find("acme") == -1

    def test_the_contents_lead_to_the_sections(self, leader: Visitor) -> None:
        page = leader.page
        page.goto("/faq")
        contents = page.get_by_role("navigation", name="On this page")
        contents.get_by_role("link", name="Azure").click()
        expect(page.locator("#azure")).to_be_in_viewport()
        # Below the toolbar, not behind it.
        assert page.locator("#azure h2").bounding_box()["y"] > 64  # type: ignore[index]

    def test_the_search_finds_it(self, leader: Visitor) -> None:
        page = leader.page
        page.get_by_role("button", name="Search screens and actions").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_role("combobox").fill("dropbox")
        dialog.get_by_role("option", name=re.compile("Help")).click()
        expect(page).to_have_url(re.compile("/faq$"))

    def test_it_is_for_leaders(self, member: Visitor) -> None:
        member.page.goto("/faq")
        expect(member.page).to_have_url(re.compile("/download$"))

    @pytest.mark.parametrize(
        ("language", "theme", "phone"), [("ar", "dark", True), ("tr", "dark", False)]
    )
    def test_in_other_languages(
        self, leader: Visitor, language: str, theme: str, phone: bool
    ) -> None:
        page, words = leader.page, leader.words
        page.goto("/faq")
        expect(page.get_by_role("heading", level=1)).to_have_text(words("faq:title"))
        expect(page.locator("html")).to_have_attribute("dir", "rtl" if language == "ar" else "ltr")
        assert page.locator("#aws-s3 pre").evaluate("e => getComputedStyle(e).direction") == "ltr"
        leader.assert_accessible()
        if phone:
            assert page.evaluate("document.documentElement.scrollWidth") <= 390


class TestDownload:
    def test_a_leader_downloads_a_file_that_has_the_hash_shown(
        self, leader: Visitor, tmp_path: Path
    ) -> None:
        page = leader.page
        leader.user_menu().click()
        page.get_by_role("menuitem", name="Download").click()
        expect(page).to_have_url(re.compile("/download$"))
        mac = card(page, "macOS")
        expect(mac).to_contain_text("Version 0.7.7")
        expect(page.get_by_text("samples of the sandbox")).to_be_visible()
        leader.assert_accessible()
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        with page.expect_download() as downloading:
            mac.get_by_role("button", name="Download for macOS").click()
        file = tmp_path / "file"
        downloading.value.save_as(file)
        assert downloading.value.suggested_filename == "Tessera-0.7.7-sandbox-sample.dmg"
        digest = hashlib.sha256(file.read_bytes()).hexdigest()
        expect(mac.locator("dl code")).to_have_text(digest)
        expect(mac.get_by_text("The download has started")).to_be_visible()
        assert not [url for url in asked if bearer(page) in url]
        expect(page.get_by_role("link", name="Go to App")).to_be_visible()
        page.goto("/activity")
        expect(page.get_by_text("Client downloaded").first).to_be_visible()

    def test_the_hash_and_its_command_are_copied(self, member: Visitor) -> None:
        page = member.page
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        expect(page).to_have_url(re.compile("/download$"))
        windows = card(page, "Windows")
        windows.get_by_role("button", name="Copy the SHA-256 for Windows").click()
        expect(windows.get_by_text("Copied").first).to_be_visible()
        shown = windows.locator("dl code").text_content()
        assert page.evaluate("navigator.clipboard.readText()") == shown
        windows.get_by_text("Check the file before you open it").click()
        windows.get_by_role("button", name="Copy the command for Windows").click()
        assert "Get-FileHash" in page.evaluate("navigator.clipboard.readText()")
        member.assert_accessible()

    def test_a_member_has_no_app_to_go_to(self, member: Visitor) -> None:
        page = member.page
        expect(card(page, "macOS")).to_be_visible()
        expect(page.get_by_role("link", name="Go to App")).to_have_count(0)
        page.goto("/team-members")
        expect(page).to_have_url(re.compile("/download$"))

    @pytest.mark.parametrize(
        ("system", "agent"),
        [
            ("Windows", "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Gecko/20100101 Firefox/140.0"),
            ("macOS", "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15) Gecko/20100101 Firefox/140.0"),
        ],
    )
    def test_the_own_system_comes_first(self, member: Visitor, system: str, agent: str) -> None:
        page = member.page
        page.add_init_script(
            "Object.defineProperty(navigator, 'userAgentData', {get: () => undefined});"
            f"Object.defineProperty(navigator, 'userAgent', {{get: () => {agent!r}}})"
        )
        page.reload()
        expect(page.get_by_role("heading", level=2).first).to_have_text(system)
        expect(card(page, system).get_by_text("For this computer")).to_be_visible()

    @pytest.mark.parametrize(
        ("language", "theme", "phone"), [("ar", "dark", True), ("tr", "light", True)]
    )
    def test_in_other_languages(
        self, leader: Visitor, language: str, theme: str, phone: bool
    ) -> None:
        page, words = leader.page, leader.words
        page.goto("/download")
        expect(page.get_by_role("heading", level=1)).to_have_text(words("download:title"))
        expect(card(page, "Windows")).to_be_visible()
        leader.assert_accessible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390

    def test_a_list_that_cannot_be_loaded_can_be_tried_again(self, member: Visitor) -> None:
        page = member.page
        page.route("**/api/downloads", lambda route: route.abort())
        page.reload()
        expect(page.get_by_role("alert")).to_contain_text("could not be loaded")
        page.unroute("**/api/downloads")
        page.get_by_role("button", name="Retry").click()
        expect(card(page, "macOS")).to_be_visible()


class TestWithoutSubscription:
    """Last: from here on the company has none."""

    @pytest.fixture(autouse=True)
    def ended(self, visitor: Visitor, server: Server) -> None:
        sign_in_to_a_dialog(visitor)
        headers = {"Authorization": f"Bearer {bearer(visitor.page)}"}
        url = f"{server.address}/api/auth/login-token"
        if httpx.get(url, headers=headers).json()["user"]["isSubscribed"]:
            httpx.put(
                f"{server.address}/api/payment/cancel", headers=headers, json={}, timeout=60
            ).raise_for_status()
            httpx.post(
                f"{server.address}/sandbox/stripe/clock", json={"advanceDays": 31}, timeout=60
            ).raise_for_status()
        for _ in range(300):
            if not httpx.get(url, headers=headers).json()["user"]["isSubscribed"]:
                break
            time.sleep(0.1)
        else:
            raise AssertionError("the subscription did not end")
        # A new profile for whoever comes next.
        visitor.page.context.clear_cookies()
        visitor.page.evaluate("localStorage.removeItem('tessera.token')")

    @pytest.mark.parametrize(("language", "theme"), [("en", "light"), ("ar", "dark")])
    def test_a_member_is_told_whom_to_ask_and_gets_no_files(
        self, visitor: Visitor, server: Server, language: str, theme: str
    ) -> None:
        page, words = visitor.page, visitor.words
        visitor.sign_in(MEMBER)
        expect(page).to_have_url(re.compile("/download$"))
        expect(page.get_by_text("Ada Lindqvist")).to_be_visible()
        expect(page.get_by_text(LEADER.email)).to_be_visible()
        write = page.get_by_role("link", name=words("download:ask.write"))
        expect(write).to_have_attribute("href", re.compile(f"^mailto:{LEADER.email}"))
        expect(page.get_by_role("region", name="macOS")).to_have_count(0)
        visitor.assert_accessible()
        headers = {"Authorization": f"Bearer {bearer(page)}"}
        answer = httpx.post(f"{server.address}/api/downloads/macos/link", headers=headers)
        assert answer.json()["code"] == "subscription_required"

    def test_a_leader_is_led_to_the_subscription(self, visitor: Visitor) -> None:
        sign_in_to_a_dialog(visitor)
        for path in ("/download", "/faq"):
            visitor.page.goto(path)
            expect(visitor.page).to_have_url(re.compile("/subscription$"))
