"""A guest without the registration password asks for access and signs up by a personal link."""

import re

import pytest
from playwright.sync_api import expect

from server import Server
from signup import Signup
from user import User


def _request_access(user: User, email: str) -> None:
    page, signup = user.page, Signup(user)
    page.goto("/signup")
    signup.at("signup:password.title")
    signup.press("signup:access.title")
    dialog = page.get_by_role("dialog", name=user.texts("signup:access.title"))
    expect(dialog).to_be_visible()
    signup.fill("signup:access.name", "Grace Hopper")
    signup.fill("signup:access.company", "Harbour Ltd")
    signup.fill("auth:fields.email", email)
    signup.press("signup:access.send")
    expect(page.get_by_role("dialog", name=user.texts("signup:access.sentTitle"))).to_be_visible()
    signup.press("common:actions.close")
    expect(page.get_by_role("dialog")).to_have_count(0)
    # That the request was received; the link comes with the next one.
    user.next_message(email, 0)


def _approve(user: User, server: Server, email: str) -> None:
    user.sign_in(server.factory.admin(), f"/admin/access-requests?q={email}")
    expect(user.page.get_by_text(email)).to_be_visible()
    user.act_on(email, user.texts("companies:requests.actions.approve"))
    user.assert_toast(user.texts("companies:requests.toasts.approved"))
    approved = user.page.get_by_text(user.texts("companies:requests.state.approved"), exact=True)
    expect(approved).to_be_visible()


def test_a_guest_signs_up_by_a_personal_link(user: User, server: Server) -> None:
    page, signup, email = user.page, Signup(user), "grace@journey.test"
    _request_access(user, email)
    _approve(user, server, email)
    link = user.next_message(email, 1)["link"]
    user.log_out()
    page.goto(link)
    signup.at("signup:access.welcome")
    expect(page).to_have_url(re.compile("/signup$"))
    signup.press("signup:access.begin")
    signup.at("signup:steps.company")


@pytest.mark.extended
def test_a_withdrawn_link_says_so(user: User, server: Server) -> None:
    page, signup, email = user.page, Signup(user), "grace@withdrawn.test"
    _request_access(user, email)
    _approve(user, server, email)
    link = user.next_message(email, 1)["link"]
    user.act_on(email, user.texts("companies:requests.actions.decline"))
    user.assert_toast(user.texts("companies:requests.toasts.declined"))
    expect(
        page.get_by_text(user.texts("companies:requests.state.declined"), exact=True)
    ).to_be_visible()
    user.log_out()
    page.goto(link)
    signup.at("signup:access.welcome")
    signup.press("signup:access.begin")
    expect(page.get_by_role("alert")).to_be_visible()
    signup.press("signup:access.title")
    expect(page.get_by_role("dialog", name=user.texts("signup:access.title"))).to_be_visible()
    user.assert_accessible()
