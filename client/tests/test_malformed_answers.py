"""Answers of the service that make no sense end in one sentence and valid JSON, never otherwise."""

import gzip
import json
import os
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from client.tests.conftest import Computer, connect
from client.tests.service import Service
from client.tests.transport import MemoryTransport
from tessera_client.errors import ClientError
from tessera_client.transfer import answers, api, http
from tessera_client.transfer.api import Api
from tessera_client.transfer.network import NoAnswer

JSON = {"content-type": "application/json"}
SPACE = {
    "id": "7d0a3c5e-1f4b-4c1d-9a55-0c6c3a6f2b11", "sequence": 1, "head": "A" * 43,
    "isMember": True, "leader": "7d0a3c5e-1f4b-4c1d-9a55-0c6c3a6f2b11",
    "refusedGrants": [],
}  # fmt: skip


def raw(content: bytes, **headers: str) -> httpx.Response:
    """A body exactly as it is, whatever its headers say."""
    response = httpx.Response(200, headers=JSON | headers)
    response._content = content  # httpx would decode it.
    return response


def rows(**changes: object) -> httpx.Response:
    return httpx.Response(200, json=[{**SPACE, **changes}])


KINDS: dict[str, httpx.Response] = {
    "html": httpx.Response(200, html="<html>Sign in to the hotel's network</html>"),
    "empty": httpx.Response(200),
    "no json": raw(b"not json"),
    "truncated": raw(b'[{"id": "7d0a'),
    "no utf-8": raw(b'[{"id": "\xff\xfe"}]'),
    "utf-16": raw('[{"id": 1}]'.encode("utf-16")),
    "null": raw(b"null"),
    "object for list": raw(b"{}"),
    "text for list": raw(b'"spaces"'),
    "number for list": raw(b"7"),
    "text in list": raw(b'["space"]'),
    "missing field": httpx.Response(200, json=[{"id": SPACE["id"]}]),
    "null field": rows(head=None),
    "text for number": rows(sequence="1"),
    "truth value for number": rows(sequence=True),
    "fraction": rows(sequence=1.5),
    "negative number": rows(sequence=-1),
    "huge number": rows(sequence=2**64),
    "thousands of digits": raw(b'[{"sequence": ' + b"9" * 10_000 + b"}]"),
    "infinity": raw(b'[{"sequence": 1e999}]'),
    "NaN": raw(b'[{"sequence": NaN}]'),
    "no base64url": rows(head="%" * 43),
    "other base64url": rows(head="A" * 42 + "B"),
    "wrong length": rows(head="AAAA"),
    "no uuid": rows(id="7d0a"),
    "other uuid": rows(id="{7D0A3C5E1F4B4C1D9A550C6C3A6F2B11}"),
    "uuid as list": rows(id=["7d0a"]),
    "half of a pair": raw(json.dumps([{**SPACE, "leader": "\ud800"}]).encode()),
    "nested": raw(b"[" * 200_000 + b"]" * 200_000),
    "compressed": raw(gzip.compress(bytes(10**7)), **{"content-encoding": "gzip"}),
    "other type": httpx.Response(200, json=[SPACE], headers={"content-type": "text/plain"}),
    "redirect": httpx.Response(
        302, headers={"location": "https://tessera.test/api/storage/spaces"}
    ),
    "error in html": httpx.Response(500, html="<html>Bad gateway</html>"),
    "error as list": httpx.Response(400, json=[1, 2]),
    "error with odd fields": httpx.Response(400, json={"code": {"a": 1}, "message": ["no"]}),
    "error with half of a pair": httpx.Response(
        400, content=b'{"code": "x", "message": "\\ud800"}', headers=JSON
    ),
    "error nested": httpx.Response(400, content=b"[" * 200_000, headers=JSON),
    "odd pause": httpx.Response(503, headers={"retry-after": "Wed, 21 Oct 2026 07:28:00 GMT"}),
    "negative pause": httpx.Response(503, headers={"retry-after": "-1"}),
    "no pause": httpx.Response(503, headers={"retry-after": "nan"}),
}


