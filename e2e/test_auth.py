"""Signing in, out and back in, as a person does it."""

import re

import httpx
import pytest
from playwright.sync_api import BrowserContext, Page, Response, expect

from server import Server
from visitor import ADMIN, LEADER, MEMBER, PASSPHRASE, PASSWORD, Account, Visitor
from words import server_words

BOTH = pytest.mark.parametrize("language", ["en", "ar"])


def code_field(visitor: Visitor):  # type: ignore[no-untyped-def]  # noqa: ANN201
    return visitor.page.get_by_label(visitor.words("auth:code.label"))


class TestLogin:
    @BOTH
    def test_a_leader_signs_in_and_out(self, visitor: Visitor, language: str) -> None:
        page, words = visitor.page, visitor.words
        visitor.choose_language()
        visitor.assert_accessible()
        button = page.get_by_role("button", name=words("auth:login.phase.idle"))
        expect(button).to_be_disabled()
        page.get_by_label(words("auth:fields.email"), exact=True).fill("not an address")
        page.get_by_label(words("auth:fields.password"), exact=True).fill("x")
        expect(page.get_by_text(words("auth:fields.emailInvalid"))).to_be_visible()
        expect(button).to_be_disabled()
        code = visitor.submit_credentials(LEADER)
        visitor.assert_accessible()
        expect(page.locator("p", has_text=words("auth:code.hint"))).to_be_visible()
        code_field(visitor).fill(code)
        expect(page).to_have_url(re.compile("/team-members"))
        expect(page.locator("html")).to_have_attribute("lang", language)
        visitor.log_out()
        assert page.evaluate("localStorage.getItem('tessera.token')") is None
        left = page.evaluate("Object.keys(sessionStorage)")
        assert set(left) <= {"tessera.scroll"}
        expect(page.locator("html")).to_have_attribute("lang", language)

    @pytest.mark.parametrize(
        ("account", "path"),
        [(ADMIN, "/admin/companies"), (LEADER, "/team-members"), (MEMBER, "/download")],
    )
    def test_everyone_lands_at_home(self, visitor: Visitor, account: Account, path: str) -> None:
        visitor.sign_in(account)
        expect(visitor.page).to_have_url(re.compile(f"{path}(\\?|$)"))

    @BOTH
    def test_the_wanted_page_is_remembered(self, visitor: Visitor, language: str) -> None:
        page = visitor.page
        page.goto("/subscription")
        expect(page).to_have_url(re.compile(r":\d+/$"))
        login = page.get_by_role("banner").get_by_role(
            "link", name=visitor.words("common:header.login")
        )
        login.click()
        code_field_ready = visitor.submit_credentials(LEADER)
        code_field(visitor).fill(code_field_ready)
        expect(page).to_have_url(re.compile("/subscription"))

    @BOTH
    def test_a_wrong_password_is_said_above_the_form(self, visitor: Visitor, language: str) -> None:
        page = visitor.page
        visitor.choose_language()
        visitor.fill_credentials(MEMBER, "not the password")
        page.get_by_role("button", name=visitor.words("auth:login.phase.idle")).click()
        expect(page.get_by_role("alert")).to_contain_text(server_words(language, "login_failed"))

    @BOTH
    def test_go_back_and_resend(self, visitor: Visitor, language: str) -> None:
        page, words = visitor.page, visitor.words
        visitor.choose_language()
        first = visitor.submit_credentials(ADMIN)
        page.get_by_role("button", name=words("auth:login.goBack")).click()
        expect(page.get_by_label(words("auth:fields.password"), exact=True)).to_have_value("")
        page.wait_for_timeout(2_100)
        visitor.submit_credentials(ADMIN)
        before = len(visitor.messages(ADMIN.phone))
        resend = words("auth:code.resend")
        page.get_by_role("button", name=resend, exact=True).click()
        newest = visitor.next_message(ADMIN.phone, before)["code"]
        if first != newest:
            code_field(visitor).fill(first)
            expect(page.get_by_role("alert")).to_contain_text(server_words(language, "code_wrong"))
        code_field(visitor).fill(newest)
        expect(page).to_have_url(re.compile("/admin/companies"))

    @BOTH
    def test_a_code_can_be_pasted(
        self, visitor: Visitor, context: BrowserContext, language: str
    ) -> None:
        page = visitor.page
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.goto("/login")
        code = visitor.submit_credentials(LEADER)
        page.evaluate("text => navigator.clipboard.writeText(text)", f" {code[:3]} {code[3:]} ")
        code_field(visitor).focus()
        page.keyboard.press("ControlOrMeta+V")
        expect(page).to_have_url(re.compile("/team-members"))


