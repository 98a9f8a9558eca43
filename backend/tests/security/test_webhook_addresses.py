"""Addresses that a webhook must not reach: whatever is not on the public internet."""

import asyncio
import socket
import ssl
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import certifi
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tessera.integrations.webhooks import (
    CannotDeliver,
    check_target,
    is_public,
    loopback_allowed,
    post,
)
from tessera.settings import Mode, Settings
from tests.fixtures.webhook_receiver import Receiver
from tests.warehouses.leader import Leader

PRODUCTION = Settings(mode=Mode.PRODUCTION)
PUBLIC_SANDBOX = Settings(mode=Mode.SANDBOX, sandbox_public=True)
SANDBOX = Settings(mode=Mode.SANDBOX)

NOT_PUBLIC = (
    *("0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "127.9.9.9", "169.254.169.254"),
    *("172.16.0.1", "192.0.0.8", "192.0.2.1", "192.168.1.1", "198.18.0.1", "203.0.113.9"),
    *("224.0.0.1", "240.0.0.1", "255.255.255.255"),
    *("::", "::1", "::7f00:1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254"),
    *("64:ff9b::7f00:1", "64:ff9b:1::1", "100::1", "2001::1", "2001:db8::1", "2002:7f00:1::"),
    *("fc00::1", "fd00:ec2::254", "fe80::1", "fec0::1", "ff02::1"),
)


@pytest.mark.parametrize("address", NOT_PUBLIC)
def test_private_addresses_are_recognised(address: str) -> None:
    assert not is_public(ip_address(address))


@pytest.mark.parametrize(
    "address", ["8.8.8.8", "93.184.216.34", "2606:4700::1111", "::ffff:8.8.8.8"]
)
def test_public_addresses_are_recognised(address: str) -> None:
    assert is_public(ip_address(address))


def test_only_a_sandbox_on_its_own_machine_may_call_itself() -> None:
    allowed = [loopback_allowed(each) for each in (PRODUCTION, PUBLIC_SANDBOX, SANDBOX)]
    assert allowed == [False, False, True]


async def reason(settings: Settings, url: str) -> str:
    with pytest.raises(CannotDeliver) as refused:
        await check_target(settings, url)
    return refused.value.reason.value


@pytest.mark.parametrize("settings", [PRODUCTION, PUBLIC_SANDBOX], ids=["production", "public"])
@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "localhost", "127.1", "2130706433", "0x7f000001", "0", "[::1]",
     "[::ffff:127.0.0.1]", "169.254.169.254", "10.0.0.1:8443"],
)  # fmt: skip
async def test_forms_of_inner_addresses(settings: Settings, host: str) -> None:
    assert await reason(settings, f"https://{host}/hook") == "address_refused"


@pytest.mark.parametrize("host", ["10.0.0.1", "169.254.169.254", "[fd00::1]", "0.0.0.0"])
async def test_the_sandbox_reaches_itself_and_no_other_inner_address(host: str) -> None:
    assert await reason(SANDBOX, f"http://{host}:9000/hook") == "address_refused"


@pytest.mark.parametrize(
    "url",
    ["ftp://8.8.8.8/", "file:///etc/passwd", "//8.8.8.8/", "8.8.8.8", "https://", "https:///x",
     "https://user:word@8.8.8.8/", "https://user@8.8.8.8/", "https://8.8.8.8:22/",
     "https://8.8.8.8:80/", "https://8.8.8.8:65536/", "https://8.8.8.8/#part"],
)  # fmt: skip
async def test_unusable_webhook_urls_are_refused(url: str) -> None:
    for settings in (PRODUCTION, SANDBOX):
        assert await reason(settings, url) == "invalid_url"


async def test_unencrypted_webhook_urls_are_refused() -> None:
    for settings in (PRODUCTION, SANDBOX):
        assert await reason(settings, "http://8.8.8.8/") == "unencrypted"


