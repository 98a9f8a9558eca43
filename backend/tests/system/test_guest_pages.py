import base64
import hashlib
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.routing import Mount, Route

from tessera.kit.middleware import SecurityHeaders
from tessera.kit.static import SpaFiles
from tessera.settings import Settings
from tessera.system.guest_pages import PAGES, PDF_FRAME, GuestPage, OnlyGuests, PdfFrame

SCRIPT = "start('<style>not a style<\\/style>')"
STYLE = "body{margin:0}"
PAGE = f"<style>{STYLE}</style><main></main><script>{SCRIPT}</script>"
PATH = "/s/77777777-7777-4777-8777-777777777777"
REQUEST = PATH.replace("/s/", "/r/")
OWN = {"share_origin": "https://share.example.com"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "share.html").write_text(PAGE)
    (tmp_path / "request.html").write_text(PAGE.replace("main", "section"))
    (tmp_path / "pdf.html").write_text(PAGE.replace("main", "aside"))
    (tmp_path / "index.html").write_text("the console")
    return tmp_path


def client(folder: Path, host: str = "console.example.com", **changes: Any) -> httpx.AsyncClient:
    given = {"public_url": "https://console.example.com", **changes}
    settings = Settings(_env_file=None, **given)

    async def call(_: object) -> PlainTextResponse:
        return PlainTextResponse("a call")

    app = Starlette(
        routes=[
            Route("/api/shares/{share}", call),
            Route("/api/config", call),
            Route(PDF_FRAME, PdfFrame(folder)),
            *(Mount(prefix, GuestPage(settings, prefix, folder)) for prefix in PAGES),
            Mount("/", SpaFiles(folder)),
        ],
        middleware=[
            Middleware(SecurityHeaders, settings=settings),
            Middleware(OnlyGuests, settings=settings),
        ],
    )
    transport = httpx.ASGITransport(app=app)
    return httpx.AsyncClient(transport=transport, base_url=f"https://{host}")


def policy(answer: httpx.Response) -> dict[str, str]:
    [value] = answer.headers.get_list("content-security-policy")
    return {name: rest for name, _, rest in (part.partition(" ") for part in value.split("; "))}