class TestStartUp:
    @BOTH
    def test_a_reload_keeps_the_session(self, visitor: Visitor, language: str) -> None:
        visitor.sign_in(LEADER)
        visitor.page.reload()
        expect(visitor.user_menu()).to_be_visible()
        expect(visitor.page.locator("html")).to_have_attribute("lang", language)

    @BOTH
    def test_a_dead_token_is_told(self, visitor: Visitor, language: str) -> None:
        page = visitor.page
        visitor.sign_in(LEADER)
        token = page.evaluate("localStorage.getItem('tessera.token')")
        headers = {"Authorization": f"Bearer {token}"}
        assert httpx.post(f"{visitor.address}/api/auth/logout", headers=headers).status_code == 204
        page.reload()
        expect(page.get_by_text(visitor.words("common:session.expired")).first).to_be_visible()
        assert page.evaluate("localStorage.getItem('tessera.token')") is None

    @BOTH
    def test_logging_out_in_one_tab_logs_all_out(
        self, visitor: Visitor, context: BrowserContext, language: str
    ) -> None:
        visitor.sign_in(LEADER)
        other = context.new_page()
        other.goto("/subscription")
        expect(other.get_by_role("navigation").first).to_be_visible()
        visitor.log_out()
        expect(other).not_to_have_url(re.compile("/subscription"))


class TestReset:
    @BOTH
    def test_a_forgotten_password(self, visitor: Visitor, language: str) -> None:
        page, words = visitor.page, visitor.words
        visitor.choose_language()
        before = len(visitor.messages(MEMBER.email))
        page.get_by_role("link", name=words("auth:login.forgot")).click()
        expect(page).to_have_url(re.compile("/forgot-password"))
        visitor.assert_accessible()
        page.get_by_label(words("auth:fields.email"), exact=True).fill(MEMBER.email)
        page.get_by_role("button", name=words("auth:forgot.send")).click()
        link = visitor.next_message(MEMBER.email, before)["link"]
        page.goto(link)
        expect(page).to_have_url(re.compile("/reset-password$"))
        expect(page.get_by_text(words("auth:reset.passphraseText"))).to_be_visible()
        visitor.assert_accessible()
        fields = page.get_by_label(words("auth:fields.newPassword"), exact=True)
        again = page.get_by_label(words("auth:fields.confirmPassword"), exact=True)
        submit = page.get_by_role("button", name=words("auth:reset.submit"))
        expect(submit).to_be_disabled()
        fields.fill("short")
        again.fill("short")
        submit.click()
        expect(page.get_by_text(words("auth:password.problem.tooShort"))).to_be_visible()
        fields.fill(PASSWORD)
        again.fill(PASSWORD[:-1] + "x")
        again.blur()
        expect(page.locator("p", has_text=words("auth:fields.passwordsDiffer"))).to_be_visible()
        again.fill(PASSWORD)
        submit.click()
        expect(page).to_have_url(re.compile("/login"))
        visitor.sign_in(MEMBER)
        used = Visitor(page.context.new_page(), visitor.address, language)
        used.page.goto(link)
        expect(used.page.get_by_text(words("auth:reset.used.title"))).to_be_visible()

    @BOTH
    def test_an_unknown_link(self, visitor: Visitor, language: str) -> None:
        visitor.page.goto("/reset-password?token=" + "x" * 43)
        told = visitor.page.get_by_text(visitor.words("auth:reset.unknown.title"))
        expect(told).to_be_visible()


