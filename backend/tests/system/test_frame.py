import gzip
import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import asyncpg
import httpx
import pytest
from openapi_spec_validator import validate

from tessera.kit.database import Connection
from tessera.kit.static import SpaFiles
from tests.factories.accounts import Factory


class TestHealth:
    async def test_healthz_answers_that_the_service_is_up(self, client: httpx.AsyncClient) -> None:
        answer = await client.get("/healthz")
        assert (answer.status_code, answer.json()) == (200, {"status": "ok"})

    async def test_readyz_is_down_before_the_workflow_engine_runs(
        self, client: httpx.AsyncClient
    ) -> None:
        answer = await client.get("/readyz")
        assert answer.status_code == 503
        assert answer.json() == {"database": "down", "workflows": "down", "process": "ok"}


class TestDatabaseAway:
    @pytest.mark.parametrize(
        "failure",
        [
            ConnectionRefusedError(),
            FileNotFoundError(),
            asyncpg.CannotConnectNowError(),
            asyncpg.AdminShutdownError(),
            asyncpg.ConnectionDoesNotExistError(),
        ],
        ids=lambda failure: type(failure).__name__,
    )
    async def test_a_call_says_to_try_again(
        self, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch, failure: Exception
    ) -> None:
        async def acquire(_: object) -> None:
            raise failure

        monkeypatch.setattr(asyncpg.pool.Pool, "acquire", acquire)
        body = {"emailAddress": "a@b.test", "password": "a1." + "A" * 43}
        answer = await client.post("/api/auth/login-onboard", json=body)
        assert (answer.status_code, answer.json()["code"]) == (503, "busy")
        assert answer.headers["retry-after"] == "1"


class TestContract:
    async def test_openapi_description_validates(self, client: httpx.AsyncClient) -> None:
        described = (await client.get("/api/openapi.json")).json()
        validate(described)
        assert "/api/auth/login-onboard" in described["paths"]


