"""The team leader demands an authenticator app, without being locked out, and whoever logs in by
SMS is told why nothing else works until they have one."""

from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from accounts import Company
from computer import Computer
from server import Server
from test_two_factor import turn_on
from texts import server_texts
from user import User


def save(user: User) -> None:
    user.page.get_by_role("button", name=user.texts("policies:save")).click()


def sms(user: User) -> Locator:
    return user.page.get_by_role("checkbox", name=user.texts("policies:factors.sms"))


def networks(user: User) -> Locator:
    return user.page.get_by_label(user.texts("policies:networks.label"))


@pytest.mark.extended
def test_leader_demands_an_app_and_a_member_is_told_why_a_code_by_sms_is_not_enough(
    user: User, company: Company, server: Server, tmp_path: Path
) -> None:
    page, texts, leader, member = user.page, user.texts, company.leader, company.member
    user.sign_in(leader, "/policies")
    # What would lock the leader out is not saved.
    networks(user).fill("203.0.113.0/24")
    save(user)
    expect(page.get_by_role("alert")).to_contain_text(server_texts("en", "own_network_left_out"))
    networks(user).fill("")
    sms(user).uncheck()
    save(user)
    refused = server_texts("en", "own_second_factor_left_out")
    expect(page.get_by_role("alert")).to_contain_text(refused)
    page.reload()
    expect(sms(user)).to_be_checked()
    expect(networks(user)).to_have_value("")

    # Verified by the app, this login is one of the accepted kind.
    app, _ = turn_on(user, leader)
    server.factory.end_verification(leader)
    sms(user).uncheck()
    save(user)
    asked = page.get_by_role("dialog", name=texts("auth:verification.title"))
    asked.get_by_label(texts("auth:code.label")).fill(app.next_code())
    user.assert_toast(texts("policies:saved"))
    user.log_out()

    user.log_in(member)
    refused = server_texts("en", "second_factor_refused")
    expect(page.get_by_role("alert")).to_contain_text(refused)
    computer = Computer(tmp_path / "laptop")
    server.factory.age_codes(member)
    known = len(user.messages(member.phone))
    login = ("login", server.address, "--email", member.email)
    assert computer.run(*login).data["error"] == "code_required"
    code = str(user.next_message(member.phone, known)["code"])
    assert computer.run(*login, "--code", code).data["error"] == "second_factor_refused"
    turn_on(user, member)
