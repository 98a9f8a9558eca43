"""Login, logout, forgotten passwords, the user's profile, and how sessions end."""

import re

import pytest
from playwright.sync_api import BrowserContext, expect

from accounts import PASSWORD, Account, Company
from texts import server_texts
from user import User


class TestLogin:
    def test_a_leader_logs_in_to_the_wanted_page_and_out(
        self, user: User, company: Company
    ) -> None:
        page, texts = user.page, user.texts
        page.goto("/subscription")
        expect(page).to_have_url(re.compile(r":\d+/$"))
        page.get_by_role("banner").get_by_role("link", name=texts("common:header.login")).click()
        button = page.get_by_role("button", name=texts("auth:login.phase.idle"))
        expect(button).to_be_disabled()
        page.get_by_label(texts("auth:fields.email"), exact=True).fill("not an address")
        page.get_by_label(texts("auth:fields.password"), exact=True).fill("x")
        expect(page.get_by_text(texts("auth:fields.emailInvalid"))).to_be_visible()
        expect(button).to_be_disabled()
        code = user.submit_credentials(company.leader)
        expect(page.locator("p", has_text=texts("auth:code.hint"))).to_be_visible()
        user.code_field().fill(code)
        expect(page).to_have_url(re.compile("/subscription"))
        page.reload()
        user.log_out()
        assert user.token() is None
        assert set(page.evaluate("Object.keys(sessionStorage)")) <= {"tessera.scroll"}

    @pytest.mark.spec("2.24", "4.6")
    @pytest.mark.extended
    def test_an_admin_lands_on_the_companies(self, user: User) -> None:
        user.log_in(user.server.factory.admin())
        expect(user.page).to_have_url(re.compile("/admin/companies$"))

    @pytest.mark.spec("6.8")
    @pytest.mark.extended
    def test_a_member_lands_on_the_download(self, user: User, company: Company) -> None:
        user.log_in(company.member)
        expect(user.page).to_have_url(re.compile("/download$"))

    @pytest.mark.spec("8.54")
    @pytest.mark.extended
    @pytest.mark.parametrize("language", ["ar"])
    def test_a_wrong_password_is_said_above_the_form(
        self, user: User, company: Company, language: str
    ) -> None:
        user.page.goto("/login")
        user.submit_password(company.member, "not the password")
        alert = user.page.get_by_role("alert")
        expect(alert).to_contain_text(server_texts(language, "login_failed"))
        colour = alert.evaluate("element => getComputedStyle(element).color")
        red, green, blue = (int(part) for part in re.findall(r"\d+", colour)[:3])
        assert red > green + blue
        form = user.page.get_by_label(user.texts("auth:fields.email"), exact=True)
        above, below = alert.bounding_box(), form.bounding_box()
        assert above
        assert below
        assert above["y"] < below["y"]

    @pytest.mark.spec("2.7")
    @pytest.mark.extended
    def test_go_back_and_resend(self, user: User, company: Company) -> None:
        page, texts, leader = user.page, user.texts, company.leader
        page.goto("/login")
        first = user.submit_credentials(leader)
        page.get_by_role("button", name=texts("auth:login.goBack")).click()
        expect(page.get_by_label(texts("auth:fields.password"), exact=True)).to_have_value("")
        user.server.factory.age_codes(leader)
        user.submit_credentials(leader)
        before = len(user.messages(leader.phone))
        page.get_by_role("button", name=texts("auth:code.resend"), exact=True).click()
        newest = user.next_message(leader.phone, before)["code"]
        if first != newest:
            user.code_field().fill(first)
            expect(page.get_by_role("alert")).to_contain_text(server_texts("en", "code_wrong"))
        user.code_field().fill(newest)
        expect(page).to_have_url(re.compile("/team-members"))

    @pytest.mark.extended
    def test_a_code_can_be_pasted(
        self, user: User, context: BrowserContext, company: Company
    ) -> None:
        page = user.page
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.goto("/login")
        code = user.submit_credentials(company.leader)
        page.evaluate("text => navigator.clipboard.writeText(text)", f" {code[:3]} {code[3:]} ")
        user.code_field().focus()
        page.keyboard.press("ControlOrMeta+V")
        expect(page).to_have_url(re.compile("/team-members"))


