"""Logins with the certified OpenID provider of npm's `oidc-provider`: in the browser with the
password and with a passkey, and of `tess`, also where the company requires them; and the provider's
logout."""

import os
import queue
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect

from accounts import PASSWORD, Account, Company
from computer import Answer, Computer
from event_loop import EventLoopThread
from server import Server, running_server
from test_passkeys import add_passkey, let_unlock, plug_in
from test_storage_secrecy import keep_keys, loop, search
from test_two_factor import turn_on
from tests.clouds.emulators import AZURITE
from tests.fixtures.process import free_port
from tests.security.canary import Marks
from user import User

__all__ = ["loop"]
pytestmark = [pytest.mark.extended, pytest.mark.timeout(300)]

SCRIPT = Path(__file__).parent / "openid_provider.mjs"
MODULES = next(each for each in AZURITE.parents if each.name == "node_modules")


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """Under a name, because passkeys need one."""
    with running_server(public_url=f"http://localhost:{free_port()}") as server:
        yield server


@contextmanager
def running_provider(redirect_uri: str, logout_uri: str) -> Iterator[str]:
    """Returns the issuer."""
    port = free_port()
    node = shutil.which("node")
    assert node, "install Node"
    command = [node, str(SCRIPT), str(port), str(MODULES), redirect_uri, logout_uri]
    issuer = f"http://127.0.0.1:{port}"
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            _wait_for(issuer, process)
            yield issuer
        finally:
            process.kill()