def source(content: str) -> str:
    digest = hashlib.sha256(content.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


class TestWithoutAnOrigin:
    async def test_page_is_sandboxed_and_runs_its_own_script_alone(self, folder: Path) -> None:
        async with client(folder) as http:
            answer = await http.get(PATH)
        assert answer.text == PAGE
        rules = policy(answer)
        assert rules["sandbox"] == "allow-scripts allow-downloads"
        assert rules["script-src"] == f"{source(SCRIPT)} 'wasm-unsafe-eval'"
        assert rules["style-src"] == source(STYLE)
        assert (rules["default-src"], rules["frame-ancestors"]) == ("'none'", "'none'")
        # Browsers show nothing if a sandboxed page asks for "same-origin".
        assert answer.headers.get_list("cross-origin-opener-policy") == ["unsafe-none"]
        assert "set-cookie" not in answer.headers
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["x-content-type-options"] == "nosniff"

    async def test_request_has_a_page_of_the_same_rules(self, folder: Path) -> None:
        async with client(folder) as http:
            share, request = await http.get(PATH), await http.get(REQUEST)
        assert "<section>" in request.text
        own, other = policy(request), policy(share)
        # Only shares have previews of PDF files.
        assert other.pop("frame-src") == "'self' https://console.example.com/s/pdf"
        assert own == other

    async def test_page_reaches_the_service_and_clouds_alone(self, folder: Path) -> None:
        async with client(folder, azure_endpoint="https://{account}.blob.example/x") as http:
            sources = policy(await http.get(PATH))["connect-src"].split()
        assert {"'self'", "data:", "https://console.example.com"} <= {*sources}
        assert {"https://*.amazonaws.com", "https://*.blob.example"} <= {*sources}
        assert not {"*", "https:", "http:"} & {*sources}

    @pytest.mark.parametrize("encoding", ["gzip, br", "identity"])
    async def test_page_is_compressed_if_wanted(self, folder: Path, encoding: str) -> None:
        async with client(folder) as http:
            raw = await http.get(PATH, headers={"Accept-Encoding": encoding})
            assert raw.text == PAGE
            assert raw.headers.get("content-encoding") == ("gzip" if "gzip" in encoding else None)

    async def test_no_file_of_the_console_is_the_page(self, folder: Path) -> None:
        async with client(folder) as http:
            for page in PAGES.values():
                assert (await http.get(f"/{page}")).status_code == 404
            assert (await http.get(f"{PATH}/more")).status_code == 404
            assert (await http.post(PATH)).status_code == 405
            assert "sandbox" not in policy(await http.get("/api/config"))

    async def test_page_before_the_build_says_so(self, tmp_path: Path) -> None:
        app = GuestPage(Settings(_env_file=None), "/s", tmp_path)
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://host") as http:
            assert (await http.get(PATH)).status_code == 503


class TestPdfFrame:
    @pytest.mark.parametrize("own", [{}, OWN])
    async def test_frame_is_of_no_origin_and_has_no_network(
        self, folder: Path, own: dict[str, str]
    ) -> None:
        async with client(folder, "share.example.com", **own) as http:
            answer = await http.get(PDF_FRAME)
        assert "<aside>" in answer.text
        assert policy(answer) == {
            "default-src": "'none'",
            "base-uri": "'none'",
            "form-action": "'none'",
            "script-src": f"{source(SCRIPT)} 'wasm-unsafe-eval'",
            "style-src": source(STYLE),
            "worker-src": "blob:",
            "sandbox": "allow-scripts",
        }
        # The page of a share has no origin by which a rule for ancestors could allow it.
        assert answer.headers["x-frame-options"] == "ALLOWALL"

    async def test_frame_is_fetched_once(self, folder: Path) -> None:
        async with client(folder) as http:
            first = await http.get(PDF_FRAME)
            known = {"If-None-Match": first.headers["etag"]}
            assert (await http.get(PDF_FRAME, headers=known)).status_code == 304
            older = {"If-None-Match": '"0"'}
            assert (await http.get(PDF_FRAME, headers=older)).status_code == 200
            assert (await http.post(PDF_FRAME)).status_code == 405
            assert (await http.get("/pdf.html")).status_code == 404


class TestWithAnOrigin:
    @pytest.mark.parametrize("host", ["share.example.com", "SHARE.example.com:443"])
    async def test_page_has_its_own_origin(self, folder: Path, host: str) -> None:
        async with client(folder, **OWN) as http:
            answer = await http.get(PATH, headers={"Host": host})
        assert answer.text == PAGE
        assert "sandbox" not in policy(answer)
        assert "https://share.example.com" in policy(answer)["connect-src"].split()
        assert answer.headers["cross-origin-opener-policy"] == "same-origin"

    async def test_console_sends_guests_there(self, folder: Path) -> None:
        async with client(folder, **OWN) as http:
            answer = await http.get(PATH)
            request = await http.get(REQUEST)
        assert (answer.status_code, request.status_code) == (308, 308)
        assert answer.headers["location"] == f"https://share.example.com{PATH}"
        assert request.headers["location"] == f"https://share.example.com{REQUEST}"

    @pytest.mark.parametrize("path", ["/", "/login", "/api/config", "/assets/x.js"])
    async def test_host_of_links_serves_nothing_else(self, folder: Path, path: str) -> None:
        async with client(folder, "share.example.com", **OWN) as http:
            answer = await http.get(path)
            assert (answer.status_code, answer.text) == (404, "Not found")
            assert (await http.get("/api/shares/7")).text == "a call"
        async with client(folder, **OWN) as http:
            assert (await http.get("/api/config")).text == "a call"