def answer_with(
    patch: pytest.MonkeyPatch, service: Service, path: str, response: httpx.Response
) -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        return response if request.url.path == path else service.answer(request)

    connect(patch, MemoryTransport(answer))


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_ends_in_one_sentence(
    service: Service, leader: Computer, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    answer_with(monkeypatch, service, "/api/storage/spaces", KINDS[kind])
    exit_code, answer = leader.run("spaces")
    is_error = KINDS[kind].status_code != 200
    expected = f"http_{KINDS[kind].status_code}" if is_error else "service_answer_malformed"
    assert exit_code == 1
    assert answer["error"] in {expected, "x"}
    exit_code, said, complaint = leader.say("spaces")
    assert (exit_code, said) == (1, "")
    assert len(complaint.splitlines()) == 1
    assert "Traceback" not in complaint


def test_fields_that_come_twice_or_are_new_do_no_harm(leader: Computer, service: Service) -> None:
    service.on_call = lambda _, answer: (
        {**answer, "invented": 1} if isinstance(answer, dict) else answer
    )
    leader.ok("ls", "Designs:/")
    twice = b'{"k": 1, "n": 3, "k": 2}'
    assert answers.decode_json(twice, answers.PlacementRow) == answers.PlacementRow(2, 3)


def test_an_odd_clock_of_the_service_is_no_clock(
    leader: Computer, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    odd = httpx.Response(200, headers={"date": "yesterday"})
    answer_with(monkeypatch, service, "/healthz", odd)
    checks = {check["check"]: check["ok"] for check in leader.run("doctor")[1]["checks"]}
    assert checks["clock"] is False, "nothing was compared"


# What a lying service may put in the place of any value.
WRONG: tuple[Any, ...] = (None, "\u202e\x1b", -1, 2**70, [], {}, [[None]], 0.5, "no", True)


def mutations(value: Any) -> Iterator[Any]:
    """The value with one part removed or exchanged."""
    yield from WRONG
    if isinstance(value, dict):
        for name, part in value.items():
            yield {key: each for key, each in value.items() if key != name}
            for other in mutations(part):
                yield {**value, name: other}
    elif isinstance(value, list) and value:
        yield [*value, value[0]]
        for other in mutations(value[0]):
            yield [other, *value[1:]]


def test_no_single_wrong_value_ends_in_a_traceback(
    service: Service, leader: Computer, tmp_path: Path
) -> None:
    """Each value of each answer that these commands use is exchanged in turn."""
    (tmp_path / "file").write_bytes(b"content" * 1000)
    leader.ok("put", tmp_path / "file", "Designs:/")
    service.exchanges.clear()
    commands: tuple[tuple[str | Path, ...], ...] = (
        ("get", "Designs:/file", tmp_path / "out"),
        ("doctor",),
        ("status",),
        ("spaces",),
    )  # fmt: skip
    seen: dict[str, tuple[tuple[str | Path, ...], Any]] = {}
    for command in commands:
        leader.run(*command)
        for name, _, answer in service.exchanges:
            seen.setdefault(name, (command, answer))
        service.exchanges.clear()
    seen.pop("GET /downloads/manifest", None)
    assert len(seen) >= 6, seen
    runs, refused = 0, 0
    for name, (command, answer) in seen.items():
        for at, wrong in enumerate(mutations(answer)):
            # Every seventh is enough to hit each value of each answer; all take a minute.
            if at % 7 and at > len(WRONG):
                continue
            service.on_call = lambda call, given, name=name, wrong=wrong: (  # type: ignore[misc]
                wrong if call == name else given
            )
            exit_code, said = leader.run(*command)
            runs += 1
            refused += said.get("error") == "service_answer_malformed"
            assert exit_code in range(6), (name, wrong)
    assert runs > 100
    assert refused > runs / 3, "most of these are seen at once"


def test_what_is_said_about_an_answer_names_no_code_or_id() -> None:
    for path in (f"/storage/spaces/{SPACE['id']}/log", "/auth/verify-otp/123456"):
        said = str(answers.AnswerMalformed("POST", path))
        assert "*" in said
        assert not re.search("7d0a|123456", said)


class TestBounds:
    def test_a_long_answer_is_given_up(
        self, leader: Computer, service: Service, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(api, "MAX_ANSWER_BYTES", 1000)
        answer_with(monkeypatch, service, "/api/storage/spaces", raw(b" " * 1001))
        assert leader.run("spaces")[1]["error"] == "service_answer_malformed"

    def test_the_longest_honest_answer_fits(self) -> None:
        link = {"method": "GET", "url": "x" * 2500, "headers": {"x" * 20: "x" * 60}}
        shard = {"index": 15, "size": 1, "sha256": "x" * 43, "warehouseId": 1, "link": link}
        packs = [{"id": "x" * 22, "shards": [shard] * 16}] * 64
        assert len(json.dumps({"packs": packs})) * 5 < api.MAX_ANSWER_BYTES

    @pytest.mark.parametrize(
        ("head", "drip"),
        [
            (b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n", b" "),
            (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n"),
            (b"HTTP/1.1 200 OK\r\n", b"X-Drip: 1\r\n"),
            (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
        ],
    )
    def test_an_answer_that_drips_is_given_up(self, head: bytes, drip: bytes) -> None:
        with dripping(head, drip) as port:
            connections = http.Connections(10, 0.3)
            with pytest.raises(NoAnswer):
                read(connections, port)

    @pytest.mark.parametrize("per_block", [True, False])
    def test_an_object_may_take_long_as_long_as_blocks_come(
        self, monkeypatch: pytest.MonkeyPatch, per_block: bool
    ) -> None:
        """Ten blocks take longer than the limit, each of them less."""
        now = 0.0

        def pass_time(_: int) -> None:
            nonlocal now
            now += 50

        monkeypatch.setattr(http, "BLOCK_BYTES", 10_000)
        monkeypatch.setattr("tessera_client.transfer.http.time.monotonic", lambda: now)
        head = b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"
        with dripping(head, b"x" * 100_000) as port:
            connections = http.Connections(10, 60, per_block=per_block)
            if per_block:
                assert read(connections, port, pass_time) == b"x" * 100_000
            else:
                with pytest.raises(http.TooSlow):
                    read(connections, port, pass_time)

    def test_the_api_waits_no_longer_for_an_answer_than_its_limit(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(api, "ANSWER_SECONDS", 0.3)
        with dripping(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n", b" ") as port:
            with pytest.raises(ClientError) as failed:
                Api(f"http://127.0.0.1:{port}").get("/storage/spaces", list[answers.SpaceRow])
            assert failed.value.code == "unreachable"


def read(
    connections: http.Connections, port: int, on_block: Callable[[int], None] = lambda _: None
) -> bytes:
    with connections.send("GET", f"http://127.0.0.1:{port}/", {}) as response:
        return bytes(http.read_body(response, 10**7, on_block))


class dripping:  # noqa: N801 - used like a function
    """A server that sends a head at once and then a little at a time, for ever."""

    def __init__(self, head: bytes, drip: bytes) -> None:
        self._head, self._drip = head, drip
        self._ended = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))

    def __enter__(self) -> int:
        threading.Thread(target=self._run, daemon=True).start()
        return int(self._listener.getsockname()[1])

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._listener.close()

    def _run(self) -> None:
        connection, _ = self._listener.accept()
        with connection:
            try:
                connection.sendall(self._head)
                while not self._ended.wait(0.02):
                    connection.sendall(self._drip)
            except OSError:
                return


class TestOwnMistakes:
    """What is wrong in the program itself ends in one sentence too; the tests see it as it is."""

    @pytest.fixture
    def run(
        self, leader: Computer, monkeypatch: pytest.MonkeyPatch
    ) -> Callable[..., tuple[int, str, str]]:
        """Runs the program as it is installed, with an error in one command."""

        def run(error: str, *arguments: str, **environment: str) -> tuple[int, str, str]:
            program = (
                "import sys; from tessera_client import cli; from tessera_client.commands import"
                f" files\ndef fail(*_): raise {error}\nfiles.parse_place = fail\n"
                f"sys.argv = ['tess', *{list(arguments)!r}]\ncli.main()"
            )
            variables = {"TESSERA_CLIENT_DIR": str(leader.folder), "TESS_NO_KEYRING": "1"}
            done = subprocess.run(
                [sys.executable, "-c", program],
                env={**os.environ, **variables, **environment},
                capture_output=True,
                text=True,
                check=False,
            )
            return done.returncode, done.stdout, done.stderr

        return run

    def test_unexpected_error_is_one_line_with_a_private_log(
        self, run: Callable[..., tuple[int, str, str]], leader: Computer
    ) -> None:
        exit_code, said, complaint = run("KeyError('key')", "ls", "Designs:/", "--json")
        assert exit_code == 1
        assert json.loads(said)["error"] == "unexpected"
        assert len(complaint.splitlines()) == 1
        log = leader.folder / "last-error.txt"
        assert str(log) in complaint
        assert "Traceback" in log.read_text()
        assert log.stat().st_mode & 0o077 == 0

    def test_full_disk_is_named_in_a_sentence(
        self, run: Callable[..., tuple[int, str, str]]
    ) -> None:
        exit_code, said, complaint = run("OSError(28, 'full', '/disk')", "ls", "Designs:/")
        assert (exit_code, said) == (1, "")
        assert complaint == "/disk: No space left on device.\n"

    def test_debug_variable_shows_the_traceback(
        self, run: Callable[..., tuple[int, str, str]]
    ) -> None:
        exit_code, _, complaint = run("KeyError('key')", "ls", "Designs:/", TESS_DEBUG="1")
        assert exit_code == 1
        assert "Traceback" in complaint


# A crash ends the process, so it is one of its own.
_DECODE_AT_ONCE = """
import sys, threading
import msgspec
from tessera_client.transfer.answers import decode_json

sys.setswitchinterval(1e-6)
for _ in range(200):
    inner = msgspec.defstruct("Inner", [("value", int)])
    form = msgspec.defstruct("Outer", [("inner", inner)])
    barrier = threading.Barrier(4)

    def decode():
        barrier.wait()
        decode_json(b'{"inner": {"value": 1}}', form)

    threads = [threading.Thread(target=decode) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
"""


def test_the_first_answers_of_a_form_may_come_in_several_threads() -> None:
    ended = subprocess.run([sys.executable, "-c", _DECODE_AT_ONCE], check=False)
    assert ended.returncode == 0
