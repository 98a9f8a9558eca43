"""The second step by an authenticator app, and one's own sessions, as a person uses them."""

import base64
import re
import time

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from server import Server
from tessera.kit import totp
from visitor import ADMIN, LEADER, MEMBER, Account, Visitor
from words import server_words

BOTH = pytest.mark.parametrize("language", ["en", "ar"])
LOOKS = [("en", "light", False), ("tr", "dark", True), ("ar", "dark", False), ("ar", "light", True)]


class App:
    """The app on the person's phone. A code is good once: each is of a later step than the last."""

    def __init__(self, secret: str) -> None:
        self._secret = base64.b32decode("".join(secret.split()))
        self._last = 0

    def next_code(self) -> str:
        # The step to come is taken too, so that nobody has to wait for half a minute every time.
        step = max(int(time.time()) // totp.STEP_SECONDS, self._last + 1)
        while step > int(time.time()) // totp.STEP_SECONDS + 1:
            time.sleep(0.5)
        self._last = step
        return totp.code_at(self._secret, step)


def submit_password(visitor: Visitor, account: Account) -> None:
    visitor.fill_credentials(account)
    visitor.page.get_by_role("button", name=visitor.words("auth:login.phase.idle")).click()


def code_field(visitor: Visitor) -> Locator:
    return visitor.page.get_by_label(visitor.words("auth:code.label"))


def close(visitor: Visitor, dialog: Locator) -> None:
    dialog.get_by_role("button", name=visitor.words("security:close"), exact=True).click()
    expect(dialog).to_be_hidden()


def turn_on(visitor: Visitor) -> tuple[App, list[str]]:
    """From the user menu to the recovery codes."""
    page, words = visitor.page, visitor.words
    dialog = visitor.open_dialog("console:userActions.secondStep")
    dialog.get_by_role("button", name=words("security:step.app.setUp"), exact=True).click()
    expect(dialog.get_by_role("img", name=words("security:step.setUp.picture"))).to_be_visible()
    visitor.assert_accessible()
    app = App(dialog.locator("code").inner_text())
    dialog.get_by_label(words("security:step.setUp.code")).fill(app.next_code())
    codes = dialog.get_by_role("list", name=words("security:codes.heading")).locator("code")
    expect(codes).to_have_count(10)
    visitor.assert_accessible()
    kept = codes.all_inner_texts()
    done = dialog.get_by_role("button", name=words("security:codes.done"))
    expect(done).to_be_disabled()
    page.keyboard.press("Escape")
    dialog.get_by_label(words("security:codes.kept")).check()
    done.click()
    expect(dialog.get_by_role("button", name=words("security:step.newCodes"))).to_be_visible()
    close(visitor, dialog)
    return app, kept


def turn_off(visitor: Visitor) -> None:
    page, words = visitor.page, visitor.words
    dialog = visitor.open_dialog("console:userActions.secondStep")
    dialog.get_by_role("button", name=words("security:step.sms.back")).click()
    page.get_by_role("alertdialog").get_by_role(
        "button", name=words("security:step.off.confirm")
    ).click()
    expect(dialog.get_by_role("button", name=words("security:step.app.setUp"))).to_be_visible()
    close(visitor, dialog)


def end_verified_access(page: Page) -> None:
    """As five minutes later: the same account by a session that was never verified is the server's
    business; here its first answer is what it would be."""
    refused = {"n": 0}

    def once(route):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
        refused["n"] += 1
        if refused["n"] == 1:
            body = '{"code": "verification_required", "message": "-"}'
            route.fulfill(status=403, content_type="application/json", body=body)
        else:
            route.continue_()

    page.route("**/api/auth/recovery-codes", once)


class TestAuthenticator:
    @BOTH
    def test_from_turning_it_on_to_turning_it_off(self, visitor: Visitor, language: str) -> None:
        page, words = visitor.page, visitor.words
        visitor.sign_in(MEMBER)
        before = len(visitor.messages(MEMBER.email))
        app, kept = turn_on(visitor)
        assert "Tessera" in visitor.next_message(MEMBER.email, before)["text"]
        visitor.log_out()

        sent = len(visitor.messages(MEMBER.phone))
        submit_password(visitor, MEMBER)
        expect(page.get_by_text(words("auth:app.text"))).to_be_visible()
        expect(page.get_by_role("button", name=words("auth:code.resend"))).to_have_count(0)
        visitor.assert_accessible()
        code = app.next_code()
        code_field(visitor).fill(code)
        expect(visitor.user_menu()).to_be_visible()
        assert len(visitor.messages(MEMBER.phone)) == sent
        visitor.log_out()

        submit_password(visitor, MEMBER)
        code_field(visitor).fill(code)
        expect(page.get_by_role("alert")).to_contain_text(server_words(language, "code_used"))
        page.get_by_role("button", name=words("auth:app.useRecovery")).click()
        visitor.assert_accessible()
        recovery = page.get_by_label(words("auth:app.recoveryLabel"))
        recovery.fill(kept[0].upper())
        recovery.press("Enter")
        expect(visitor.user_menu()).to_be_visible()
        visitor.log_out()

        submit_password(visitor, MEMBER)
        page.get_by_role("button", name=words("auth:app.useRecovery")).click()
        recovery.fill(kept[0])
        recovery.press("Enter")
        refused = server_words(language, "recovery_code_wrong")
        expect(page.get_by_role("alert")).to_contain_text(refused)
        page.get_by_role("button", name=words("auth:app.useApp")).click()
        code_field(visitor).fill(app.next_code())
        expect(visitor.user_menu()).to_be_visible()

        turn_off(visitor)
        visitor.log_out()
        visitor.sign_in(MEMBER)

    def test_verification_asks_for_the_app_s_code(self, visitor: Visitor) -> None:
        page, words = visitor.page, visitor.words
        visitor.sign_in(ADMIN)
        app, _ = turn_on(visitor)
        end_verified_access(page)
        dialog = visitor.open_dialog("console:userActions.secondStep")
        dialog.get_by_role("button", name=words("security:step.newCodes")).click()
        asked = page.get_by_role("dialog", name=words("auth:verification.title"))
        expect(asked.get_by_text(words("auth:app.text"))).to_be_visible()
        visitor.assert_accessible()
        asked.get_by_label(words("auth:code.label")).fill(app.next_code())
        expect(page.get_by_text(words("security:codes.text"))).to_be_visible()
        page.get_by_label(words("security:codes.kept")).check()
        page.get_by_role("button", name=words("security:codes.done")).click()
        expect(dialog.get_by_role("button", name=words("security:step.newCodes"))).to_be_visible()
        close(visitor, dialog)
        turn_off(visitor)

    @pytest.mark.parametrize(("language", "theme", "phone"), LOOKS)
    def test_it_fits_and_is_accessible(
        self, visitor: Visitor, language: str, theme: str, phone: bool
    ) -> None:
        page, words = visitor.page, visitor.words
        visitor.sign_in(LEADER)
        for entry in ("console:userActions.sessions", "console:userActions.secondStep"):
            dialog = visitor.open_dialog(entry)
            expect(dialog.get_by_role("progressbar")).to_have_count(0)
            visitor.assert_accessible()
            if entry.endswith("secondStep"):
                setup = words("security:step.app.setUp")
                dialog.get_by_role("button", name=setup, exact=True).click()
                expect(dialog.locator("svg[role=img]")).to_be_visible()
                visitor.assert_accessible()
            wide = "document.documentElement.scrollWidth <= window.innerWidth"
            assert page.evaluate(wide)
            page.keyboard.press("Escape")
            expect(dialog).to_be_hidden()


class TestSessions:
    @BOTH
    def test_another_browser_is_signed_out(
        self, visitor: Visitor, browser: Browser, server: Server, language: str
    ) -> None:
        page, words = visitor.page, visitor.words
        elsewhere = browser.new_context(
            base_url=server.address,
            reduced_motion="reduce",
            user_agent="Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
        )
        other = Visitor(elsewhere.new_page(), server.address, language)
        other.sign_in(MEMBER)
        page.wait_for_timeout(2_100)
        visitor.sign_in(MEMBER)
        dialog = visitor.open_dialog("console:userActions.sessions")
        visitor.assert_accessible()
        here = dialog.locator("[aria-current=true]")
        expect(here).to_contain_text(words("security:sessions.current"))
        expect(here).to_contain_text("127.0.0.1")
        there = dialog.get_by_role("listitem").filter(has_text="Firefox").first
        there.get_by_role("button").click()
        expect(page.get_by_text(words("security:sessions.signedOut"))).to_be_visible()
        expect(visitor.page.locator("html")).to_have_attribute("lang", language)
        other.page.goto("/download")
        expect(other.page.get_by_text(words("common:session.expired")).first).to_be_visible()
        assert other.page.evaluate("localStorage.getItem('tessera.token')") is None
        elsewhere.close()

    def test_everywhere_ends_this_one_too(self, visitor: Visitor) -> None:
        page, words = visitor.page, visitor.words
        visitor.sign_in(MEMBER)
        dialog = visitor.open_dialog("console:userActions.sessions")
        dialog.get_by_role("button", name=words("security:sessions.all"), exact=True).click()
        page.get_by_role("alertdialog").get_by_role(
            "button", name=words("security:sessions.signOut")
        ).click()
        expect(page).to_have_url(re.compile("/login$"))
        assert page.evaluate("localStorage.getItem('tessera.token')") is None
