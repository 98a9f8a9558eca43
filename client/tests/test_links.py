from datetime import UTC, datetime

import httpx
import pytest

from client.tests.transport import MemoryTransport
from tessera_client.errors import ClientError, Refused, WrongUsage
from tessera_client.transfer import links
from tessera_client.transfer.answers import Link
from tessera_client.transfer.api import normalize_origin
from tessera_client.transfer.links import Bandwidth, WarehouseError, Warehouses, parse_rate

ORIGIN = "http://127.0.0.1:8000"


def link(url: str, method: str = "GET", headers: dict[str, str] | None = None) -> Link:
    return Link(method, url, headers or {}, datetime.now(UTC))


class TestCheck:
    @pytest.mark.parametrize(
        "url",
        [
            "https://bucket.s3.eu-central-1.amazonaws.com/object",
            "https://account.blob.core.windows.net/container/object",
            "https://storage.googleapis.com/bucket/object",
            "https://content.dropboxapi.com/apitul/1/abc",
            "https://uc1.dl.dropboxusercontent.com/object",
            "https://bucket.s3.amazonaws.com:443/object?X-Amz-Date=1&a=%2F~",
            "https://storage.example/object",
            "https://storage.example:443/object",
            "https://minio.example:9000/object",
            f"{ORIGIN}/sandbox/objects/x",
        ],
    )
    def test_providers_the_own_origin_and_confirmed_hosts_pass(self, url: str) -> None:
        Warehouses(ORIGIN, ["storage.example", "MinIO.example:9000"]).check(link(url))

    @pytest.mark.parametrize(
        "url",
        [
            "http://bucket.s3.eu-central-1.amazonaws.com/object",
            "https://amazonaws.com.evil.example/object",
            "https://evilamazonaws.com/object",
            "https://192.168.0.1/object",
            "http://127.0.0.1:8001/object",
            "http://storage.example/object",
            "file:///etc/passwd",
            "https://storage.example:9000/object",
            "https://minio.example/object",
            "https://bucket.s3.amazonaws.com:8443/object",
            "https://bucket.s3.amazonaws.com:0443/object",
            "https://s3.amazonaws.com@evil.example/object",
            "https://user@bucket.s3.amazonaws.com/object",
            "https://user:secret@127.0.0.1:8000/object",
            "http://127.0.0.1:8000@evil.example/object",
            "https://evil.example\\.s3.amazonaws.com/object",
            "https://evil.example\\@s3.amazonaws.com/object",
            "https://evil.example#.s3.amazonaws.com/object",
            "https://evil.example?.s3.amazonaws.com/object",
            "https://bucket.s3.amazonaws.com/object#fragment",
            "https://bucket.s3.amazonaws.com/a b",
            "https://bucket.s3.amazonaws.com/object\r\nHost: evil.example",
            "https://bucket.s3.amazonaws.com/object\n",
            "https://bucket.s3.amazonaws.com./object",
            "https://.amazonaws.com/object",
            "https://a..amazonaws.com/object",
            "https://BUCKET.S3.AMAZONAWS.COM/object",
            "https://bucket.s3.ａmazonaws.com/object",
            "https://аmazonaws.com/object",
            "https://evil。s3.amazonaws.com/object",
            "https://[::1]/object",
            "https://[::ffff:1.2.3.4]/object",
            "https:bucket.s3.amazonaws.com/object",
            "https:///bucket.s3.amazonaws.com/object",
            "//bucket.s3.amazonaws.com/object",
            "",
        ],
    )
    def test_other_hosts_and_plain_http_are_refused(self, url: str) -> None:
        with pytest.raises(Refused) as refused:
            Warehouses(ORIGIN, ["storage.example"]).check(link(url))
        assert refused.value.code == "link_host_refused"

    def test_the_own_origin_on_ipv6(self) -> None:
        Warehouses("http://[::1]:8000").check(link("http://[::1]:8000/objects/x"))

    @pytest.mark.parametrize(
        ("method", "headers"),
        [
            ("DELETE", {}),
            ("GET /other HTTP/1.1\r\nX:", {}),
            ("GET", {"Host": "evil.example"}),
            ("PUT", {"transfer-encoding": "chunked"}),
            ("PUT", {"Content-Length": "0"}),
            ("GET", {"X-Name": "value\r\nHost: evil.example"}),
            ("GET", {"X Name": "value"}),
            ("GET", {"X-Name": "\u0131"}),
        ],
    )
    def test_links_that_change_the_request_are_refused(
        self, method: str, headers: dict[str, str]
    ) -> None:
        with pytest.raises(Refused):
            Warehouses(ORIGIN).check(link(f"{ORIGIN}/x", method, headers))


