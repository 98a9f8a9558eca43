"""Public pages, and how the server delivers them."""

import re

import httpx
import pytest
from playwright.sync_api import Browser, Page, Route, expect

from accounts import PASSWORD
from device import LOCALES
from server import Server
from signup import Signup
from texts import Texts
from user import User

LANGUAGES = ("en", "tr", "ar")

# The build renders public pages; until the scripts have taken over, a link loads a whole page.
SCRIPTS_RUN = """() => [...document.querySelectorAll('main a, footer a')].every((link) =>
  Object.keys(link).some((key) => key.startsWith('__reactProps')))"""

SCRIPTS = re.compile(r"/assets/index-[^/]+\.js$")


def hold_scripts(page: Page) -> list[Route]:
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route(SCRIPTS, hold)
    return held


@pytest.mark.extended
def test_a_press_while_the_scripts_start_is_not_lost(page: Page) -> None:
    held = hold_scripts(page)
    page.goto("/", wait_until="domcontentloaded")
    page.get_by_role("link", name="Learn More").click()
    expect(page).to_have_url(re.compile("/#how$"))
    page.get_by_role("contentinfo").get_by_role("link", name="User Agreement").hover()
    page.mouse.down()
    for route in held:
        route.continue_()
    page.wait_for_function(SCRIPTS_RUN)
    page.mouse.up()
    expect(page).to_have_url(re.compile("/agreement$"))


@pytest.mark.extended
@pytest.mark.device(theme="dark")
def test_a_press_is_not_lost_when_the_icon_changes_under_it(page: Page) -> None:
    held = hold_scripts(page)
    page.goto("/", wait_until="domcontentloaded")
    page.get_by_role("banner").get_by_role("button").hover()
    page.mouse.down()
    for route in held:
        route.continue_()
    page.wait_for_function(SCRIPTS_RUN)
    page.mouse.up()
    expect(page.locator("html")).to_have_attribute("data-theme", "light")


# Presses the button for the theme as often as it can while the scripts start.
PRESS_EARLY = """
  window.presses = 0
  window.changes = 0
  const timer = setInterval(() => {
    const button = document.querySelector('header button')
    if (!button) return
    if (!window.presses)
      new MutationObserver((records) => { window.changes += records.length })
        .observe(document.documentElement, { attributeFilter: ['data-theme'] })
    window.presses += 1
    button.click()
    if (window.changes > 3) clearInterval(timer)
  }, 0)
"""


@pytest.mark.extended
def test_every_press_of_a_button_while_the_scripts_start_counts_once(page: Page) -> None:
    page.add_init_script(PRESS_EARLY)
    page.goto("/")
    page.wait_for_function("() => window.changes > 3")
    page.wait_for_timeout(100)
    assert page.evaluate("window.changes") == page.evaluate("window.presses")


@pytest.mark.spec("1.17", "2.1", "2.3", "2.39", "6.10")
def test_a_guest_looks_around(page: Page, server: Server) -> None:
    # The address alone, without a path.
    page.goto(server.address)
    expect(page).to_have_url(f"{server.address}/")
    expect(page.get_by_text("750").first).to_be_visible()
    page.get_by_role("link", name="Learn More").or_(
        page.get_by_role("button", name="Learn More")
    ).first.click()
    page.get_by_role("link", name="User Agreement").first.click()
    expect(page).to_have_url(re.compile("/agreement$"))
    expect(page.locator("main section[id] h2")).to_have_count(10)
    header = page.get_by_role("banner")
    header.get_by_role("combobox").select_option("tr")
    expect(page.locator("html")).to_have_attribute("lang", "tr")
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "tr")
    header.get_by_role("combobox").select_option("en")
    page.goto("/nowhere/at-all")
    not_found = Texts("en")("common:screens.notFound")
    expect(page.get_by_role("heading", level=1)).to_have_text(not_found)
    for path in ("/team-members", "/admin/companies", "/warehouses", "/subscription", "/download"):
        page.goto(path)
        expect(page).to_have_url(re.compile(r":\d+/$"))
    expect(header.get_by_role("link", name="Login")).to_be_visible()
    header.get_by_role("link", name="Sign Up").click()
    expect(page).to_have_url(re.compile("/signup$"))


@pytest.mark.spec("1.18")
@pytest.mark.extended
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_landing_page_and_agreement_speak_the_guest_s_language(
    user: User, language: str, theme: str
) -> None:
    page = user.page
    page.goto("/")
    expect(page.locator("html")).to_have_attribute("lang", language)
    expect(page.locator("html")).to_have_attribute("dir", "rtl" if language == "ar" else "ltr")
    expect(page.locator("html")).to_have_attribute("data-theme", theme)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_text("750").first).to_be_visible()
    user.assert_accessible()
    page.goto("/agreement")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.locator("main section[id] h2")).to_have_count(10)
    for term in ("1.5", "21", "90", "14"):
        text = term.replace(".", "[.,٫]")
        expect(page.locator("main").get_by_text(re.compile(text)).first).to_be_visible()
    user.assert_accessible()