class TestAccount:
    @BOTH
    def test_change_password(self, visitor: Visitor, language: str) -> None:
        words = visitor.words
        new = "another-Mosaic-Tile-77"
        visitor.sign_in(ADMIN)
        for old, wanted in ((PASSWORD, new), (new, PASSWORD)):
            dialog = visitor.open_dialog("console:userActions.changePassword")
            dialog.get_by_label(words("auth:fields.currentPassword"), exact=True).fill(old)
            dialog.get_by_label(words("auth:fields.newPassword"), exact=True).fill(wanted)
            dialog.get_by_label(words("auth:fields.confirmPassword"), exact=True).fill(wanted)
            dialog.get_by_role("button", name=words("auth:change.submit")).click()
            expect(dialog).to_be_hidden()

    @BOTH
    def test_profile_with_a_new_phone_asks_for_verification(
        self, visitor: Visitor, language: str
    ) -> None:
        page, words = visitor.page, visitor.words
        visitor.sign_in(ADMIN)
        _end_verified_access(page)
        new = {"en": "+12025550177", "ar": "+12025550178"}[language]
        before = len(visitor.messages(ADMIN.phone))
        self.ask_for_phone(visitor, new)
        expect(page.get_by_text(words("auth:verification.title"))).to_be_visible()
        code = visitor.next_message(ADMIN.phone, before)["code"]
        page.get_by_role("dialog").last.get_by_label(words("auth:code.label")).fill(code)
        self.confirm_phone(visitor, new, 0)
        page.reload()
        before = len(visitor.messages(ADMIN.phone))
        self.ask_for_phone(visitor, ADMIN.phone)
        self.confirm_phone(visitor, ADMIN.phone, before)

    def ask_for_phone(self, visitor: Visitor, phone: str) -> None:
        page, words = visitor.page, visitor.words
        dialog = visitor.open_dialog("console:userActions.profile")
        visitor.assert_accessible()
        dialog.get_by_role("button", name=_change(visitor, "auth:fields.phone")).click()
        page.get_by_label(words("auth:fields.phone"), exact=True).fill(phone)
        page.get_by_role("button", name=words("auth:profile.sendCode")).click()

    def confirm_phone(self, visitor: Visitor, phone: str, before: int) -> None:
        page, words = visitor.page, visitor.words
        confirm = page.get_by_role("button", name=words("auth:profile.confirmPhone"))
        expect(confirm).to_be_visible()
        code = visitor.next_message(phone, before)["code"]
        page.get_by_label(words("auth:code.label")).last.fill(code)
        expect(page.get_by_text(words("auth:profile.phoneChanged"))).to_be_visible()

    @BOTH
    def test_a_new_address_counts_once_its_link_is_opened(
        self, visitor: Visitor, language: str
    ) -> None:
        page, words = visitor.page, visitor.words
        new = Account(f"omar-{language}@northwind.test", MEMBER.phone)
        for now, wanted in ((MEMBER, new), (new, MEMBER)):
            visitor.sign_in(now)
            before = len(visitor.messages(wanted.email))
            dialog = visitor.open_dialog("console:userActions.profile")
            dialog.get_by_role("button", name=_change(visitor, "auth:fields.email")).click()
            page.get_by_label(words("auth:fields.newEmail")).fill(wanted.email)
            page.get_by_role("button", name=words("auth:profile.sendLink")).click()
            page.goto(visitor.next_message(wanted.email, before)["link"])
            expect(page.get_by_text(words("auth:confirm.done.title"))).to_be_visible()
            page.goto("/download")
            visitor.log_out()
        visitor.sign_in(MEMBER)


def _change(visitor: Visitor, what: str) -> str:
    return visitor.words("auth:profile.changeOf").replace("{{what}}", visitor.words(what))


def _end_verified_access(page: Page) -> None:
    """Answers the next call that needs it as the server does five minutes later."""
    done = False

    def once(route) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001
        nonlocal done
        if done:
            route.continue_()
            return
        done = True
        route.fulfill(
            status=403,
            json={"code": "verification_required", "message": "Please verify that it is you."},
        )

    page.route("**/api/auth/profile/phone", once)


class TestInactivity:
    @BOTH
    def test_a_countdown_then_the_end(self, visitor: Visitor, language: str) -> None:
        page, words = visitor.page, visitor.words
        page.clock.install()
        visitor.sign_in(LEADER)
        page.clock.run_for(14 * 60 * 1000)
        expect(page.get_by_role("dialog")).to_be_hidden()
        page.clock.run_for(62 * 1000)
        expect(page.get_by_text(words("auth:inactivity.title"))).to_be_visible()
        page.get_by_role("button", name=words("auth:inactivity.stay")).click()
        expect(page.get_by_text(words("auth:inactivity.title"))).to_be_hidden()
        page.clock.run_for(15 * 60 * 1000 + 1_000)
        expect(page.get_by_text(words("auth:inactivity.title"))).to_be_visible()
        page.clock.run_for(31 * 1000)
        expect(page).to_have_url(re.compile("/login"))
        expect(page.get_by_text(words("common:session.inactivity")).first).to_be_visible()


