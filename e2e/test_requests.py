"""Requests for files, as people outside answer them: in a browser, without an account."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from client_page import running_page
from computer import Computer
from device import Device, new_context
from server import Server
from user import User

MARKUP = "<img src=x onerror=\"document.title = 'ran'\">"
TEXT = b"Merhaba " * 1000


@pytest.fixture
def leader(server: Server, tmp_path: Path) -> Iterator[Computer]:
    company = server.factory.company(warehouses=True)
    computer = Computer(tmp_path / "computer")
    computer.login(server, company.leader)
    computer.ok("spaces", "create", "Designs")
    yield computer
    server.factory.remove_companies()


def ask(leader: Computer, title: str, *options: str) -> dict[str, Any]:
    return leader.ok("request", title, "--to", "Designs:/Taxes", *options)


def choose(page: Page, folder: Path, files: dict[str, bytes]) -> None:
    folder.mkdir(exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    page.locator("[name=files]").set_input_files([folder / name for name in files])


def send(page: Page) -> None:
    page.locator("[data-action=send]").click()
    expect(page.locator("[data-result=sent]")).to_be_visible()


def arrival(leader: Computer) -> str:
    [request] = leader.ok("requests")["requests"]
    [arrived] = request["arrivals"]
    return str(arrived["id"])


def reason(page: Page, name: str) -> None:
    expect(page.locator(f"[data-reason={name}]")).to_be_visible()


def test_a_guest_sends_files_from_a_fresh_browser(
    leader: Computer, guest: Page, tmp_path: Path
) -> None:
    link = ask(leader, f"Tax documents {MARKUP}")["link"]
    sent: list[str] = []
    guest.on("request", lambda request: sent.append(request.url + str(request.post_data_buffer)))
    guest.goto(link)
    expect(guest.get_by_role("heading", level=1)).to_have_text(f"Tax documents {MARKUP}")
    choose(guest, tmp_path / "own", {"scan.txt": TEXT, MARKUP.replace("/", ""): b"x"})
    send(guest)
    assert guest.title() != "ran"
    # Neither the link's token nor a name or content has left the browser.
    token = link.rpartition(".")[2]
    assert not [call for call in sent if token in call or "scan.txt" in call or "Merhaba" in call]
    leader.ok("requests", "--accept", arrival(leader))
    leader.ok("get", "Designs:/Taxes", tmp_path / "received")
    assert next((tmp_path / "received").rglob("scan.txt")).read_bytes() == TEXT


@pytest.mark.extended
def test_network_and_cloud_that_fail_are_waited_for(
    leader: Computer, guest: Page, tmp_path: Path
) -> None:
    guest.goto(ask(leader, "Photos")["link"])
    choose(guest, tmp_path / "own", {"large.bin": bytes(range(256)) * 80_000})
    guest.route("**/api/requests/pieces/**", lambda route: route.abort())
    guest.locator("[data-action=send]").click()
    expect(guest.get_by_role("alert")).to_contain_text("cannot be reached")
    guest.unroute("**/api/requests/pieces/**")
    guest.locator("[data-action=retry]").click()
    expect(guest.locator("[data-result=sent]")).to_be_visible()
    leader.ok("requests", "--accept", arrival(leader))
    leader.ok("get", "Designs:/Taxes", tmp_path / "received")
    found = next((tmp_path / "received").rglob("large.bin"))
    assert found.read_bytes() == bytes(range(256)) * 80_000


@pytest.mark.extended
def test_other_keys_and_broken_links_get_nothing(
    leader: Computer, guest: Page, tmp_path: Path
) -> None:
    first, second = ask(leader, "Photos"), ask(leader, "Films")
    link = first["link"]
    for address, expected in (
        (link[:-1], "cut"),
        (link.partition("#")[0], "noKey"),
        (link.replace("#1.", "#2."), "newer"),
        (re.sub("/r/[0-9a-f]{8}", "/r/00000000", link), "unknown"),
        (link.rpartition(".")[0] + "." + "A" * 22, "wrongLink"),
    ):
        guest.goto("about:blank")
        guest.goto(address)
        reason(guest, expected)
    # The service answers with keys of its own: those of another request.
    answers: list[str] = []
    path = re.compile("/api/requests/[0-9a-f-]{36}$")
    guest.on("response", lambda got: answers.append(got.text()) if path.search(got.url) else None)
    guest.goto(second["link"])
    expect(guest.get_by_role("heading", level=1)).to_have_text("Films")
    allowed = {"Access-Control-Allow-Origin": "*", "Content-Type": "application/json"}
    guest.route(path, lambda route: route.fulfill(body=answers[0], headers=allowed))
    guest.goto("about:blank")
    guest.goto(link)
    reason(guest, "swapped")
    guest.unroute(path)
    leader.ok("requests", "--end", first["id"])
    guest.goto("about:blank")
    guest.goto(link)
    reason(guest, "ended")


@pytest.mark.extended
@pytest.mark.device(language="ar", phone=True, theme="dark")
def test_more_than_asked_for_is_said_in_arabic_on_a_phone(
    leader: Computer, guest: Page, tmp_path: Path
) -> None:
    guest.goto(ask(leader, "صور", "--files", "1")["link"])
    choose(guest, tmp_path / "own", {"a.txt": b"a", "b.txt": b"b"})
    expect(guest.locator("html")).to_have_attribute("dir", "rtl")
    expect(guest.get_by_role("alert")).to_be_visible()
    expect(guest.locator("[data-action=send]")).to_be_disabled()
    assert guest.evaluate("document.documentElement.scrollWidth") <= 390
    guest.get_by_role("button", name="b.txt").click()
    send(guest)


@pytest.mark.extended
def test_a_leader_asks_takes_in_and_ends_on_screen(
    server: Server, browser: Browser, user: User, guest: Page, tmp_path: Path
) -> None:
    company = server.factory.company(warehouses=True)
    folder = tmp_path / "own"
    page = new_context(browser, server.address, Device()).new_page()
    with running_page(page, tmp_path / "home") as client:
        client.open()
        client.log_in(server, company.leader)
        texts = client.texts
        page.get_by_role("button", name=texts("client:space.create")).click()
        page.get_by_label(texts("client:folder.name")).fill("Designs")
        page.get_by_role("button", name=texts("client:folder.create"), exact=True).click()
        page.get_by_role("link", name=texts("client:menu.requests")).click()
        page.get_by_role("button", name=texts("client:requests.new")).first.click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label(texts("client:requests.what")).fill("Tax documents")
        dialog.get_by_role("button", name=texts("client:share.create")).click()
        link = dialog.get_by_text("/r/").inner_text()
        dialog.get_by_role("button", name=texts("client:share.close")).click()

        guest.goto(link)
        choose(guest, folder, {"scan.txt": TEXT})
        send(guest)
        card = page.get_by_role("listitem").filter(has_text="Tax documents")
        accept = card.get_by_role("button", name=texts("client:requests.accept"))
        expect(accept).to_be_visible()
        accept.click()
        expect(card).to_contain_text("1 accepted")
        card.get_by_role("button", name="End the request “Tax documents”").click()
        end = page.get_by_role("dialog").get_by_role("button", name=texts("client:shares.end"))
        end.click()
        expect(card).to_contain_text(texts("client:requests.states.ended"))
        guest.goto("about:blank")
        guest.goto(link)
        reason(guest, "ended")
        page.get_by_role("link", name=texts("client:menu.files")).click()
        expect(page.get_by_role("button", name="scan.txt", exact=True)).to_be_visible()
    user.log_in(company.leader)
    user.page.goto("/storage")
    requests = user.page.locator("section").filter(has_text=user.texts("storage:requests.title"))
    expect(requests).to_contain_text("1 accepted")
