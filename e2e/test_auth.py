"""Logging in and out, forgotten passwords, one's own profile, and how sessions end."""

import re

import pytest
from playwright.sync_api import BrowserContext, expect

from accounts import PASSWORD, Account, Company
from visitor import Visitor
from words import server_words


class TestLogin:
    def test_a_leader_logs_in_to_the_wanted_page_and_out(
        self, visitor: Visitor, company: Company
    ) -> None:
        page, words = visitor.page, visitor.words
        page.goto("/subscription")
        expect(page).to_have_url(re.compile(r":\d+/$"))
        page.get_by_role("banner").get_by_role("link", name=words("common:header.login")).click()
        button = page.get_by_role("button", name=words("auth:login.phase.idle"))
        expect(button).to_be_disabled()
        page.get_by_label(words("auth:fields.email"), exact=True).fill("not an address")
        page.get_by_label(words("auth:fields.password"), exact=True).fill("x")
        expect(page.get_by_text(words("auth:fields.emailInvalid"))).to_be_visible()
        expect(button).to_be_disabled()
        code = visitor.submit_credentials(company.leader)
        expect(page.locator("p", has_text=words("auth:code.hint"))).to_be_visible()
        visitor.code_field().fill(code)
        expect(page).to_have_url(re.compile("/subscription"))
        page.reload()
        visitor.log_out()
        assert visitor.token() is None
        assert set(page.evaluate("Object.keys(sessionStorage)")) <= {"tessera.scroll"}

    @pytest.mark.extended
    def test_an_admin_lands_on_the_companies(self, visitor: Visitor) -> None:
        visitor.log_in(visitor.server.factory.admin())
        expect(visitor.page).to_have_url(re.compile("/admin/companies$"))

    @pytest.mark.extended
    def test_a_member_lands_on_the_download(self, visitor: Visitor, company: Company) -> None:
        visitor.log_in(company.member)
        expect(visitor.page).to_have_url(re.compile("/download$"))

    @pytest.mark.extended
    @pytest.mark.parametrize("language", ["ar"])
    def test_a_wrong_password_is_said_above_the_form(
        self, visitor: Visitor, company: Company, language: str
    ) -> None:
        visitor.page.goto("/login")
        visitor.submit_password(company.member, "not the password")
        refused = server_words(language, "login_failed")
        expect(visitor.page.get_by_role("alert")).to_contain_text(refused)

    @pytest.mark.extended
    def test_go_back_and_resend(self, visitor: Visitor, company: Company) -> None:
        page, words, leader = visitor.page, visitor.words, company.leader
        page.goto("/login")
        first = visitor.submit_credentials(leader)
        page.get_by_role("button", name=words("auth:login.goBack")).click()
        expect(page.get_by_label(words("auth:fields.password"), exact=True)).to_have_value("")
        visitor.server.factory.age_codes(leader)
        visitor.submit_credentials(leader)
        before = len(visitor.messages(leader.phone))
        page.get_by_role("button", name=words("auth:code.resend"), exact=True).click()
        newest = visitor.next_message(leader.phone, before)["code"]
        if first != newest:
            visitor.code_field().fill(first)
            expect(page.get_by_role("alert")).to_contain_text(server_words("en", "code_wrong"))
        visitor.code_field().fill(newest)
        expect(page).to_have_url(re.compile("/team-members"))

    @pytest.mark.extended
    def test_a_code_can_be_pasted(
        self, visitor: Visitor, context: BrowserContext, company: Company
    ) -> None:
        page = visitor.page
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.goto("/login")
        code = visitor.submit_credentials(company.leader)
        page.evaluate("text => navigator.clipboard.writeText(text)", f" {code[:3]} {code[3:]} ")
        visitor.code_field().focus()
        page.keyboard.press("ControlOrMeta+V")
        expect(page).to_have_url(re.compile("/team-members"))


@pytest.mark.extended
class TestStartUp:
    def test_a_dead_token_is_told(self, visitor: Visitor, company: Company) -> None:
        visitor.sign_in(company.leader, "/faq")
        visitor.server.factory.end_sessions(company.leader)
        visitor.page.reload()
        told = visitor.page.get_by_text(visitor.words("common:session.expired")).first
        expect(told).to_be_visible()
        assert visitor.token() is None

    def test_logging_out_in_one_tab_logs_all_out(
        self, visitor: Visitor, context: BrowserContext, company: Company
    ) -> None:
        visitor.sign_in(company.leader, "/faq")
        other = context.new_page()
        other.goto("/subscription")
        expect(other.get_by_role("navigation").first).to_be_visible()
        visitor.log_out()
        expect(other).not_to_have_url(re.compile("/subscription"))