class TestSessionExpired:
    @BOTH
    def test_a_dialog_tells_when_the_session_ends_elsewhere(
        self, visitor: Visitor, language: str
    ) -> None:
        page, words = visitor.page, visitor.words
        visitor.sign_in(LEADER)
        # A screen that asks for nothing by itself, so that the person's own deed meets the end.
        page.goto("/faq")
        expect(visitor.user_menu()).to_be_visible()
        token = page.evaluate("localStorage.getItem('tessera.token')")
        httpx.post(
            f"{visitor.address}/api/auth/logout", headers={"Authorization": f"Bearer {token}"}
        )
        dialog = visitor.open_dialog("console:userActions.profile")
        dialog.get_by_label(words("auth:fields.firstName")).fill("Grace")
        dialog.get_by_role("button", name=words("auth:profile.save")).click()
        told = page.get_by_role("heading", name=words("auth:expired.title"))
        expect(told).to_be_visible()
        page.get_by_role("button", name=words("auth:expired.login")).click()
        expect(page).to_have_url(re.compile("/login"))


class TestZeroKnowledge:
    def test_no_request_of_a_whole_session_holds_the_password_or_the_passphrase(
        self, visitor: Visitor, server: Server, context: BrowserContext
    ) -> None:
        page = visitor.page
        sent: list[str] = []
        received: list[str] = []
        page.on(
            "request",
            lambda request: sent.append(
                "\n".join([request.url, request.post_data or "", str(request.headers)])
            ),
        )

        def keep(response: Response) -> None:
            if "/api/" in response.url and response.request.method != "OPTIONS":
                received.append(response.text() if response.status != 204 else "")

        page.on("response", keep)
        new, other_passphrase = "sealed-Tesserae-4142", "eleven quiet slates"
        visitor.sign_in(LEADER)
        for old, wanted in ((PASSWORD, new), (new, PASSWORD)):
            dialog = visitor.open_dialog("console:userActions.changePassword")
            dialog.get_by_label("Current password", exact=True).fill(old)
            dialog.get_by_label("New password", exact=True).fill(wanted)
            dialog.get_by_label("Confirm password", exact=True).fill(wanted)
            dialog.get_by_role("button", name="Change password").click()
            expect(dialog).to_be_hidden()
        for wanted in (other_passphrase, PASSPHRASE):
            self.change_passphrase(page, wanted)
        visitor.log_out()
        stored = page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])")
        # The sandbox greets with the demo password; what it logs afterwards is JSON.
        logged = [line for line in server.log.read_text().splitlines() if line.startswith("{")]
        everything = "\n".join([*sent, *received, stored, *logged])
        assert logged
        assert any("login-onboard" in request for request in sent)
        assert any('"a1.' in request for request in sent)
        assert any("/api/company/passphrase" in request for request in sent)
        for secret in (PASSWORD, new, PASSPHRASE, other_passphrase):
            for encoding in _encodings(secret):
                assert encoding not in everything

    def change_passphrase(self, page: Page, new: str) -> None:
        page.get_by_role("button", name=re.compile("^Company: Northwind")).click()
        page.get_by_role("menuitem", name="Passphrase").click()
        page.get_by_role("button", name="Reveal").click()
        page.get_by_role("button", name="Change").click()
        page.get_by_label("Passphrase", exact=True).fill(new)
        page.get_by_label("Passphrase once more").fill(new)
        page.get_by_role("checkbox").check()
        page.get_by_role("button", name="Save passphrase").click()
        page.get_by_role("button", name="Done").click()


def _encodings(secret: str) -> set[str]:
    """As it is, reversed, and in every encoding a careless line of code could have used."""
    import base64
    import hashlib
    from urllib.parse import quote, quote_plus

    raw = secret.encode()
    utf16 = secret.encode("utf-16-le")
    found = {secret, secret[::-1], quote(secret), quote_plus(secret), raw.hex(), utf16.hex()}
    for shift in range(3):
        # Base64 spells the same bytes in three ways, by where they begin.
        text = base64.b64encode(b"\0" * shift + raw + b"\0\0").decode()
        found |= {text[4:-6], text[4:-6].replace("+", "-").replace("/", "_")}
    for name in ("md5", "sha1", "sha256", "sha512"):
        digest = hashlib.new(name, raw).digest()
        found |= {digest.hex(), base64.b64encode(digest).decode().rstrip("=")}
    return found