@pytest.mark.extended
class TestStartUp:
    @pytest.mark.spec("4.10")
    def test_a_dead_token_is_reported(self, user: User, company: Company) -> None:
        user.sign_in(company.leader, "/faq")
        # A call still under way would end the session before the reload does.
        user.page.goto("about:blank")
        user.server.factory.end_sessions(company.leader)
        user.page.goto("/faq")
        message = user.page.get_by_text(user.texts("common:session.expired")).first
        expect(message).to_be_visible()
        assert user.token() is None

    def test_logging_out_in_one_tab_logs_all_out(
        self, user: User, context: BrowserContext, company: Company
    ) -> None:
        user.sign_in(company.leader, "/faq")
        other = context.new_page()
        other.goto("/subscription")
        expect(other.get_by_role("navigation").first).to_be_visible()
        user.log_out()
        expect(other).not_to_have_url(re.compile("/subscription"))


class TestReset:
    @pytest.mark.spec("2.14")
    def test_forgotten_password_is_reset(self, user: User, company: Company) -> None:
        page, texts, member = user.page, user.texts, company.member
        new = "another-Mosaic-Tile-77"
        page.goto("/login")
        page.get_by_role("link", name=texts("auth:login.forgot")).click()
        # The login page, with a field of the same name, stays until this one is loaded.
        expect(page.get_by_role("heading", name=texts("auth:forgot.title"))).to_be_visible()
        page.get_by_label(texts("auth:fields.email"), exact=True).fill(member.email)
        page.get_by_role("button", name=texts("auth:forgot.send")).click()
        link = user.next_message(member.email, 0)["link"]
        page.goto(link)
        expect(page).to_have_url(re.compile("/reset-password$"))
        expect(page.get_by_text(texts("auth:reset.passphraseText"))).to_be_visible()
        password = page.get_by_label(texts("auth:fields.newPassword"), exact=True)
        again = page.get_by_label(texts("auth:fields.confirmPassword"), exact=True)
        submit = page.get_by_role("button", name=texts("auth:reset.submit"))
        expect(submit).to_be_disabled()
        password.fill("short")
        again.fill("short")
        submit.click()
        expect(page.get_by_text(texts("auth:password.problem.tooShort"))).to_be_visible()
        password.fill(new)
        again.fill(new[:-1] + "x")
        again.blur()
        expect(page.locator("p", has_text=texts("auth:fields.passwordsDiffer"))).to_be_visible()
        again.fill(new)
        submit.click()
        expect(page).to_have_url(re.compile("/login"))
        user.log_in(member, new)
        used = page.context.new_page()
        used.goto(link)
        expect(used.get_by_text(texts("auth:confirm.used.title"))).to_be_visible()

    @pytest.mark.extended
    @pytest.mark.parametrize("language", ["ar"])
    def test_unknown_reset_link_is_refused(self, user: User, language: str) -> None:
        user.page.goto("/reset-password?token=" + "x" * 43)
        message = user.page.get_by_text(user.texts("auth:confirm.unknown.title"))
        expect(message).to_be_visible()