def _wait_for(issuer: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 30
    while True:
        try:
            httpx.get(f"{issuer}/.well-known/openid-configuration", trust_env=False)
            return
        except httpx.HTTPError:
            assert process.poll() is None, "the provider ended; run make emulators"
            assert time.monotonic() < deadline, "the provider does not answer"
            time.sleep(0.1)


@contextmanager
def added_provider(user: User, name: str) -> Iterator[str]:
    """As the leader does it on the page. Returns the issuer."""
    page, texts = user.page, user.texts
    page.get_by_label(texts("identity:sso.newName")).fill(name)
    page.get_by_role("button", name=texts("identity:sso.add")).click()
    addresses = [
        page.get_by_role(
            "region", name=texts(key).replace("{{name}}", name), exact=True
        ).inner_text()
        for key in ("identity:sso.redirectOf", "identity:sso.logoutOf")
    ]
    with running_provider(*addresses) as issuer:
        page.get_by_label(texts("identity:sso.issuer")).fill(issuer)
        page.get_by_label(texts("identity:sso.clientId")).fill("tessera")
        secret = page.get_by_label(texts("identity:sso.clientSecret"), exact=True)
        secret.fill("a secret of the company")
        page.get_by_role("button", name=texts("identity:sso.save")).click()
        user.assert_toast(texts("identity:sso.saved"))
        yield issuer


@contextmanager
def set_up(user: User, company: Company) -> Iterator[str]:
    """Returns the issuer of the company's only provider."""
    user.server.factory.prove_domain(company.member)
    user.sign_in(company.leader, "/identity")
    with added_provider(user, "Okta") as issuer:
        user.log_out()
        yield issuer


def start(user: User, member: Account) -> None:
    user.page.goto("/login")
    user.page.get_by_role("link", name=user.texts("auth:company.use")).click()
    expect(user.page.get_by_role("heading", name=user.texts("auth:company.title"))).to_be_visible()
    user.page.get_by_label(user.texts("auth:fields.email"), exact=True).fill(member.email)
    user.page.get_by_role("button", name=user.texts("auth:company.continue")).click()


def log_in_at_provider(page: Page, issuer: str, member: Account) -> None:
    expect(page).to_have_url(re.compile(re.escape(issuer)))
    page.locator("[name=login]").fill(member.email)
    page.locator("[name=password]").fill("whatever")
    page.locator("[type=submit]").click()
    # Its consent.
    page.get_by_role("button", name="Continue").click()


def prove_password(user: User) -> None:
    page, texts = user.page, user.texts
    expect(page.get_by_role("heading", name=texts("auth:company.linkTitle"))).to_be_visible()
    page.get_by_label(texts("auth:fields.password"), exact=True).fill(PASSWORD)
    page.get_by_role("button", name=texts("auth:login.phase.idle")).click()
    expect(user.code_field()).to_be_visible()


def link(user: User, member: Account) -> None:
    before = len(user.messages(member.phone))
    prove_password(user)
    user.code_field().fill(str(user.next_message(member.phone, before)["code"]))


def unlock(user: User) -> None:
    page, texts = user.page, user.texts
    page.get_by_label(texts("auth:company.password"), exact=True).fill(PASSWORD)
    page.get_by_role("button", name=texts("auth:login.phase.idle")).click()
    expect(user.user_menu()).to_be_visible()


def confirm(user: User) -> None:
    page, texts = user.page, user.texts
    expect(page.get_by_text("Laptop", exact=True)).to_be_visible()
    page.get_by_role("button", name=texts("auth:company.client.confirm")).click()


class Opened:
    """The addresses that `tess` opens a browser with."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._addresses: queue.Queue[str] = queue.Queue()
        monkeypatch.setenv("DISPLAY", ":0")
        monkeypatch.setattr("webbrowser.open", self._open)

    def _open(self, address: str) -> bool:
        self._addresses.put(address)
        return True

    def next(self) -> str:
        return self._addresses.get(timeout=60)


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Opened:
    return Opened(monkeypatch)


def login(server: Server, member: Account, *options: str) -> tuple[str, ...]:
    return ("login", server.address, "--email", member.email, "--device", "Laptop", *options)


def test_member_logs_in_everywhere_until_the_provider_says_otherwise(
    user: User, company: Company, server: Server, tmp_path: Path, opened: Opened
) -> None:
    page, texts, member = user.page, user.texts, company.member
    plug_in(page)
    with set_up(user, company) as issuer, ThreadPoolExecutor() as threads:
        start(user, member)
        log_in_at_provider(page, issuer, member)
        link(user, member)
        expect(user.user_menu()).to_be_visible()
        # This session began with a code, so that a passkey can be added.
        add_passkey(user, "Laptop")
        let_unlock(user, "Laptop")
        user.log_out()

        # The provider remembers the person.
        start(user, member)
        unlock(user)
        user.log_out()

        server.factory.require_sso(company.leader)
        user.page.goto("/login")
        user.submit_password(member)
        expect(page.get_by_role("alert")).to_contain_text("Continue with your company account")
        start(user, member)
        page.get_by_role("button", name=texts("auth:passkey.use")).click()
        expect(user.user_menu()).to_be_visible()

        computer = Computer(tmp_path / "laptop")
        refused = computer.run(*login(server, member, "--no-sso"))
        assert refused.data["error"] == "sso_required"
        # Whoever is logged in to the console confirms it there, and stays so.
        running = threads.submit(computer.run, *login(server, member))
        page.goto(opened.next())
        page.get_by_role("button", name=texts("auth:company.continue")).click()
        confirm(user)
        expect(page.get_by_text("You can close this tab")).to_be_visible()
        done: Answer = running.result(timeout=60)
        assert done.exit_code == 0, done
        assert done.data["email"] == member.email
        computer.ok("words")
        user.page.goto("/download")
        expect(user.user_menu()).to_be_visible()

        page.goto(f"{issuer}/session/end")
        page.get_by_role("button", name="Yes, sign me out").click()
        expect(page.get_by_text("Sign-out Success")).to_be_visible()
        ended = computer.run("words")
        assert ended.data["error"] == "computer_removed"
        user.page.goto("/download")
        expect(page).to_have_url(re.compile("/login$"))


def test_leader_requires_it_on_the_page_and_gets_in_by_a_recovery_code(
    user: User, company: Company, server: Server
) -> None:
    page, texts = user.page, user.texts
    leader, member = company.leader, company.member
    server.factory.prove_domain(leader)
    user.sign_in(leader, "/identity")
    app, recovery_codes = turn_on(user, leader)
    with added_provider(user, "Okta") as issuer:
        require = page.get_by_role("button", name=texts("identity:sso.require"))
        expect(require).to_be_disabled()
        reason = page.get_by_role("paragraph").filter(has_text=texts("identity:sso.notTried"))
        expect(reason).to_be_visible()
        user.log_out()
        start(user, leader)
        log_in_at_provider(page, issuer, leader)
        prove_password(user)
        user.code_field().fill(app.next_code())
        expect(user.user_menu()).to_be_visible()
        user.log_out()
        # The account is linked; now it is tried.
        start(user, leader)
        unlock(user)
        user.log_out()

        user.sign_in(leader, "/identity")
        require.click()
        page.get_by_role("alertdialog").get_by_role(
            "button", name=texts("identity:sso.require")
        ).click()
        user.assert_toast(texts("identity:sso.requireDone"))
        expect(page.get_by_text(texts("identity:sso.required"))).to_be_visible()
        user.log_out()

        # The provider remembers the leader in a cookie.
        page.context.clear_cookies()
        start(user, member)
        log_in_at_provider(page, issuer, member)
        link(user, member)
        expect(user.user_menu()).to_be_visible()
        user.log_out()
        start(user, member)
        unlock(user)
        user.log_out()

    # The provider is gone.
    user.submit_password(leader)
    recovery = page.get_by_label(texts("auth:app.recoveryLabel"))
    recovery.fill(recovery_codes[0])
    recovery.press("Enter")
    expect(user.user_menu()).to_be_visible()


def test_first_login_may_be_that_of_tess_on_a_computer_without_browser(
    user: User, company: Company, server: Server, tmp_path: Path, loop: EventLoopThread
) -> None:
    """Of the password and the keys nothing is left in the service."""
    page, texts, member = user.page, user.texts, company.member
    # The sandbox tells its demo password when it starts.
    logged = len(server.log.read_text())
    computer = Computer(tmp_path / "server", {"PYTHONPATH": os.environ.get("PYTHONPATH", "")})
    command = (sys.executable, "-m", "tessera_client", *login(server, member, "--no-browser"))
    with set_up(user, company) as issuer, computer.started(*command) as process:
        assert process.stderr
        shown = process.stderr.readline()
        found = re.search(r"\b[A-Z]{4}-[A-Z]{4}\b", shown)
        address = re.search(r"http://\S+", shown)
        assert found, shown
        assert address, shown
        page.goto(address[0])
        page.get_by_role("button", name=texts("auth:company.continue")).click()
        log_in_at_provider(page, issuer, member)
        # Afterwards the provider is asked once more, and knows the person.
        link(user, member)
        page.get_by_label(texts("auth:company.client.code"), exact=True).fill(found[0])
        page.get_by_role("button", name=texts("auth:company.continue")).click()
        confirm(user)
        expect(page.get_by_role("status")).to_contain_text("Go on in the terminal")
        assert process.wait(60) == 0
        computer.ok("words")
    marks = Marks()
    marks.keep("password", PASSWORD)
    keep_keys(marks, computer)
    assert loop.run(search(server, marks)) == []
    assert marks.found_in(server.log.read_text()[logged:], "the log") == []


def test_each_domain_leads_to_its_provider(user: User, company: Company, server: Server) -> None:
    page, texts, member = user.page, user.texts, company.member
    branch = f"branch.{member.email.rpartition('@')[2]}"
    server.factory.prove_domain(member)
    server.factory.prove_domain(member, branch)
    user.sign_in(company.leader, "/identity")
    with added_provider(user, "Okta") as main, added_provider(user, "Branch") as other:
        page.get_by_label(branch, exact=True).select_option("Branch")
        user.assert_toast(texts("identity:sso.domainSaved"))
        user.log_out()
        start(user, replace(member, email=f"nobody@{branch}"))
        expect(page).to_have_url(re.compile(re.escape(other)))
        start(user, member)
        log_in_at_provider(page, main, member)
        expect(page.get_by_role("heading", name=texts("auth:company.linkTitle"))).to_be_visible()
