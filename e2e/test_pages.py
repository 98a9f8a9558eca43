"""The help and download pages."""

import hashlib
import re
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

from accounts import LEADER, MEMBER
from tessera_core.version import __version__
from user import User

PROVIDERS = {
    "google-drive": "Google Drive",
    "dropbox": "Dropbox",
    "aws-s3": "AWS S3",
    "azure": "Azure",
    "google-cloud": "Google Cloud",
}


def card(page: Page, platform: str) -> Locator:
    return page.get_by_role("region", name=platform, exact=True)


@pytest.mark.extended
class TestHelp:
    @pytest.mark.spec("2.35")
    def test_help_has_steps_and_a_policy_for_every_provider(self, user: User) -> None:
        page = user.page
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        user.sign_in(LEADER, "/download")
        user.user_menu().click()
        user.choose("Help")
        expect(page).to_have_url(re.compile("/faq$"))
        for anchor, name in PROVIDERS.items():
            section = page.locator(f"#{anchor}")
            expect(section.get_by_role("heading", level=2, name=name)).to_be_visible()
            assert section.locator("ol > li").count() >= 4
            expect(section.get_by_role("button", name=re.compile("^Copy:"))).to_be_visible()
        contents = page.get_by_role("navigation", name="On this page")
        contents.get_by_role("link", name="Azure").click()
        expect(page.locator("#azure")).to_be_in_viewport()
        # Below the toolbar, not behind it.
        heading = page.locator("#azure h2").bounding_box()
        assert heading
        assert heading["y"] > 64
        section = page.locator("#aws-s3")
        section.get_by_label("Bucket", exact=True).fill("acme-tiles")
        section.get_by_role("button", name=re.compile("^Copy:")).click()
        user.assert_toast("Copied")
        copied = page.evaluate("navigator.clipboard.readText()")
        assert "arn:aws:s3:::acme-tiles/tessera/*" in copied
        assert page.evaluate("Object.keys(localStorage).join()").find("acme") == -1

    @pytest.mark.extended
    def test_an_address_leads_to_a_section_and_the_search_to_the_page(self, user: User) -> None:
        page = user.page
        user.sign_in(LEADER, "/faq#aws-s3")
        expect(page.locator("#aws-s3")).to_be_in_viewport()
        page.goto("/activity")
        page.get_by_role("button", name="Search screens and actions").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_role("combobox").fill("dropbox")
        dialog.get_by_role("option", name=re.compile("Help")).click()
        expect(page).to_have_url(re.compile("/faq$"))

    @pytest.mark.extended
    @pytest.mark.parametrize(
        ("language", "theme", "phone"), [("ar", "dark", True), ("tr", "dark", False)]
    )
    def test_help_is_shown_in_other_languages(
        self, user: User, language: str, theme: str, phone: bool
    ) -> None:
        page, texts = user.page, user.texts
        user.sign_in(LEADER, "/faq")
        expect(page.get_by_role("heading", level=1)).to_have_text(texts("faq:title"))
        expect(page.locator("html")).to_have_attribute("dir", "rtl" if language == "ar" else "ltr")
        policy = page.locator("#aws-s3 pre").first
        assert policy.evaluate("e => getComputedStyle(e).direction") == "ltr"
        user.assert_accessible()
        user.assert_no_overflow()