class TestRequests:
    def answering(self, *answers: httpx.Response | Exception) -> tuple[Warehouses, list[str]]:
        waiting, seen = list(answers), list[str]()

        def answer(request: httpx.Request) -> httpx.Response:
            seen.append(request.headers.get("range", ""))
            given = waiting.pop(0)
            if isinstance(given, Exception):
                raise given
            return given

        return Warehouses(ORIGIN, transport=MemoryTransport(answer)), seen

    @pytest.fixture(autouse=True)
    def without_pauses(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(links, "backoff", lambda _: 0)

    def test_failures_that_may_pass_are_tried_again(self) -> None:
        warehouses, seen = self.answering(
            httpx.Response(500),
            httpx.Response(429),
            httpx.ReadTimeout("stalled"),
            httpx.Response(200, content=b"object"),
        )
        assert warehouses.download(link(f"{ORIGIN}/x")) == b"object"
        assert len(seen) == 4

    @pytest.mark.parametrize("status", [302, 403, 404, 412])
    def test_refusals_and_redirects_are_not(self, status: int) -> None:
        warehouses, seen = self.answering(
            httpx.Response(status, headers={"location": f"{ORIGIN}/other"})
        )
        with pytest.raises(WarehouseError) as failed:
            warehouses.download(link(f"{ORIGIN}/x"))
        assert failed.value.status == status
        assert len(seen) == 1

    def test_a_range_is_cut_out_if_the_whole_object_comes(self) -> None:
        warehouses, seen = self.answering(httpx.Response(200, content=b"0123456789"))
        assert warehouses.download(link(f"{ORIGIN}/x"), start=2, size=3) == b"234"
        assert seen == ["bytes=2-4"]

    def test_an_object_that_is_too_long_is_given_up(self) -> None:
        content = bytes(links.MAX_OBJECT_BYTES + 1)
        warehouses, seen = self.answering(httpx.Response(200, content=content))
        with pytest.raises(WarehouseError):
            warehouses.download(link(f"{ORIGIN}/x"))
        assert len(seen) == 1


def test_transfers_wait_for_their_bandwidth() -> None:
    pauses: list[float] = []
    limit = Bandwidth(1000, clock=lambda: 7.0, sleep=pauses.append)
    for _ in range(3):
        limit.wait(500)
    assert pauses == [0.5, 1.0, 1.5]


@pytest.mark.parametrize(
    ("text", "rate"), [("500K", 500_000), ("2M", 2_000_000), ("1.5MB", 1_500_000)]
)
def test_rates_are_parsed_with_their_unit(text: str, rate: int) -> None:
    assert parse_rate(text) == rate


@pytest.mark.parametrize("text", ["", "fast", "-1", "0"])
def test_texts_that_are_no_rates(text: str) -> None:
    with pytest.raises(ClientError):
        parse_rate(text)


class TestOrigin:
    def test_service_without_tls_is_refused_except_on_loopback(self) -> None:
        assert normalize_origin("tessera.example/x") == "https://tessera.example"
        assert normalize_origin("http://127.0.0.1:8000/") == "http://127.0.0.1:8000"
        for address in ("http://tessera.example", "ftp://x", "https://", "https://a@b"):
            with pytest.raises(WrongUsage):
                normalize_origin(address)
