"""The API reference: its examples run as they are pasted into a shell."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from accounts import LEADER, PASSWORD, Company
from server import Server
from user import User

REPOSITORY = Path(__file__).parents[1]


def run(script: str, **variables: str) -> str:
    """Runs a script in the folder from which `make run` is started, and returns its output."""
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=REPOSITORY,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def example(page: Page, method: str, path: str) -> str:
    """Opens a call of the reference and returns its example."""
    page.get_by_role("searchbox").fill(f"{method} {path}")
    call = page.locator("details").filter(has=page.get_by_text(path, exact=True)).first
    call.locator("summary").click()
    shown = call.get_by_role("region", name=f"Example for {method} {path}", exact=True)
    expect(shown).to_be_visible()
    return shown.inner_text()


@pytest.mark.extended
def test_examples_work_as_they_are(user: User, company: Company, server: Server) -> None:
    page = user.page
    page.goto("/")
    page.get_by_role("contentinfo").get_by_role("link", name="API reference").click()
    expect(page).to_have_url(re.compile("/api$"))
    config = json.loads(run(example(page, "GET", "/api/config")))
    assert config["mode"] == "sandbox"
    token = server.factory.token(company.leader)

    def call(method: str, path: str) -> Any:  # noqa: ANN401 - any response
        return json.loads(run(example(page, method, path), TOKEN=token))

    members = call("GET", "/api/users")
    assert company.leader.email in {member["email_address"] for member in members["item1"]}
    [invited] = call("POST", "/api/invite/users/")
    assert invited == {"email_address": "new.member@northwind.test", "state": "invited"}
    [invite] = call("GET", "/api/invites")["item1"]
    assert invite["email_address"] == "new.member@northwind.test"
    # Looks up the id of the invitation first.
    assert run(example(page, "DELETE", "/api/invite/{key}"), TOKEN=token) == ""
    assert call("GET", "/api/invites")["item2"] == 0


@pytest.mark.extended
def test_the_login_commands_give_a_token(user: User, company: Company) -> None:
    page, leader = user.page, company.leader
    page.goto("/api")

    def command(name: str) -> str:
        text = page.get_by_role("region", name=name).inner_text()
        # The demo's account is shared by all tests.
        return text.replace(LEADER.email, leader.email).replace(
            LEADER.phone.replace("+", "%2B"), leader.phone.replace("+", "%2B")
        )

    ask, exchange = command("1. Request a code"), command("2. Exchange the code for a token")
    before = len(user.messages(leader.phone))
    secret = run(f'{ask} >&2; echo "$SECRET"').strip()
    user.next_message(leader.phone, before)
    token = run(f'{exchange}; echo "$TOKEN"', EMAIL=leader.email, SECRET=secret).strip()
    profile = json.loads(run(example(page, "GET", "/api/auth/profile"), TOKEN=token))
    assert profile["email_address"] == leader.email


@pytest.mark.extended
def test_a_call_has_its_own_address(user: User) -> None:
    page = user.page
    page.goto("/api#list_members_api_users_get")
    expect(page.locator("details[open]")).to_have_count(1)
    expect(page.locator("details[open] summary")).to_be_in_viewport()
    expect(
        page.get_by_role("region", name="Example for GET /api/users", exact=True)
    ).to_be_visible()
    user.assert_accessible()


@pytest.mark.extended
@pytest.mark.device(language="tr", phone=True)
def test_titles_and_rules_follow_the_language_on_a_phone(user: User) -> None:
    page = user.page
    page.goto("/api#list_members_api_users_get")
    call = page.locator("details[open]")
    expect(call.get_by_text("Üyeleri listele")).to_be_visible()
    expect(call.get_by_text("Sayfa, 0’dan başlar.")).to_be_visible()
    user.assert_no_overflow()
    user.assert_accessible()
    page.evaluate("localStorage.setItem('tessera.language', 'ar')")
    page.reload()
    expect(call.get_by_text("عرض الأعضاء")).to_be_visible()
    expect(call.get_by_text("الصفحة ابتداءً من 0.")).to_be_visible()
    user.assert_no_overflow()
    user.assert_accessible()


@pytest.mark.extended
def test_login_script_prints_a_token(user: User, company: Company, server: Server) -> None:
    page = user.page
    page.goto("/api")
    page.get_by_text("A script that logs in (Python)").click()
    script = page.get_by_role("region", name="login.py").inner_text()
    email = company.leader.email
    process = subprocess.Popen(
        [sys.executable, "-c", script, server.address, email],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdin
    assert process.stderr
    sent = len(user.messages(company.leader.phone))
    process.stdin.write(f"{PASSWORD}\n")
    process.stdin.flush()
    assert process.stderr.read(6) == "Code: "
    code = user.next_message(company.leader.phone, sent)["code"]
    output, errors = process.communicate(f"{code}\n", timeout=60)
    assert process.returncode == 0, errors
    curl = f'curl -sf {server.address}/api/users -H "Authorization: Bearer $TOKEN"'
    members = json.loads(run(curl, TOKEN=output.strip()))
    assert email in {member["email_address"] for member in members["item1"]}
