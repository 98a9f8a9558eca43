"""The support chat, a page of another origin in a frame."""

import json

import pytest
from playwright.sync_api import Page, Route, expect

from accounts import ADMIN, LEADER
from user import User

CHAT = "https://chat.example/widget"
# Keeps a conversation in the browser, as a support widget does.
WIDGET = """<!doctype html><body><p id="log"></p><script>
  const log = document.getElementById('log')
  log.textContent = localStorage.getItem('log') ?? 'empty'
  onclick = () => { localStorage.setItem('log', 'a secret question'); log.textContent = 'sent' }
</script>"""


@pytest.fixture
def chat(page: Page) -> None:
    """Answers as an installation whose setting names a chat."""

    def with_chat(route: Route) -> None:
        config = route.fetch().json()
        route.fulfill(body=json.dumps({**config, "chatUrl": CHAT}), content_type="application/json")

    def allowing_frame(route: Route) -> None:
        if route.request.resource_type != "document":
            route.fallback()
            return
        answer = route.fetch()
        policy = answer.headers["content-security-policy"]
        headers = answer.headers | {
            "content-security-policy": policy.split("frame-src")[0]
            + "frame-src https://chat.example"
        }
        route.fulfill(response=answer, headers=headers)

    page.route("**/*", allowing_frame)
    page.route("**/api/config", with_chat)
    page.route(CHAT, lambda route: route.fulfill(body=WIDGET, content_type="text/html"))


@pytest.mark.spec("1.23", "4.11")
@pytest.mark.extended
@pytest.mark.usefixtures("chat")
def test_the_conversation_ends_with_the_session(user: User) -> None:
    page = user.page
    conversation = page.frame_locator("iframe").locator("#log")

    user.sign_in(LEADER, "/activity")
    page.get_by_role("button", name=user.texts("console:chat.open")).click()
    expect(conversation).to_have_text("empty")
    conversation.click()
    expect(conversation).to_have_text("sent")
    user.log_out()

    user.sign_in(ADMIN, "/admin/companies")
    page.get_by_role("button", name=user.texts("console:chat.open")).click()
    expect(conversation).to_have_text("empty")


@pytest.mark.spec("8.2")
@pytest.mark.extended
@pytest.mark.usefixtures("chat")
@pytest.mark.device(phone=True)
@pytest.mark.parametrize("language", ["en", "ar"])
def test_on_a_phone_toasts_appear_above_the_chat_button(user: User, language: str) -> None:
    page = user.page
    user.sign_in(LEADER, "/activity")
    button = page.get_by_role("button", name=user.texts("console:chat.open"))
    expect(button).to_be_visible()
    user.wait_for_transitions()
    distances = page.locator("section[aria-live]").evaluate(
        """(region, button) => {
          const { left, right, bottom } = region.getBoundingClientRect()
          const { clientWidth } = document.documentElement
          return [left, clientWidth - right, button.getBoundingClientRect().top - bottom]
        }""",
        button.element_handle(),
    )
    assert distances == [16, 16, 20]
