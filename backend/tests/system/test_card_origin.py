import re
import socket
from pathlib import Path
from typing import Any

import httpx
import pytest

from tessera.settings import Mode, Settings
from tessera.system.card_form import CardForm
from tessera.system.card_listener import CardPortTaken, card_listener
from tests.fixtures.process import free_port

PAGE = (
    '<meta name="parents" content="__PARENTS__" /><meta name="sandbox" content="__SANDBOX__" />'
    '<script type="module" src="/assets/card-1.js"></script>'
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "card-1.js").write_text("start()")
    (tmp_path / "card.html").write_text(PAGE)
    (tmp_path / "index.html").write_text("the console")
    return tmp_path


def settings(**changes: Any) -> Settings:
    given = {"public_url": "http://127.0.0.1:8000", "card_origin": "http://127.0.0.1:8001"}
    return Settings(_env_file=None, **{**given, **changes})


def live() -> Settings:
    return settings(
        mode=Mode.PRODUCTION,
        public_url="https://console.example.com",
        card_origin="https://cards.example.com",
    )


def client(chosen: Settings, folder: Path) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(app=CardForm(chosen, folder))
    return httpx.AsyncClient(transport=transport, base_url="http://cards")


def policy(answer: httpx.Response) -> dict[str, str]:
    parts = answer.headers["content-security-policy"].split("; ")
    return dict(part.split(" ", 1) for part in parts)


class TestPage:
    async def test_card_page_knows_who_may_show_it_and_where_the_sandbox_is(
        self, folder: Path
    ) -> None:
        async with client(settings(), folder) as http:
            answer = await http.get("/")
        assert answer.status_code == 200
        assert 'content="http://127.0.0.1:8000 http://localhost:8000"' in answer.text
        assert 'content="http://127.0.0.1:8000/sandbox/stripe"' in answer.text
        assert answer.headers["cache-control"] == "no-store"

    async def test_live_it_names_no_sandbox(self, folder: Path) -> None:
        async with client(live(), folder) as http:
            answer = await http.get("/")
        assert 'name="parents" content="https://console.example.com"' in answer.text
        assert 'name="sandbox" content=""' in answer.text

    async def test_files_of_the_card_page_are_served_and_cached_for_ever(
        self, folder: Path
    ) -> None:
        async with client(settings(), folder) as http:
            answer = await http.get("/assets/card-1.js")
            missing = await http.get("/assets/other.js")
        assert answer.text == "start()"
        assert "immutable" in answer.headers["cache-control"]
        assert missing.status_code == 404

    @pytest.mark.parametrize(
        "path", ["/index.html", "/card.html", "/login", "/api/config", "/assets/../index.html"]
    )
    async def test_card_origin_serves_nothing_else(self, folder: Path, path: str) -> None:
        async with client(settings(), folder) as http:
            answer = await http.get(path)
        assert answer.status_code == 404
        assert "the console" not in answer.text

    async def test_card_page_is_only_read(self, folder: Path) -> None:
        async with client(settings(), folder) as http:
            assert (await http.post("/")).status_code == 405

    async def test_card_page_before_the_build_says_so(self, tmp_path: Path) -> None:
        async with client(settings(), tmp_path) as http:
            assert (await http.get("/")).status_code == 503


class TestPolicy:
    async def test_card_page_in_the_sandbox_loads_nothing_foreign(self, folder: Path) -> None:
        async with client(settings(), folder) as http:
            answer = await http.get("/")
        rules = policy(answer)
        assert rules["default-src"] == "'none'"
        assert rules["script-src"] == "'self'"
        assert rules["connect-src"] == "http://127.0.0.1:8000"
        assert rules["frame-src"] == "'none'"
        assert rules["frame-ancestors"] == "http://127.0.0.1:8000 http://localhost:8000"
        assert "strict-transport-security" not in answer.headers

    async def test_live_it_trusts_the_card_provider_alone(self, folder: Path) -> None:
        async with client(live(), folder) as http:
            answer = await http.get("/")
        rules = policy(answer)
        assert rules["script-src"] == "'self' https://js.stripe.com"
        assert rules["connect-src"] == "https://api.stripe.com"
        assert rules["frame-src"] == "https://js.stripe.com https://hooks.stripe.com"
        assert rules["frame-ancestors"] == "https://console.example.com"
        assert answer.headers["strict-transport-security"]

    @pytest.mark.parametrize("path", ["/", "/assets/card-1.js", "/nothing"])
    async def test_answers_of_the_card_origin_carry_the_headers(
        self, folder: Path, path: str
    ) -> None:
        async with client(settings(), folder) as http:
            answer = await http.get(path)
        assert not re.search(r"unsafe-(inline|eval)", answer.headers["content-security-policy"])
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert "set-cookie" not in answer.headers


class TestListener:
    def test_card_origin_listens_while_the_service_runs(self) -> None:
        port = free_port()
        with card_listener(settings(), "127.0.0.1", port):
            assert httpx.get(f"http://127.0.0.1:{port}/healthz").text == "ok"
        with pytest.raises(httpx.TransportError):
            httpx.get(f"http://127.0.0.1:{port}/healthz")

    def test_a_taken_port_is_said_at_once(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as other:
            port = other.getsockname()[1]
            with (
                pytest.raises(CardPortTaken, match=str(port)),
                card_listener(settings(), "127.0.0.1", port),
            ):
                raise AssertionError