@pytest.mark.parametrize(
    "url", ["https://8.8.8.8/a?b=c", "https://8.8.8.8:8443/", "https://8.8.8.8:443"]
)
async def test_usable_webhook_urls_are_accepted(url: str) -> None:
    target = await check_target(PRODUCTION, url)
    assert [str(each) for each in target.addresses] == ["8.8.8.8"]


class Names:
    """A resolver with the answers of the test, and a count of the questions."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.addresses: list[str] = []
        self.asked: list[str] = []
        patch.setattr(asyncio.get_running_loop(), "getaddrinfo", self._resolve, raising=False)

    async def _resolve(self, host: Any, port: Any, **_: Any) -> list[Any]:
        if host not in {"hook.example", b"hook.example"}:
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (host, port))]
        self.asked.append(host)
        return [
            (socket.AF_INET6 if ":" in each else socket.AF_INET, socket.SOCK_STREAM, 6, "",
             (each, port))
            for each in self.addresses
        ]  # fmt: skip


@pytest.fixture
async def names(monkeypatch: pytest.MonkeyPatch) -> Names:
    return Names(monkeypatch)


async def test_one_inner_address_among_public_ones(names: Names) -> None:
    names.addresses = ["8.8.8.8", "10.0.0.1"]
    assert await reason(PRODUCTION, "https://hook.example/") == "address_refused"
    names.addresses = ["127.0.0.1", "10.0.0.1"]
    assert await reason(SANDBOX, "https://hook.example/") == "address_refused"


async def test_the_connection_goes_to_the_address_that_was_checked(
    names: Names, receiver: Receiver
) -> None:
    """The name is looked up once, so a second answer cannot lead elsewhere."""
    names.addresses = ["127.0.0.1"]
    url = f"http://hook.example:{receiver.port}/alerts"
    assert await post(SANDBOX, url, {}, b"{}") == 204
    (posted,) = receiver.posted
    assert posted.headers["host"] == f"hook.example:{receiver.port}"
    assert names.asked == ["hook.example"]


class TestTls:
    @pytest.fixture
    def tls_receiver(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
        certificate = tmp_path / "certificate.pem"
        certificate.write_bytes(_certificate("hook.example"))
        monkeypatch.setattr(certifi, "where", lambda: str(certificate))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        receiver = Receiver(context)
        yield receiver
        receiver.close()

    async def test_the_certificate_is_that_of_the_name(
        self, names: Names, tls_receiver: Receiver
    ) -> None:
        names.addresses = ["127.0.0.1"]
        url = f"https://hook.example:{tls_receiver.port}/"
        assert await post(SANDBOX, url, {}, b"{}") == 204

    async def test_certificate_of_another_name_is_refused(self, tls_receiver: Receiver) -> None:
        with pytest.raises(CannotDeliver) as refused:
            await post(SANDBOX, f"https://localhost:{tls_receiver.port}/", {}, b"{}")
        assert refused.value.reason == "tls_failed"
        assert tls_receiver.posted == []


class TestSaving:
    @pytest.fixture
    def changed_settings(self) -> dict[str, Any]:
        return {"sandbox_public": True}

    @pytest.mark.parametrize(
        ("url", "message"),
        [
            ("https://127.0.0.1:9000/", "This host is not on the public internet."),
            ("https://hook.invalid/", "We could not find this host name."),
            ("http://8.8.8.8/", "Use https"),
            ("https://8.8.8.8/\u202e", "Enter an https:// address"),
            ("https://8.8.8.8/a b", "Enter an https:// address"),
        ],
    )
    async def test_webhook_address_is_refused_with_the_reason(
        self, leader: Leader, url: str, message: str
    ) -> None:
        answer = await leader.call("PUT", "/warehouse-alerts/webhook", json={"url": url})
        assert answer.status_code == 422
        assert message in answer.json()["fields"]["url"]
        assert (await leader.ok("GET", "/warehouse-alerts"))["webhook"] is None


def _certificate(name: str) -> bytes:
    """A key with a certificate that it signed itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    return private + certificate.public_bytes(serialization.Encoding.PEM)