class TestDownload:
    @pytest.mark.spec("1.16", "2.41", "6.8", "6.9", "9.25")
    def test_a_member_downloads_a_file_that_has_the_hash_shown(
        self, user: User, tmp_path: Path
    ) -> None:
        page = user.page
        user.sign_in(MEMBER, "/team-members")
        expect(page).to_have_url(re.compile("/download$"))
        expect(page.get_by_role("link", name="Go to App")).to_have_count(0)
        mac = card(page, "macOS")
        expect(mac).to_contain_text(f"Version {__version__}")
        expect(mac).to_contain_text("Not signed yet")
        expect(mac.get_by_text("Needs Python 3.11 or newer").first).to_be_hidden()
        name = f"tess-{__version__}-macos-arm64.pkg"
        expect(mac).to_contain_text(f"tess login {user.address} --email {MEMBER.email}")
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        with page.expect_download() as downloading:
            mac.get_by_role("button", name="Download for macOS (arm64, installer)").click()
        file = tmp_path / "file"
        downloading.value.save_as(file)
        assert downloading.value.suggested_filename == name
        digest = hashlib.sha256(file.read_bytes()).hexdigest()
        expect(mac.locator("dl code").first).to_have_text(digest)
        expect(mac.get_by_text("Your download has started")).to_be_visible()
        assert not [url for url in asked if str(user.token()) in url]
        page.goto("/faq")
        expect(page).to_have_url(re.compile("/download$"))

    @pytest.mark.spec("2.47")
    @pytest.mark.extended
    def test_a_leader_s_download_is_recorded(self, user: User) -> None:
        page = user.page
        company = user.server.factory.company()
        user.sign_in(company.leader, "/activity")
        user.user_menu().click()
        user.choose("Download")
        expect(page).to_have_url(re.compile("/download$"))
        expect(page.get_by_role("link", name="Go to App")).to_be_visible()
        card(page, "macOS").get_by_text("Without installing").click()
        with page.expect_download():
            page.get_by_role("button", name="Download for macOS (arm64, Python)").click()
        page.goto("/activity")
        expect(page.get_by_text("Client downloaded").first).to_be_visible()

    @pytest.mark.extended
    def test_the_hash_and_its_command_are_copied(self, user: User) -> None:
        page = user.page
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        user.sign_in(MEMBER, "/download")
        windows = card(page, "Windows")
        windows.get_by_role("button", name="Copy the SHA-256 for Windows").click()
        user.assert_toast("Copied")
        shown = windows.locator("dl code").first.text_content()
        assert page.evaluate("navigator.clipboard.readText()") == shown
        windows.get_by_text("Verify the file before you open it").first.click()
        windows.get_by_role("button", name="Copy the command for Windows").click()
        assert "Get-FileHash" in page.evaluate("navigator.clipboard.readText()")
        user.assert_accessible()

    @pytest.mark.extended
    @pytest.mark.parametrize(
        ("system", "agent"),
        [
            ("Windows", "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Gecko/20100101 Firefox/140.0"),
            ("macOS", "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15) Gecko/20100101 Firefox/140.0"),
        ],
    )
    def test_the_own_system_comes_first(self, user: User, system: str, agent: str) -> None:
        page = user.page
        page.add_init_script(
            "Object.defineProperty(navigator, 'userAgentData', {get: () => undefined});"
            f"Object.defineProperty(navigator, 'userAgent', {{get: () => {agent!r}}})"
        )
        user.sign_in(MEMBER, "/download")
        expect(page.get_by_role("heading", level=2).first).to_have_text(system)
        expect(card(page, system).get_by_text("For this computer")).to_be_visible()

    @pytest.mark.extended
    @pytest.mark.parametrize(
        ("language", "theme", "phone"), [("ar", "dark", True), ("tr", "light", True)]
    )
    def test_download_page_is_shown_in_other_languages(
        self, user: User, language: str, theme: str, phone: bool
    ) -> None:
        page, texts = user.page, user.texts
        user.sign_in(LEADER, "/download")
        expect(page.get_by_role("heading", level=1)).to_have_text(texts("download:title"))
        expect(card(page, "Windows")).to_be_visible()
        user.assert_accessible()
        user.assert_no_overflow()

    @pytest.mark.extended
    def test_a_list_that_cannot_be_loaded_can_be_tried_again(self, user: User) -> None:
        page = user.page
        page.route("**/api/downloads", lambda route: route.abort())
        user.sign_in(MEMBER, "/download")
        expect(page.get_by_role("alert")).to_contain_text("Could not load the installers")
        page.unroute("**/api/downloads")
        page.get_by_role("button", name="Retry").click()
        expect(card(page, "macOS")).to_be_visible()


@pytest.mark.extended
class TestWithoutSubscription:
    @pytest.mark.parametrize("language", ["ar"])
    def test_a_member_sees_whom_to_ask_and_gets_no_files(self, user: User, language: str) -> None:
        page, texts = user.page, user.texts
        company = user.server.factory.company(subscribed=False, language=language)
        user.sign_in(company.member, "/download")
        expect(page.get_by_text(company.leader.name)).to_be_visible()
        expect(page.get_by_text(company.leader.email)).to_be_visible()
        write = page.get_by_role("link", name=texts("download:ask.write"))
        expect(write).to_have_attribute("href", re.compile(f"^mailto:{company.leader.email}"))
        expect(page.get_by_role("region", name="macOS")).to_have_count(0)
        headers = {"Authorization": f"Bearer {user.token()}"}
        answer = httpx.post(f"{user.address}/api/downloads/macos/link", headers=headers)
        assert answer.json()["code"] == "subscription_required"

    @pytest.mark.spec("4.45")
    def test_a_leader_is_led_to_the_subscription(self, user: User) -> None:
        company = user.server.factory.company(subscribed=False)
        user.sign_in(company.leader, "/team-members")
        for path in ("/download", "/faq"):
            user.page.goto(path)
            expect(user.page).to_have_url(re.compile("/subscription$"))
