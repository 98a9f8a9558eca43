"""Company networks: proxies with and without TLS and login, and private certificate authorities."""

import json
import random
import re
import socket
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from starlette.testclient import TestClient
from typer.testing import CliRunner

import tessera_client
from client.tests.conftest import Computer
from client.tests.page.browser import HERE, PORT, Browser, space_of
from client.tests.proxy import Proxy, serving
from client.tests.service import ORIGIN, Service
from tessera_client.cli import app
from tessera_client.transfer import api, automatic_proxy, links, network
from tessera_client.transfer.http import Connections, read_body
from tessera_client.transfer.network import Blocked, Network, NoAnswer, use_network
from tessera_client.ui.guard import Keys
from tessera_client.ui.page import Page
from tessera_client.ui.server import create_app
from tessera_client.vault.profile import StateFolder
from tests.clouds.proxy import Authority

HOST = "tessera.test:443"
PASSWORD = "p@ss: wörd"
LOGIN = f"ada:{PASSWORD}"


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture(scope="module")
def stranger(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("stranger"))


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in (
        "https_proxy",
        "all_proxy",
        "no_proxy",
        "auto_proxy",
        "ssl_cert_file",
        "ssl_cert_dir",
    ):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    for module in (api, links):
        monkeypatch.setattr(module, "backoff", lambda _: 0)
    yield
    use_network(Network)


@pytest.fixture
def remote() -> Service:
    """A service that only the proxy can reach."""
    return Service()


@pytest.fixture
def port(remote: Service, authority: Authority) -> Iterator[int]:
    with serving(remote.answer, authority.context("tessera.test")) as port:
        yield port


@pytest.fixture
def computer(remote: Service, authority: Authority, tmp_path: Path) -> Computer:
    """Of a leader, who trusts the company's certificate authority."""
    remote.sign_in(tmp_path / "state", remote.leader)
    made = Computer(tmp_path / "state")
    made.ok("config", "set", "ca-file", authority.file)
    return made


StartProxy = Callable[..., Proxy]


@pytest.fixture
def start_proxy(port: int) -> Iterator[StartProxy]:
    started = []

    def start(*arguments: Any, **options: Any) -> Proxy:
        started.append(Proxy(port, *arguments, **options))
        return started[-1]

    yield start
    for proxy in started:
        proxy.close()


def configure(computer: Computer, *arguments: str, password: str = PASSWORD) -> str:
    """Answers with everything that is shown."""
    result = CliRunner().invoke(
        app,
        ["config", *arguments, "--password-stdin"],
        input=f"{password}\n",
        env={"TESSERA_CLIENT_DIR": str(computer.folder), "TESS_NO_KEYRING": "1"},
    )
    assert result.exit_code == 0, result.stderr
    return result.stdout + result.stderr


def failure(computer: Computer) -> tuple[str, str]:
    exit_code, answer = computer.run("spaces")
    assert exit_code == 1
    return answer["error"], answer["message"]