class TestAccount:
    @pytest.mark.extended
    def test_a_new_phone_and_a_new_address(self, user: User, company: Company) -> None:
        page, texts, member = user.page, user.texts, company.member
        phone, address = user.server.factory.phone(), f"new.{company.member.email}"
        user.sign_in(member, "/download", verified=False)
        dialog = user.open_dialog("console:userActions.profile")
        dialog.get_by_role("button", name=_change(user, "auth:fields.phone")).click()
        page.get_by_label(texts("auth:fields.phone"), exact=True).fill(phone)
        page.get_by_role("button", name=texts("auth:profile.sendCode")).click()
        expect(page.get_by_text(texts("auth:verification.title"))).to_be_visible()
        code = user.next_message(member.phone, 0)["code"]
        page.get_by_role("dialog").last.get_by_label(texts("auth:code.label")).fill(code)
        confirm = page.get_by_role("button", name=texts("auth:profile.confirmPhone"))
        expect(confirm).to_be_visible()
        user.code_field().last.fill(user.next_message(phone, 0)["code"])
        user.assert_toast(texts("auth:profile.phoneChanged"))

        dialog.get_by_role("button", name=_change(user, "auth:fields.email")).click()
        page.get_by_label(texts("auth:fields.newEmail")).fill(address)
        page.get_by_role("button", name=texts("auth:profile.sendLink")).click()
        page.goto(user.next_message(address, 0)["link"])
        expect(page.get_by_text(texts("auth:confirm.change.title"))).to_be_visible()
        expect(page.get_by_text(member.email, exact=True)).to_be_visible()
        page.get_by_role("button", name=texts("auth:confirm.change.submit")).click()
        expect(page.get_by_text(texts("auth:confirm.done.title"))).to_be_visible()
        page.goto("/download")
        user.log_out()
        user.log_in(Account(address, phone, member.name))

    @pytest.mark.extended
    @pytest.mark.parametrize("language", ["ar"])
    def test_an_admin_changes_the_password(self, user: User, language: str) -> None:
        texts, admin = user.texts, user.server.factory.admin(language)
        new = "another-Mosaic-Tile-77"
        user.sign_in(admin, "/admin/companies")
        dialog = user.open_dialog("console:userActions.changePassword")
        dialog.get_by_label(texts("auth:fields.currentPassword"), exact=True).fill(PASSWORD)
        dialog.get_by_label(texts("auth:fields.newPassword"), exact=True).fill(new)
        dialog.get_by_label(texts("auth:fields.confirmPassword"), exact=True).fill(new)
        dialog.get_by_role("button", name=texts("auth:change.title")).click()
        expect(dialog).to_be_hidden()
        user.log_out()
        user.log_in(admin, new)


def _change(user: User, what: str) -> str:
    return user.texts("auth:profile.changeOf").replace("{{what}}", user.texts(what))


class TestInactivity:
    @pytest.mark.spec("4.15")
    def test_a_countdown_then_the_end(self, user: User, company: Company) -> None:
        page, texts = user.page, user.texts
        page.clock.install()
        user.sign_in(company.leader, "/faq")
        page.clock.run_for(14 * 60 * 1000)
        expect(page.get_by_role("dialog")).to_be_hidden()
        page.clock.run_for(62 * 1000)
        expect(page.get_by_text(texts("auth:inactivity.title"))).to_be_visible()
        page.get_by_role("button", name=texts("auth:inactivity.stay")).click()
        expect(page.get_by_text(texts("auth:inactivity.title"))).to_be_hidden()
        page.clock.run_for(15 * 60 * 1000 + 1_000)
        expect(page.get_by_text(texts("auth:inactivity.title"))).to_be_visible()
        page.clock.run_for(31 * 1000)
        expect(page).to_have_url(re.compile("/login"))
        expect(page.get_by_text(texts("common:session.inactivity")).first).to_be_visible()


@pytest.mark.extended
class TestSessionExpired:
    @pytest.mark.spec("2.104")
    def test_a_dialog_tells_when_the_session_ends_elsewhere(
        self, user: User, company: Company
    ) -> None:
        page, texts = user.page, user.texts
        # A page that makes no calls by itself, so that the user's own change is refused.
        user.sign_in(company.leader, "/faq")
        dialog = user.open_dialog("console:userActions.profile")
        dialog.get_by_label(texts("auth:fields.firstName")).fill("Grace")
        user.server.factory.end_sessions(company.leader)
        dialog.get_by_role("button", name=texts("common:actions.save")).click()
        expect(page.get_by_role("heading", name=texts("auth:expired.title"))).to_be_visible()
        page.get_by_role("button", name=texts("auth:expired.login")).click()
        expect(page).to_have_url(re.compile("/login"))