@pytest.mark.extended
class TestServing:
    def test_hashed_files_are_cached_and_packed_and_the_page_is_not(self, server: Server) -> None:
        html = httpx.get(f"{server.address}/")
        assert html.headers["cache-control"] == "no-store"
        assert "__CSP_NONCE__" not in html.text
        script = re.search(r"/assets/boot-[^\"]+\.js", html.text)
        assert script
        answer = httpx.get(server.address + script[0], headers={"Accept-Encoding": "br"})
        assert answer.headers["content-encoding"] == "br"
        assert "immutable" in answer.headers["cache-control"]

    def test_the_outbox_page_is_there(self, user: User) -> None:
        user.page.goto("/sandbox/outbox")
        expect(user.page.get_by_role("heading", name="Outbox")).to_be_visible()
        user.assert_accessible()


@pytest.mark.extended
@pytest.mark.parametrize("language", LANGUAGES)
class TestRenderedByTheBuild:
    def test_the_landing_page_needs_no_script(
        self, browser: Browser, server: Server, language: str
    ) -> None:
        locale = LOCALES[language]
        context = browser.new_context(
            base_url=server.address, locale=locale, java_script_enabled=False
        )
        page = context.new_page()
        texts = Texts(language)
        page.goto("/")
        expect(page.locator("html")).to_have_attribute("lang", language)
        expect(page.get_by_role("heading", level=1)).to_have_text(texts("content:hero.title"))
        expect(page.get_by_text("750").first).to_be_visible()
        page.get_by_role("link", name=texts("content:plan.agreement")).click()
        expect(page).to_have_url(re.compile("/agreement$"))
        expect(page.locator("main section[id] h2")).to_have_count(10)
        context.close()

    @pytest.mark.parametrize("path", ["/login", "/signup"])
    def test_a_form_without_scripts_sends_nothing(
        self, browser: Browser, server: Server, language: str, path: str
    ) -> None:
        title = {"/login": "common:screens.login", "/signup": "signup:password.title"}[path]
        context = browser.new_context(
            base_url=server.address, locale=LOCALES[language], java_script_enabled=False
        )
        page = context.new_page()
        page.goto(path)
        expect(page.get_by_role("heading", level=1)).to_have_text(Texts(language)(title))
        sent: list[str] = []
        page.on("request", lambda request: sent.append(request.url))
        field = page.locator("main input").last
        # Twice: a navigation started by the first would have left the page by the second.
        for secret in ("a secret", "another secret"):
            field.fill(secret)
            field.press("Enter")
        expect(field).to_have_value("another secret")
        assert page.url == server.address + path
        assert sent == []
        context.close()

    @pytest.mark.parametrize("theme", ["light", "dark"])
    def test_scripts_take_the_page_over_as_it_is(
        self, page: Page, language: str, theme: str
    ) -> None:
        page.goto("/")
        heading = page.get_by_role("heading", level=1).element_handle()
        # This button works only with scripts, so it shows that they have loaded.
        page.get_by_role("banner").get_by_role("button").click()
        expect(page.locator("html")).to_have_attribute(
            "data-theme", "light" if theme == "dark" else "dark"
        )
        expect(page.get_by_role("heading", level=1)).to_have_count(1)
        assert heading
        assert heading.evaluate("node => node.isConnected")


@pytest.mark.extended
class TestEarlyInput:
    def test_what_is_typed_before_the_scripts_are_there_stays(self, user: User) -> None:
        page = user.page
        held = hold_scripts(page)
        with page.expect_request(SCRIPTS):
            page.goto("/login", wait_until="commit")
        email, password = page.get_by_label("Email"), page.get_by_label("Password", exact=True)
        email.fill("leader@northwind.test")
        password.fill(PASSWORD)
        expect(page.get_by_role("button", name="Login", exact=True)).to_be_disabled()
        held[0].continue_()
        expect(page.get_by_role("button", name="Login", exact=True)).to_be_enabled()
        expect(email).to_have_value("leader@northwind.test")
        expect(password).to_have_value(PASSWORD)

    def test_a_sign_up_under_way_is_not_shown_its_first_step(self, user: User) -> None:
        page, signup = user.page, Signup(user)
        page.goto("/signup")
        signup.verify_password()
        signup.at("signup:steps.company")
        page.reload()
        signup.at("signup:steps.company")


@pytest.mark.extended
class TestRenderedForSomebodyElse:
    def test_a_chosen_language_goes_before_the_browser_s(self, page: Page) -> None:
        page.add_init_script("localStorage.setItem('tessera.language', 'ar')")
        page.goto("/")
        expect(page.get_by_role("heading", level=1)).to_have_text(Texts("ar")("content:hero.title"))
        expect(page.get_by_role("heading", level=1)).to_have_count(1)
        expect(page.locator("html")).to_have_attribute("dir", "rtl")

    def test_whoever_has_a_token_never_sees_the_guest_s_buttons(self, page: Page) -> None:
        page.add_init_script("localStorage.setItem('tessera.token', 'a.b.c')")
        page.route("**/api/auth/login-token", lambda route: None)
        page.goto("/")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        expect(page.get_by_role("banner").get_by_role("link", name="Login")).to_have_count(0)