class TestProxies:
    @pytest.mark.parametrize("scheme", [pytest.param("http", marks=pytest.mark.extended), "https"])
    def test_files_and_calls_go_through_a_proxy_with_a_login(
        self, scheme: str, computer: Computer, start_proxy: StartProxy, authority: Authority,
        tmp_path: Path,
    ) -> None:  # fmt: skip
        context = authority.context("localhost") if scheme == "https" else None
        proxy = start_proxy(context, LOGIN)
        configure(computer, "set", "proxy", f"{scheme}://ada@localhost:{proxy.port}")
        computer.ok("spaces", "create", "Designs")
        content = random.Random(1).randbytes(3 * 2**20)
        (tmp_path / "film").write_bytes(content)
        computer.ok("put", tmp_path / "film", "Designs:/")
        computer.ok("get", "Designs:/film", tmp_path / "out")
        assert (tmp_path / "out").read_bytes() == content
        assert set(proxy.asked) == {HOST}

    def test_page_goes_through_the_proxy(
        self, computer: Computer, start_proxy: StartProxy, tmp_path: Path
    ) -> None:
        proxy = start_proxy()
        computer.ok("config", "set", "proxy", f"http://127.0.0.1:{proxy.port}")
        folder = StateFolder(computer.folder, use_keyring=False)
        use_network(folder.load_network)
        page = Page(folder, Keys(PORT), downloads=tmp_path, home=tmp_path)
        with TestClient(create_app(page), base_url=HERE) as client:
            browser = Browser(client, page)
            browser.wait_for_phase("ready")
            browser.post("spaces", name="Designs")
            browser.upload(space_of(browser), "note.txt", b"note")
        assert set(proxy.asked) == {HOST}

    def test_proxy_and_login_of_the_environment_are_used(
        self, computer: Computer, start_proxy: StartProxy, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        proxy = start_proxy(login="ada:p@ss")
        monkeypatch.setenv("https_proxy", f"ada:p%40ss@127.0.0.1:{proxy.port}")
        computer.ok("spaces")
        assert "p%40ss" not in computer.say("config")[1]
        asked = len(proxy.asked)
        monkeypatch.setenv("no_proxy", "tessera.test")
        assert failure(computer)[0] == "unreachable"
        assert len(proxy.asked) == asked

    def test_this_computer_itself_is_reached_without_the_proxy(
        self, port: int, remote: Service, authority: Authority, start_proxy: StartProxy,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:  # fmt: skip
        proxy = start_proxy()
        use_network(lambda: Network(f"http://127.0.0.1:{proxy.port}", None, str(authority.file)))
        with serving(remote.answer, authority.context("localhost")) as own:
            connections = Connections(10, 60)
            with connections.send("GET", f"https://localhost:{own}/healthz", {}) as response:
                read_body(response, 100)
            assert response.status == 200
            connections.close()
        assert proxy.asked == []

    def test_proxy_that_blocks_the_clouds_is_named_with_the_warehouse(
        self, computer: Computer, remote: Service, start_proxy: StartProxy, tmp_path: Path
    ) -> None:
        """Networks often allow the service, and not every cloud."""
        proxy = start_proxy()
        computer.ok("config", "set", "proxy", f"http://127.0.0.1:{proxy.port}")
        computer.ok("spaces", "create", "Designs")
        cloud = "tessera.s3.eu-central-1.amazonaws.com"
        proxy.refused[f"{cloud}:443"] = 403

        def move(name: str, answer: Any) -> Any:
            text = json.dumps(answer)
            return json.loads(text.replace(f"{ORIGIN}/objects/2/", f"https://{cloud}/objects/2/"))

        remote.on_call = move
        (tmp_path / "note").write_text("note")
        exit_code, answer = computer.run("put", tmp_path / "note", "Designs:/")
        assert (exit_code, answer["notSafe"]) == (4, ["note"])
        (reason,) = answer["reasons"]
        assert reason.startswith("Cloud 2 does not have all pieces yet. The proxy http://127.0.0.1")
        assert f"connect to {cloud} (status 403)" in reason


class TestFailures:
    def test_wrong_password_is_tried_once(
        self, computer: Computer, start_proxy: StartProxy
    ) -> None:
        proxy = start_proxy(login=LOGIN)
        configure(computer, "set", "proxy", f"http://ada@127.0.0.1:{proxy.port}", password="wrong")
        code, message = failure(computer)
        assert (code, proxy.asked) == ("proxy_login_wrong", [HOST])
        assert message.startswith(f"The proxy http://127.0.0.1:{proxy.port} does not accept")

    def test_missing_and_unknown_logins_are_told_apart(
        self, computer: Computer, start_proxy: StartProxy
    ) -> None:
        proxy = start_proxy(login=LOGIN)
        computer.ok("config", "set", "proxy", f"http://127.0.0.1:{proxy.port}")
        assert failure(computer)[0] == "proxy_login_missing"
        proxy.kind = "Negotiate"
        code, message = failure(computer)
        assert (code, "Negotiate" in message) == ("proxy_login_kind", True)

    def test_proxy_that_is_down_is_named(self, computer: Computer) -> None:
        with socket.socket() as bound:
            bound.bind(("127.0.0.1", 0))
            address = f"http://127.0.0.1:{bound.getsockname()[1]}"
            computer.ok("config", "set", "proxy", address)
            code, message = failure(computer)
        assert (code, message.split(". ")[0]) == (
            "proxy_unreachable", f"The proxy {address} cannot be reached"
        )  # fmt: skip

    def test_proxy_that_refuses_the_service_is_named(
        self, computer: Computer, start_proxy: StartProxy
    ) -> None:
        proxy = start_proxy()
        proxy.refused[HOST] = 403
        computer.ok("config", "set", "proxy", f"http://127.0.0.1:{proxy.port}")
        code, message = failure(computer)
        assert (code, "tessera.test (status 403)" in message) == ("proxy_refused", True)

    def test_proxy_with_a_certificate_of_a_stranger_gets_no_password(
        self, computer: Computer, start_proxy: StartProxy, stranger: Authority
    ) -> None:
        proxy = start_proxy(stranger.context("localhost"), LOGIN)
        configure(computer, "set", "proxy", f"https://ada@localhost:{proxy.port}")
        code, message = failure(computer)
        assert code == "certificate"
        assert message.startswith(f"https://localhost:{proxy.port} shows a certificate")
        assert proxy.asked == []

    @pytest.mark.parametrize("with_tls", [False, True])
    def test_proxy_that_answers_for_the_service_itself_is_found_out(
        self, computer: Computer, authority: Authority, stranger: Authority, remote: Service,
        *, with_tls: bool,
    ) -> None:  # fmt: skip
        """It leads the tunnel to a server with a certificate of its own."""
        with serving(remote.answer, stranger.context("tessera.test")) as liar:
            proxy = Proxy(liar, authority.context("localhost") if with_tls else None)
            scheme = "https" if with_tls else "http"
            computer.ok("config", "set", "proxy", f"{scheme}://localhost:{proxy.port}")
            code, message = failure(computer)
            proxy.close()
        assert (code, message.split(" shows")[0]) == ("certificate", "tessera.test")
        assert remote.exchanges == []

    @pytest.mark.parametrize(
        ("reply", "code"),
        [
            (b"SSH-2.0-OpenSSH_9.6\r\n\r\n", "no_proxy"),
            (b"HTTP/1.1 fine\r\n\r\n", "no_proxy"),
            (b"HTTP/1.1 200 OK\r\n" + b"X: " + b"x" * 20_000, "no_proxy"),
            (b"HTTP/1.1 200 OK\r\n\r\nI am not TLS", "unreachable"),
        ],
    )
    def test_nonsense_of_a_proxy_is_no_connection(
        self, computer: Computer, start_proxy: StartProxy, reply: bytes, code: str
    ) -> None:
        proxy = start_proxy()
        proxy.reply = reply
        computer.ok("config", "set", "proxy", f"http://127.0.0.1:{proxy.port}")
        assert failure(computer)[0] == code

    def test_plain_proxy_is_not_taken_for_one_with_tls(
        self, computer: Computer, start_proxy: StartProxy, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(network, "CONNECT_SECONDS", 0.5)
        proxy = start_proxy()
        computer.ok("config", "set", "proxy", f"https://127.0.0.1:{proxy.port}")
        code, message = failure(computer)
        assert (code, "begins with http:// or https://" in message) == ("no_proxy", True)

    def test_silent_proxy_is_not_waited_for_forever(
        self, monkeypatch: pytest.MonkeyPatch, authority: Authority
    ) -> None:
        monkeypatch.setattr(network, "CONNECT_SECONDS", 0.1)
        with socket.create_server(("127.0.0.1", 0)) as silent:
            url = f"http://127.0.0.1:{silent.getsockname()[1]}"
            use_network(lambda: Network(url, None, str(authority.file)))
            with (
                pytest.raises(Blocked) as blocked,
                Connections(10, 60).send("GET", "https://tessera.test/", {}),
            ):
                pass
        assert blocked.value.code == "no_proxy"

    def test_proxy_of_another_kind_is_refused(
        self, computer: Computer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("all_proxy", "socks5://127.0.0.1:1080")
        assert failure(computer)[0] == "bad_proxy"


class TestAutomaticConfiguration:
    """tess does not run PAC files, and says so."""

    @pytest.mark.parametrize(
        "address", ["http://wpad.example/proxy.pac", "http://wpad/wpad.dat", "file:///etc/p.PAC"]
    )
    def test_address_of_one_is_no_proxy(
        self, computer: Computer, monkeypatch: pytest.MonkeyPatch, address: str
    ) -> None:
        exit_code, answer = computer.run("config", "set", "proxy", address)
        assert (exit_code, answer["error"]) == (2, "pac_not_read")
        assert answer["message"].startswith(f"{address} is an automatic configuration")
        monkeypatch.setenv("all_proxy", address)
        assert failure(computer)[0] == "pac_not_read"

    def test_password_in_its_address_is_not_shown(self, computer: Computer) -> None:
        address = "http://ada:secret@wpad.example/proxy.pac?secret"
        message = computer.run("config", "set", "proxy", address)[1]["message"]
        assert "http://wpad.example/proxy.pac is" in message
        assert "secret" not in message

    @pytest.mark.parametrize("system", ["linux", "darwin", "win32"])
    def test_system_that_names_one_is_the_reason_if_nothing_answers(
        self, computer: Computer, monkeypatch: pytest.MonkeyPatch, system: str
    ) -> None:
        def refuse(*_: object) -> None:
            raise ConnectionRefusedError

        monkeypatch.setattr(socket, "create_connection", refuse)
        assert failure(computer)[0] == "unreachable"
        shown = "  ProxyAutoConfigEnable : 1\n  ProxyAutoConfigURLString : http://wpad/x\n"
        registry = SimpleNamespace(
            HKEY_CURRENT_USER=0,
            OpenKey=lambda *_: nullcontext(),
            QueryValueEx=lambda _, name: ({"AutoConfigURL": "http://wpad/x"}[name], 1),
        )
        monkeypatch.setitem(sys.modules, "winreg", registry)
        monkeypatch.setattr(subprocess, "run", lambda *_, **__: SimpleNamespace(stdout=shown))
        if system == "linux":
            monkeypatch.setenv("auto_proxy", "http://wpad/x")
        monkeypatch.setattr(automatic_proxy, "sys", SimpleNamespace(platform=system))
        code, message = failure(computer)
        assert (code, "http://wpad/x is" in message) == ("pac_not_read", True)


class TestCertificates:
    def test_authority_of_the_environment_is_trusted(
        self, remote: Service, authority: Authority, start_proxy: StartProxy, tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:  # fmt: skip
        remote.sign_in(tmp_path / "state", remote.leader)
        computer, proxy = Computer(tmp_path / "state"), start_proxy()
        computer.ok("config", "set", "proxy", f"http://127.0.0.1:{proxy.port}")
        assert failure(computer)[0] == "certificate"
        monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
        computer.ok("spaces")
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "missing.pem"))
        code, message = failure(computer)
        assert (code, "missing.pem" in message) == ("ca_file_unusable", True)

    def test_file_that_has_gone_is_named(
        self, computer: Computer, authority: Authority, tmp_path: Path
    ) -> None:
        copy = tmp_path / "copy.pem"
        copy.write_bytes(authority.file.read_bytes())
        computer.ok("config", "set", "ca-file", copy)
        copy.unlink()
        network.make_context.cache_clear()
        code, message = failure(computer)
        assert (code, str(copy) in message) == ("ca_file_unusable", True)


class TestConfig:
    def test_password_is_neither_shown_nor_stored_with_the_settings(
        self, computer: Computer, tmp_path: Path
    ) -> None:
        shown = configure(computer, "set", "proxy", "https://ada%40corp@proxy.example:3128")
        assert "Proxy: https://ada%40corp@proxy.example:3128 (set with tess config)" in shown
        answer = computer.ok("config")
        assert answer["proxy"] == "https://ada%40corp@proxy.example:3128"
        assert PASSWORD not in shown + json.dumps(answer)
        stored = computer.folder / "network.json"
        assert PASSWORD not in stored.read_text()
        assert stat.S_IMODE(stored.stat().st_mode) == 0o600
        assert StateFolder(computer.folder, use_keyring=False).load_network().password == PASSWORD
        StateFolder(computer.folder, use_keyring=False).forget_secrets()
        assert computer.ok("config", "unset", "ca-file")["proxy"] is not None
        assert computer.ok("config", "unset", "proxy")["proxy"] is None
        assert not (computer.folder / "proxy-password").exists()

    @pytest.mark.parametrize(
        ("arguments", "code"),
        [
            (["set", "proxy", "http://ada:secret@proxy.example"], "password_in_address"),
            (["set", "proxy", "socks5://proxy.example"], "bad_proxy"),
            (["set", "proxy", "http://"], "bad_proxy"),
            (["set", "proxy", "http://proxy.example:port"], "bad_proxy"),
            (["set", "proxy"], "usage"),
            (["set", "color", "red"], "usage"),
            (["unset", "proxy", "http://proxy.example"], "usage"),
            (["show"], "usage"),
        ],
    )
    def test_wrong_settings_are_refused(
        self, tmp_path: Path, arguments: list[str], code: str
    ) -> None:
        computer = Computer(tmp_path / "state")
        exit_code, answer = computer.run("config", *arguments)
        assert (exit_code, answer["error"]) == (2, code)
        assert "secret" not in answer["message"]
        assert computer.ok("config")["proxy"] is None

    def test_password_is_asked_for(self, tmp_path: Path) -> None:
        computer = Computer(tmp_path / "state")
        exit_code, answer = computer.run("config", "set", "proxy", "http://ada@proxy.example")
        assert (exit_code, answer["error"]) == (3, "proxy_password_required")

    def test_files_without_certificates_are_refused(self, tmp_path: Path) -> None:
        computer, file = Computer(tmp_path / "state"), tmp_path / "note.pem"
        exit_code, answer = computer.run("config", "set", "ca-file", file)
        assert (exit_code, answer["error"]) == (1, "system_error")
        file.write_text("note")
        exit_code, answer = computer.run("config", "set", "ca-file", file)
        assert (exit_code, answer["error"]) == (2, "no_certificates")

    def test_damaged_settings_are_named(self, computer: Computer) -> None:
        (computer.folder / "network.json").write_text('{"proxy": "socks5://x"}')
        assert failure(computer)[0] == "network_damaged"


def test_long_bodies_pass_tls_within_tls_in_both_directions(
    authority: Authority, remote: Service
) -> None:
    """Also while the server closes each connection after its answer."""
    content = random.Random(2).randbytes(5 * 2**20)
    received = []

    def echo(request: httpx.Request) -> httpx.Response:
        received.append(request.content)
        return httpx.Response(200, content=request.content, headers={"Connection": "close"})

    with serving(echo, authority.context("tessera.test")) as port:
        proxy = Proxy(port, authority.context("localhost"))
        url = f"https://localhost:{proxy.port}"
        use_network(lambda: Network(url, None, str(authority.file)))
        connections = Connections(30, 60)
        for _ in range(2):
            headers = {"Content-Length": str(len(content))}
            body: list[bytes | memoryview] = [memoryview(content)[: 2**20], content[2**20 :]]
            with connections.send("POST", "https://tessera.test/x", headers, body) as response:
                assert bytes(read_body(response, len(content))) == content
        connections.close()
        proxy.close()
    assert received == [content, content]


def test_connection_that_ends_within_tls_within_tls_is_no_answer(authority: Authority) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def end_early() -> None:
            connection, _ = listener.accept()
            context = authority.context("tessera.test")
            with context.wrap_socket(connection, server_side=True) as inner:
                inner.recv(65536)
                inner.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nobject")

        threading.Thread(target=end_early, daemon=True).start()
        proxy = Proxy(listener.getsockname()[1], authority.context("localhost"))
        url = f"https://localhost:{proxy.port}"
        use_network(lambda: Network(url, None, str(authority.file)))
        with (
            pytest.raises(NoAnswer),
            Connections(30, 60).send("GET", "https://tessera.test/x", {}) as response,
        ):
            read_body(response, 100)
        proxy.close()


def test_nothing_else_in_the_client_opens_connections() -> None:
    """So that proxy, certificates and limits count for everything."""
    root = Path(tessera_client.__file__).parent
    opening = re.compile(
        r"^\s*(import|from) (http\.client|httpx|requests|socket|ssl|urllib\.request|urllib3)\b",
        re.MULTILINE,
    )
    openers = {
        path.relative_to(root).as_posix()
        for path in root.rglob("*.py")
        if opening.search(path.read_text(encoding="utf-8"))
    }
    listeners = {"ui/launch.py", "ui/server.py"}
    # The command reads a file with certificates.
    connecting = {"transfer/http.py", "transfer/network.py", "transfer/nested_tls.py"}
    assert openers == connecting | listeners | {"commands/network.py"}