class TestHeaders:
    async def test_answers_carry_the_security_headers(self, client: httpx.AsyncClient) -> None:
        for path in ("/", "/api/config", "/api/nothing", "/healthz"):
            headers = (await client.get(path)).headers
            assert "default-src 'none'" in headers["content-security-policy"]
            assert "frame-ancestors 'none'" in headers["content-security-policy"]
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["referrer-policy"] == "no-referrer"
            assert headers["cross-origin-opener-policy"] == "same-origin"
            assert headers["x-request-id"]

    async def test_so_does_the_answer_to_an_unexpected_error(
        self, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(*_: object) -> None:
            raise ZeroDivisionError

        monkeypatch.setattr(SpaFiles, "_respond", fail)
        answer = await client.get("/")
        assert answer.status_code == 500
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["x-request-id"]

    async def test_a_page_runs_our_own_scripts_alone(self, client: httpx.AsyncClient) -> None:
        policy = (await client.get("/")).headers["content-security-policy"]
        assert "script-src 'self' 'wasm-unsafe-eval'" in policy
        assert "unsafe-inline" not in policy

    async def test_a_call_may_run_nothing_and_is_kept_nowhere(
        self, client: httpx.AsyncClient
    ) -> None:
        for path in ("/api/config", "/api/nothing"):
            headers = (await client.get(path)).headers
            assert headers["content-security-policy"] == (
                "default-src 'none'; frame-ancestors 'none'"
            )
            assert headers.get_list("cache-control") == ["no-store"]

    async def test_the_nonce_is_new_each_time(self, client: httpx.AsyncClient) -> None:
        policies = {
            (await client.get("/healthz")).headers["content-security-policy"] for _ in range(3)
        }
        assert len(policies) == 3

    async def test_a_request_id_is_kept_only_when_it_is_one(
        self, client: httpx.AsyncClient
    ) -> None:
        kept = await client.get("/healthz", headers={"X-Request-Id": "abc-123-def"})
        made = await client.get("/healthz", headers={"X-Request-Id": "a b\tc<script>"})
        assert kept.headers["x-request-id"] == "abc-123-def"
        assert "<" not in made.headers["x-request-id"]


class TestWellKnownFiles:
    async def test_the_sitemap_lists_the_public_pages(self, client: httpx.AsyncClient) -> None:
        answer = await client.get("/sitemap.xml")
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "application/xml"
        found = re.findall(r"<loc>(.*?)</loc>", answer.text)
        assert found == [
            f"http://console.test{path}"
            for path in (
                *("/", "/agreement", "/privacy", "/data-processing"),
                *("/api", "/login", "/signup"),
            )
        ]

    async def test_security_txt_names_the_support_address(self, client: httpx.AsyncClient) -> None:
        answer = await client.get("/.well-known/security.txt")
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "text/plain; charset=utf-8"
        fields = dict(line.split(": ", 1) for line in answer.text.splitlines())
        assert fields["Contact"] == "mailto:support@tessera.test"
        assert fields["Canonical"] == "http://console.test/.well-known/security.txt"
        left = datetime.fromisoformat(fields["Expires"]) - datetime.now(UTC)
        assert timedelta(days=30) < left < timedelta(days=365)

    async def test_the_icon_of_old_browsers(self) -> None:
        icon = Path(__file__).parents[3] / "frontend/public/favicon.ico"
        assert icon.read_bytes().startswith(b"\0\0\1\0")

    async def test_the_console_gets_the_support_address(self, client: httpx.AsyncClient) -> None:
        config = (await client.get("/api/config")).json()
        assert (config["supportEmail"], config["supportUrl"]) == ("support@tessera.test", None)


class TestErrors:
    @pytest.mark.parametrize(
        ("language", "message"),
        [
            ("en", "Please log in."),
            ("tr-TR,tr;q=0.9,en;q=0.5", "Lütfen giriş yapın."),
            ("fr;q=1, ar;q=0.8, en;q=0.1", "يُرجى تسجيل الدخول."),
            ("de", "Please log in."),
            (",;q=;;=", "Please log in."),
        ],
    )
    async def test_the_message_follows_the_language(
        self, client: httpx.AsyncClient, language: str, message: str
    ) -> None:
        answer = await client.get("/api/auth/login-token", headers={"Accept-Language": language})
        assert answer.json() == {"code": "session_required", "message": message}

    async def test_unknown_paths_under_api_answer_json(self, client: httpx.AsyncClient) -> None:
        answer = await client.get("/api/nothing/here")
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")

    @pytest.mark.parametrize("body", [b"{", b"[]", b"null", b'"text"', b"\xff\xfe"])
    async def test_broken_json_is_422_and_says_so(
        self, client: httpx.AsyncClient, body: bytes
    ) -> None:
        answer = await client.post(
            "/api/auth/prelogin", content=body, headers={"Content-Type": "application/json"}
        )
        assert answer.status_code == 422
        assert answer.json()["code"] == "invalid_input"

    async def test_what_was_typed_is_not_repeated(self, client: httpx.AsyncClient) -> None:
        answer = await client.post(
            "/api/auth/login-onboard",
            json={"emailAddress": "a@b.test", "password": "hunter2" * 40, "extra": "hunter2"},
        )
        assert answer.status_code == 422
        assert "hunter2" not in answer.text

    async def test_a_large_body_is_413_declared_or_not(self, client: httpx.AsyncClient) -> None:
        async def pieces() -> object:
            for _ in range(20):
                yield b"x" * 100_000

        declared = await client.post("/api/auth/prelogin", content=b"x" * 1_100_000)
        streamed = await client.post("/api/auth/prelogin", content=pieces())  # type: ignore[arg-type]
        assert declared.status_code == streamed.status_code == 413
        assert declared.json()["code"] == streamed.json()["code"] == "body_too_large"

    @pytest.mark.parametrize("changed_settings", [{"allow_query_secrets": False}])
    async def test_query_secrets_are_refused_when_the_setting_says_so(
        self, client: httpx.AsyncClient, make: Factory
    ) -> None:
        user = await make.user()
        answer = await client.post("/api/auth/login-onboard", params=user.credentials)
        assert (answer.status_code, answer.json()["code"]) == (400, "query_secrets_refused")

    @pytest.mark.parametrize("changed_settings", [{"statement_timeout_ms": 200}])
    async def test_a_database_that_is_too_slow_is_503_and_not_500(
        self, client: httpx.AsyncClient, make: Factory, platform: Connection
    ) -> None:
        headers = await make.session(await make.user())
        async with platform.transaction():
            await platform.execute("LOCK TABLE sessions IN ACCESS EXCLUSIVE MODE")
            answer = await client.get("/api/auth/login-token", headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (503, "busy")
        assert (await client.get("/api/auth/login-token", headers=headers)).status_code == 200


class TestConsole:
    @pytest.fixture
    def built(self, tmp_path: Path) -> Path:
        (tmp_path / "assets").mkdir()
        (tmp_path / "assets" / "main-abc.js").write_text("plain")
        (tmp_path / "assets" / "main-abc.js.gz").write_bytes(gzip.compress(b"plain"))
        (tmp_path / "assets" / "main-abc.js.br").write_bytes(b"brotli")
        (tmp_path / "favicon.svg").write_text("<svg/>")
        (tmp_path / "index.html").write_text('<meta content="__CSP_NONCE__">')
        (tmp_path / "prerendered").mkdir()
        (tmp_path / ".vite").mkdir()
        paths = ("/", "/login", "/register", "/team-members", "/admin/companies/:id", "*")
        pages = json.dumps([{"path": path} for path in paths])
        (tmp_path / ".vite" / "pages.json").write_text(pages)
        return tmp_path

    @pytest.fixture
    def prerendered(self, built: Path) -> Path:
        for language in ("en", "tr", "ar"):
            page = f'<html lang="{language}"><meta content="__CSP_NONCE__">'
            (built / "prerendered" / f"index.{language}.html").write_text(page)
        return built

    async def get(
        self, built: Path, path: str, encoding: str = "", method: str = "GET", language: str = ""
    ) -> httpx.Response:
        console = SpaFiles(built, 'help@"x".test')

        async def app(scope, receive, send) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001
            scope["state"] = {"csp_nonce": "n0nce"}
            await console(scope, receive, send)

        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://x") as client:
            headers = {"Accept-Encoding": encoding, "Accept-Language": language}
            request = client.build_request(method, path, headers=headers)
            response = await client.send(request, stream=True)
            response._content = b"".join([part async for part in response.aiter_raw()])
            return response

    async def test_pages_name_the_support_address(self, prerendered: Path) -> None:
        for page in (prerendered / "index.html", prerendered / "prerendered" / "index.en.html"):
            page.write_text('<a href="mailto:__SUPPORT_EMAIL__">')
        for path in ("/", "/warehouses"):
            answer = await self.get(prerendered, path)
            assert answer.text == '<a href="mailto:help@&quot;x&quot;.test">'

    async def test_hashed_files_are_cached_for_ever_and_packed(self, built: Path) -> None:
        plain = await self.get(built, "/assets/main-abc.js")
        packed = await self.get(built, "/assets/main-abc.js", "gzip, br")
        zipped = await self.get(built, "/assets/main-abc.js", "gzip")
        assert plain.content == b"plain"
        assert packed.content == b"brotli"
        assert gzip.decompress(zipped.content) == b"plain"
        assert packed.headers["content-encoding"] == "br"
        assert packed.headers["content-type"].startswith("text/javascript")
        assert packed.headers["vary"] == "Accept-Encoding"
        assert "immutable" in packed.headers["cache-control"]

    async def test_other_files_are_asked_about_each_time(self, built: Path) -> None:
        assert (await self.get(built, "/favicon.svg")).headers["cache-control"] == "no-cache"

    @pytest.mark.parametrize("path", ["/", "/Login/", "/admin/companies/7", "/register?token=a.b"])
    async def test_the_router_s_paths_are_the_page_with_its_nonce(
        self, built: Path, path: str
    ) -> None:
        answer = await self.get(built, path)
        assert answer.status_code == 200
        assert answer.content == b'<meta content="n0nce">'
        assert answer.headers["cache-control"] == "no-store"

    @pytest.mark.parametrize(
        "path", ["/nope", "/a/b?x=1", "/team-members/7", "/admin", "/admin/companies/7/8"]
    )
    async def test_unknown_paths_are_the_page_with_404(self, built: Path, path: str) -> None:
        answer = await self.get(built, path)
        assert answer.status_code == 404
        assert answer.content == b'<meta content="n0nce">'

    @pytest.mark.parametrize("path", ["/nope.php", "/index.html", "/old/logo.png"])
    async def test_unknown_files_are_404_without_a_page(self, built: Path, path: str) -> None:
        answer = await self.get(built, path)
        assert (answer.status_code, answer.text) == (404, "Not found")

    @pytest.mark.parametrize(
        ("wanted", "served"),
        [
            ("tr-TR,tr;q=0.9,en;q=0.8", "tr"),
            ("ar", "ar"),
            ("de-DE,ar;q=0.3", "ar"),
            ("de-DE,de", "en"),
            ("", "en"),
        ],
    )
    async def test_the_landing_page_comes_rendered_in_the_visitor_s_language(
        self, prerendered: Path, wanted: str, served: str
    ) -> None:
        answer = await self.get(prerendered, "/", language=wanted)
        assert answer.content == f'<html lang="{served}"><meta content="n0nce">'.encode()
        assert answer.headers["vary"] == "Accept-Language, Accept-Encoding"
        assert answer.headers["cache-control"] == "no-store"

    @pytest.mark.parametrize("path", ["/login", "/agreement"])
    async def test_other_paths_are_not_the_landing_page(self, prerendered: Path, path: str) -> None:
        answer = await self.get(prerendered, path, language="tr")
        assert answer.content == b'<meta content="n0nce">'

    async def test_a_language_that_was_not_rendered_gets_the_plain_page(
        self, prerendered: Path
    ) -> None:
        (prerendered / "prerendered" / "index.ar.html").unlink()
        assert (
            await self.get(prerendered, "/", language="ar")
        ).content == b'<meta content="n0nce">'

    async def test_the_page_is_packed_with_its_nonce(self, prerendered: Path) -> None:
        answer = await self.get(prerendered, "/", "gzip, br", language="ar")
        assert answer.headers["content-encoding"] == "gzip"
        assert gzip.decompress(answer.content) == b'<html lang="ar"><meta content="n0nce">'

    async def test_a_missing_hashed_file_is_404_not_the_page(self, built: Path) -> None:
        assert (await self.get(built, "/assets/old-123.js")).status_code == 404

    @pytest.mark.parametrize("path", ["/../secret", "/assets/../../secret", "/%2e%2e/secret"])
    async def test_console_serves_nothing_outside_the_build(self, built: Path, path: str) -> None:
        (built.parent / "secret").write_text("do not serve")
        assert b"do not serve" not in (await self.get(built, path)).content

    @pytest.mark.parametrize(
        "path",
        ["/%00", "/a%00b/c", "/" + "x" * 256, "/team-members/" + "%C3%A7" * 128, "/a" * 2040],
    )
    async def test_what_no_file_can_be_called_is_404(self, built: Path, path: str) -> None:
        assert (await self.get(built, path)).status_code == 404

    async def test_hidden_files_are_404(self, built: Path) -> None:
        (built / ".vite" / "manifest.json").write_text("{}")
        for path in ("/.vite/manifest.json", "/assets/.secret", "/.env"):
            assert (await self.get(built, path)).status_code == 404

    async def test_console_files_are_only_read(self, built: Path) -> None:
        assert (await self.get(built, "/", method="POST")).status_code == 405
