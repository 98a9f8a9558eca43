"""Two-factor login with an authenticator app, and the user's sessions."""

import base64
import re
import time
from functools import partial

import pytest
from playwright.sync_api import Browser, Locator, expect

from accounts import Account, Company
from tessera.kit import totp
from texts import server_texts
from user import User


class App:
    """The authenticator app on the user's phone. A code is valid for half a minute and the server
    accepts it once; `next_code` makes the server forget the last one instead of waiting."""

    def __init__(self, user: User, account: Account, secret: str) -> None:
        self._secret = base64.b32decode("".join(secret.split()))
        self._forget_used_codes = partial(user.server.factory.forget_used_codes, account)

    def code(self) -> str:
        return totp.code_at(self._secret, int(time.time()) // totp.STEP_SECONDS)

    def next_code(self) -> str:
        self._forget_used_codes()
        return self.code()


def close(user: User, dialog: Locator) -> None:
    """By keyboard: a notification that has just come may lie over the button."""
    button = dialog.get_by_role("button", name=user.texts("common:actions.close"), exact=True)
    button.press("Enter")
    expect(dialog).to_be_hidden()


def turn_on(user: User, account: Account) -> tuple[App, list[str]]:
    """Turns the authenticator on, from the user menu to the recovery codes."""
    page, texts = user.page, user.texts
    dialog = user.open_dialog("console:userActions.twoFactor")
    dialog.get_by_role("button", name=texts("security:twoFactor.app.setUp"), exact=True).click()
    expect(
        dialog.get_by_role("img", name=texts("security:twoFactor.setUp.picture"))
    ).to_be_visible()
    app = App(user, account, dialog.locator("code").inner_text())
    dialog.get_by_label(texts("security:twoFactor.setUp.code")).fill(app.code())
    codes = dialog.get_by_role("list", name=texts("security:codes.heading")).locator("code")
    expect(codes).to_have_count(10)
    kept = codes.all_inner_texts()
    done = dialog.get_by_role("button", name=texts("common:actions.done"))
    expect(done).to_be_disabled()
    page.keyboard.press("Escape")
    dialog.get_by_label(texts("security:codes.kept")).check()
    done.click()
    expect(dialog.get_by_role("button", name=texts("security:twoFactor.newCodes"))).to_be_visible()
    close(user, dialog)
    return app, kept


def turn_off(user: User) -> None:
    page, texts = user.page, user.texts
    dialog = user.open_dialog("console:userActions.twoFactor")
    dialog.get_by_role("button", name=texts("security:twoFactor.sms.back")).click()
    question = page.get_by_role("alertdialog")
    question.get_by_role("button", name=texts("security:twoFactor.sms.back")).click()
    # Nothing behind it takes a key until it is gone.
    expect(question).to_have_count(0)
    expect(dialog.get_by_role("button", name=texts("security:twoFactor.app.setUp"))).to_be_visible()
    close(user, dialog)


class TestAuthenticator:
    def test_turned_on_it_replaces_the_sms(self, user: User, company: Company) -> None:
        page, texts, member = user.page, user.texts, company.member
        user.sign_in(member, "/download")
        app, kept = turn_on(user, member)
        assert "Tessera" in user.next_message(member.email, 0)["text"]
        user.log_out()

        user.submit_password(member)
        expect(page.get_by_text(texts("auth:app.text"))).to_be_visible()
        expect(page.get_by_role("button", name=texts("auth:code.resend"))).to_have_count(0)
        user.code_field().fill(app.next_code())
        expect(user.user_menu()).to_be_visible()
        assert user.messages(member.phone) == []
        user.log_out()

        user.server.factory.use_coming_codes(member)
        user.submit_password(member)
        user.code_field().fill(app.code())
        expect(page.get_by_role("alert")).to_contain_text(server_texts("en", "code_used"))
        page.get_by_role("button", name=texts("auth:app.useRecovery")).click()
        recovery = page.get_by_label(texts("auth:app.recoveryLabel"))
        recovery.fill(kept[0].upper())
        recovery.press("Enter")
        expect(user.user_menu()).to_be_visible()
        turn_off(user)

    @pytest.mark.extended
    @pytest.mark.parametrize("language", ["ar"])
    def test_a_recovery_code_is_good_once_and_off_brings_the_sms_back(
        self, user: User, company: Company, language: str
    ) -> None:
        page, texts, member = user.page, user.texts, company.member
        user.sign_in(member, "/download")
        app, kept = turn_on(user, member)
        user.log_out()
        recovery = page.get_by_label(texts("auth:app.recoveryLabel"))

        def use_recovery_code() -> None:
            user.submit_password(member)
            page.get_by_role("button", name=texts("auth:app.useRecovery")).click()
            recovery.fill(kept[0])
            recovery.press("Enter")

        use_recovery_code()
        expect(user.user_menu()).to_be_visible()
        user.log_out()
        use_recovery_code()
        refused = server_texts(language, "recovery_code_wrong")
        expect(page.get_by_role("alert")).to_contain_text(refused)
        page.get_by_role("button", name=texts("auth:app.useApp")).click()
        user.code_field().fill(app.next_code())
        expect(user.user_menu()).to_be_visible()
        turn_off(user)
        user.log_out()
        user.log_in(member)

    @pytest.mark.extended
    def test_verification_asks_for_the_app_s_code(self, user: User, company: Company) -> None:
        page, texts, leader = user.page, user.texts, company.leader
        user.sign_in(leader, "/faq")
        app, _ = turn_on(user, leader)
        user.server.factory.end_verification(leader)
        dialog = user.open_dialog("console:userActions.twoFactor")
        dialog.get_by_role("button", name=texts("security:twoFactor.newCodes")).click()
        asked = page.get_by_role("dialog", name=texts("auth:verification.title"))
        expect(asked.get_by_text(texts("auth:app.text"))).to_be_visible()
        user.assert_accessible()
        asked.get_by_label(texts("auth:code.label")).fill(app.next_code())
        expect(page.get_by_text(texts("security:codes.text"))).to_be_visible()
        page.get_by_label(texts("security:codes.kept")).check()
        page.get_by_role("button", name=texts("common:actions.done")).click()
        expect(
            dialog.get_by_role("button", name=texts("security:twoFactor.newCodes"))
        ).to_be_visible()
        close(user, dialog)
        turn_off(user)

    @pytest.mark.extended
    @pytest.mark.parametrize(
        ("language", "theme", "phone"), [("tr", "dark", True), ("ar", "light", True)]
    )
    def test_two_step_login_fits_on_a_phone(
        self, user: User, company: Company, language: str, theme: str, phone: bool
    ) -> None:
        page, texts = user.page, user.texts
        user.sign_in(company.leader, "/team-members")
        for entry in ("console:userActions.sessions", "console:userActions.twoFactor"):
            dialog = user.open_dialog(entry)
            expect(dialog.get_by_role("progressbar")).to_have_count(0)
            user.assert_accessible()
            if entry.endswith("twoFactor"):
                setup = texts("security:twoFactor.app.setUp")
                dialog.get_by_role("button", name=setup, exact=True).click()
                expect(dialog.locator("svg[role=img]")).to_be_visible()
                user.assert_accessible()
            user.assert_no_overflow()
            page.keyboard.press("Escape")
            expect(dialog).to_be_hidden()


class TestSessions:
    @pytest.mark.extended
    def test_session_of_another_browser_is_ended(
        self, user: User, company: Company, browser: Browser
    ) -> None:
        texts = user.texts
        elsewhere = browser.new_context(
            base_url=user.address,
            reduced_motion="reduce",
            user_agent="Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
        )
        other = User(elsewhere.new_page(), user.server)
        other.log_in(company.member)
        user.sign_in(company.member, "/download")
        dialog = user.open_dialog("console:userActions.sessions")
        here = dialog.locator("[aria-current=true]")
        expect(here).to_contain_text(texts("security:sessions.current"))
        there = dialog.get_by_role("listitem").filter(has_text="Firefox")
        expect(there).to_contain_text("127.0.0.1")
        there.get_by_role("button").click()
        user.assert_toast(texts("security:sessions.signedOut"))
        other.page.goto("/download")
        expect(other.page.get_by_text(texts("common:session.expired")).first).to_be_visible()
        assert other.token() is None
        elsewhere.close()

    @pytest.mark.extended
    @pytest.mark.parametrize("language", ["ar"])
    def test_everywhere_ends_this_one_too(
        self, user: User, company: Company, language: str
    ) -> None:
        page, texts = user.page, user.texts
        user.sign_in(company.member, "/download")
        dialog = user.open_dialog("console:userActions.sessions")
        dialog.get_by_role("button", name=texts("security:sessions.all"), exact=True).click()
        page.get_by_role("alertdialog").get_by_role(
            "button", name=texts("security:sessions.signOut")
        ).click()
        expect(page).to_have_url(re.compile("/login$"))
        assert user.token() is None
