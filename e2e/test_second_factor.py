"""The second step by an authenticator app, and one's own sessions."""

import base64
import re
import time

import pytest
from playwright.sync_api import Browser, Locator, expect

from accounts import Account, Company
from tessera.kit import totp
from visitor import Visitor
from words import server_words


class App:
    """The authenticator app on the person's phone. It shows one code for half a minute, and the
    server takes each once: `next_code` makes it forget the last instead of waiting for another."""

    def __init__(self, visitor: Visitor, account: Account, secret: str) -> None:
        self._secret = base64.b32decode("".join(secret.split()))
        self._forget_used_codes = lambda: visitor.server.factory.forget_used_codes(account)

    def code(self) -> str:
        return totp.code_at(self._secret, int(time.time()) // totp.STEP_SECONDS)

    def next_code(self) -> str:
        self._forget_used_codes()
        return self.code()


def close(visitor: Visitor, dialog: Locator) -> None:
    dialog.get_by_role("button", name=visitor.words("security:close"), exact=True).click()
    expect(dialog).to_be_hidden()


def turn_on(visitor: Visitor, account: Account) -> tuple[App, list[str]]:
    """From the user menu to the recovery codes."""
    page, words = visitor.page, visitor.words
    dialog = visitor.open_dialog("console:userActions.secondStep")
    dialog.get_by_role("button", name=words("security:step.app.setUp"), exact=True).click()
    expect(dialog.get_by_role("img", name=words("security:step.setUp.picture"))).to_be_visible()
    app = App(visitor, account, dialog.locator("code").inner_text())
    dialog.get_by_label(words("security:step.setUp.code")).fill(app.code())
    codes = dialog.get_by_role("list", name=words("security:codes.heading")).locator("code")
    expect(codes).to_have_count(10)
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


class TestAuthenticator:
    def test_turned_on_it_replaces_the_sms(self, visitor: Visitor, company: Company) -> None:
        page, words, member = visitor.page, visitor.words, company.member
        visitor.sign_in(member, "/download")
        app, kept = turn_on(visitor, member)
        assert "Tessera" in visitor.next_message(member.email, 0)["text"]
        visitor.log_out()

        visitor.submit_password(member)
        expect(page.get_by_text(words("auth:app.text"))).to_be_visible()
        expect(page.get_by_role("button", name=words("auth:code.resend"))).to_have_count(0)
        code = app.next_code()
        visitor.code_field().fill(code)
        expect(visitor.user_menu()).to_be_visible()
        assert visitor.messages(member.phone) == []
        visitor.log_out()

        visitor.submit_password(member)
        visitor.code_field().fill(code)
        expect(page.get_by_role("alert")).to_contain_text(server_words("en", "code_used"))
        page.get_by_role("button", name=words("auth:app.useRecovery")).click()
        recovery = page.get_by_label(words("auth:app.recoveryLabel"))
        recovery.fill(kept[0].upper())
        recovery.press("Enter")
        expect(visitor.user_menu()).to_be_visible()
        turn_off(visitor)

    @pytest.mark.extended
    @pytest.mark.parametrize("language", ["ar"])
    def test_a_recovery_code_is_good_once_and_off_brings_the_sms_back(
        self, visitor: Visitor, company: Company, language: str
    ) -> None:
        page, words, member = visitor.page, visitor.words, company.member
        visitor.sign_in(member, "/download")
        app, kept = turn_on(visitor, member)
        visitor.log_out()
        recovery = page.get_by_label(words("auth:app.recoveryLabel"))

        def use_recovery_code() -> None:
            visitor.submit_password(member)
            page.get_by_role("button", name=words("auth:app.useRecovery")).click()
            recovery.fill(kept[0])
            recovery.press("Enter")

        use_recovery_code()
        expect(visitor.user_menu()).to_be_visible()
        visitor.log_out()
        use_recovery_code()
        refused = server_words(language, "recovery_code_wrong")
        expect(page.get_by_role("alert")).to_contain_text(refused)
        page.get_by_role("button", name=words("auth:app.useApp")).click()
        visitor.code_field().fill(app.next_code())
        expect(visitor.user_menu()).to_be_visible()
        turn_off(visitor)
        visitor.log_out()
        visitor.log_in(member)

    @pytest.mark.extended
    def test_verification_asks_for_the_app_s_code(self, visitor: Visitor, company: Company) -> None:
        page, words, leader = visitor.page, visitor.words, company.leader
        visitor.sign_in(leader, "/faq")
        app, _ = turn_on(visitor, leader)
        visitor.server.factory.end_verification(leader)
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

    @pytest.mark.extended
    @pytest.mark.parametrize(
        ("language", "theme", "phone"), [("tr", "dark", True), ("ar", "light", True)]
    )
    def test_it_fits_on_a_phone(
        self, visitor: Visitor, company: Company, language: str, theme: str, phone: bool
    ) -> None:
        page, words = visitor.page, visitor.words
        visitor.sign_in(company.leader, "/team-members")
        for entry in ("console:userActions.sessions", "console:userActions.secondStep"):
            dialog = visitor.open_dialog(entry)
            expect(dialog.get_by_role("progressbar")).to_have_count(0)
            visitor.assert_accessible()
            if entry.endswith("secondStep"):
                setup = words("security:step.app.setUp")
                dialog.get_by_role("button", name=setup, exact=True).click()
                expect(dialog.locator("svg[role=img]")).to_be_visible()
                visitor.assert_accessible()
            visitor.assert_no_overflow()
            page.keyboard.press("Escape")
            expect(dialog).to_be_hidden()


class TestSessions:
    def test_another_browser_is_signed_out(
        self, visitor: Visitor, company: Company, browser: Browser
    ) -> None:
        page, words = visitor.page, visitor.words
        elsewhere = browser.new_context(
            base_url=visitor.address,
            reduced_motion="reduce",
            user_agent="Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
        )
        other = Visitor(elsewhere.new_page(), visitor.server)
        other.log_in(company.member)
        visitor.sign_in(company.member, "/download")
        dialog = visitor.open_dialog("console:userActions.sessions")
        here = dialog.locator("[aria-current=true]")
        expect(here).to_contain_text(words("security:sessions.current"))
        there = dialog.get_by_role("listitem").filter(has_text="Firefox")
        expect(there).to_contain_text("127.0.0.1")
        there.get_by_role("button").click()
        expect(page.get_by_text(words("security:sessions.signedOut"))).to_be_visible()
        other.page.goto("/download")
        expect(other.page.get_by_text(words("common:session.expired")).first).to_be_visible()
        assert other.token() is None
        elsewhere.close()

    @pytest.mark.extended
    @pytest.mark.parametrize("language", ["ar"])
    def test_everywhere_ends_this_one_too(
        self, visitor: Visitor, company: Company, language: str
    ) -> None:
        page, words = visitor.page, visitor.words
        visitor.sign_in(company.member, "/download")
        dialog = visitor.open_dialog("console:userActions.sessions")
        dialog.get_by_role("button", name=words("security:sessions.all"), exact=True).click()
        page.get_by_role("alertdialog").get_by_role(
            "button", name=words("security:sessions.signOut")
        ).click()
        expect(page).to_have_url(re.compile("/login$"))
        assert visitor.token() is None