class TestReset:
    def test_a_forgotten_password(self, visitor: Visitor, company: Company) -> None:
        page, words, member = visitor.page, visitor.words, company.member
        new = "another-Mosaic-Tile-77"
        page.goto("/login")
        page.get_by_role("link", name=words("auth:login.forgot")).click()
        expect(page).to_have_url(re.compile("/forgot-password"))
        page.get_by_label(words("auth:fields.email"), exact=True).fill(member.email)
        page.get_by_role("button", name=words("auth:forgot.send")).click()
        link = visitor.next_message(member.email, 0)["link"]
        page.goto(link)
        expect(page).to_have_url(re.compile("/reset-password$"))
        expect(page.get_by_text(words("auth:reset.passphraseText"))).to_be_visible()
        password = page.get_by_label(words("auth:fields.newPassword"), exact=True)
        again = page.get_by_label(words("auth:fields.confirmPassword"), exact=True)
        submit = page.get_by_role("button", name=words("auth:reset.submit"))
        expect(submit).to_be_disabled()
        password.fill("short")
        again.fill("short")
        submit.click()
        expect(page.get_by_text(words("auth:password.problem.tooShort"))).to_be_visible()
        password.fill(new)
        again.fill(new[:-1] + "x")
        again.blur()
        expect(page.locator("p", has_text=words("auth:fields.passwordsDiffer"))).to_be_visible()
        again.fill(new)
        submit.click()
        expect(page).to_have_url(re.compile("/login"))
        visitor.log_in(member, new)
        used = page.context.new_page()
        used.goto(link)
        expect(used.get_by_text(words("auth:reset.used.title"))).to_be_visible()

    @pytest.mark.extended
    @pytest.mark.parametrize("language", ["ar"])
    def test_an_unknown_link(self, visitor: Visitor, language: str) -> None:
        visitor.page.goto("/reset-password?token=" + "x" * 43)
        told = visitor.page.get_by_text(visitor.words("auth:reset.unknown.title"))
        expect(told).to_be_visible()


class TestAccount:
    def test_a_new_phone_and_a_new_address(self, visitor: Visitor, company: Company) -> None:
        page, words, member = visitor.page, visitor.words, company.member
        phone, address = visitor.server.factory.phone(), f"new.{company.member.email}"
        visitor.sign_in(member, "/download", verified=False)
        dialog = visitor.open_dialog("console:userActions.profile")
        dialog.get_by_role("button", name=_change(visitor, "auth:fields.phone")).click()
        page.get_by_label(words("auth:fields.phone"), exact=True).fill(phone)
        page.get_by_role("button", name=words("auth:profile.sendCode")).click()
        expect(page.get_by_text(words("auth:verification.title"))).to_be_visible()
        code = visitor.next_message(member.phone, 0)["code"]
        page.get_by_role("dialog").last.get_by_label(words("auth:code.label")).fill(code)
        confirm = page.get_by_role("button", name=words("auth:profile.confirmPhone"))
        expect(confirm).to_be_visible()
        visitor.code_field().last.fill(visitor.next_message(phone, 0)["code"])
        expect(page.get_by_text(words("auth:profile.phoneChanged"))).to_be_visible()

        dialog.get_by_role("button", name=_change(visitor, "auth:fields.email")).click()
        page.get_by_label(words("auth:fields.newEmail")).fill(address)
        page.get_by_role("button", name=words("auth:profile.sendLink")).click()
        page.goto(visitor.next_message(address, 0)["link"])
        expect(page.get_by_text(words("auth:confirm.done.title"))).to_be_visible()
        page.goto("/download")
        visitor.log_out()
        visitor.log_in(Account(address, phone, member.name))

    @pytest.mark.extended
    @pytest.mark.parametrize("language", ["ar"])
    def test_an_admin_changes_the_password(self, visitor: Visitor, language: str) -> None:
        words, admin = visitor.words, visitor.server.factory.admin(language)
        new = "another-Mosaic-Tile-77"
        visitor.sign_in(admin, "/admin/companies")
        dialog = visitor.open_dialog("console:userActions.changePassword")
        dialog.get_by_label(words("auth:fields.currentPassword"), exact=True).fill(PASSWORD)
        dialog.get_by_label(words("auth:fields.newPassword"), exact=True).fill(new)
        dialog.get_by_label(words("auth:fields.confirmPassword"), exact=True).fill(new)
        dialog.get_by_role("button", name=words("auth:change.submit")).click()
        expect(dialog).to_be_hidden()
        visitor.log_out()
        visitor.log_in(admin, new)


def _change(visitor: Visitor, what: str) -> str:
    return visitor.words("auth:profile.changeOf").replace("{{what}}", visitor.words(what))


class TestInactivity:
    def test_a_countdown_then_the_end(self, visitor: Visitor, company: Company) -> None:
        page, words = visitor.page, visitor.words
        page.clock.install()
        visitor.sign_in(company.leader, "/faq")
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


@pytest.mark.extended
class TestSessionExpired:
    def test_a_dialog_tells_when_the_session_ends_elsewhere(
        self, visitor: Visitor, company: Company
    ) -> None:
        page, words = visitor.page, visitor.words
        # A screen that asks for nothing by itself: the person's own change is refused.
        visitor.sign_in(company.leader, "/faq")
        dialog = visitor.open_dialog("console:userActions.profile")
        dialog.get_by_label(words("auth:fields.firstName")).fill("Grace")
        visitor.server.factory.end_sessions(company.leader)
        dialog.get_by_role("button", name=words("auth:profile.save")).click()
        expect(page.get_by_role("heading", name=words("auth:expired.title"))).to_be_visible()
        page.get_by_role("button", name=words("auth:expired.login")).click()
        expect(page).to_have_url(re.compile("/login"))
