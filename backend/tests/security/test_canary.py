"""Marked secrets are sent through every call of a running service. Afterwards no log, no file it
wrote and no table of any schema contains one."""

import asyncio
import base64
import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import asyncpg
import httpx
import pytest
from fastapi.routing import APIRoute

from tessera.audit.queries import companies_with_unchained
from tessera.audit.workflows import begin_streams, chain_company
from tessera.kit.database import Connection, Database
from tessera.kit.embedded_postgres import EmbeddedUrls
from tessera.scim.endpoints import router as scim
from tests.factories.accounts import Factory
from tests.factories.people import People
from tests.fixtures.database import PLATFORM_KEY, settings_for
from tests.fixtures.process import Service
from tests.fixtures.trace_collector import TraceCollector
from tests.fixtures.webhook_receiver import Receiver
from tests.identity.issuer import Issuer, issuer
from tests.scim.directory import USER
from tests.security.canary import Marks, search_database, search_files
from tests.security.guest import Guest
from tests.security.walk import LEADER_PHONE, MEMBER_PHONE, Walk
from tests.security.walk_by_provider import walk_by_provider

__all__ = ["issuer"]
pytestmark = pytest.mark.extended

PHONES = (LEADER_PHONE, MEMBER_PHONE)
# All that a span tells besides its name and times.
TRACED = {
    *("http.request.method", "http.route", "http.response.status_code"),
    *("db.system.name", "db.response.returned_rows"),
    *("tessera.bytes", "tessera.objects", "error.type"),
}
SECRET_FIELDS = (
    *("password", "oldPassword", "otp", "token", "ticket", "passphrase", "passPhrase"),
    *("stripeToken", "accessToken", "accountKey", "secret", "privateKey", "clientSecret"),
    "recoveryCode",
)


@pytest.fixture
def marks() -> Marks:
    found = Marks()
    found.keep("platform key", PLATFORM_KEY)
    return found


@pytest.fixture
def service(
    urls: EmbeddedUrls, tmp_path: Path, marks: Marks, collector: TraceCollector
) -> Iterator[Service]:
    service = Service(
        urls,
        tmp_path,
        otlp_endpoint=collector.url,
        registration_password=marks.new("registration password"),
        log_level="debug",
        code_resend_seconds="0",
    )
    service.start()
    yield service
    service.kill()


@pytest.fixture
async def guest(service: Service, marks: Marks) -> AsyncIterator[Guest]:
    async with httpx.AsyncClient(base_url=service.address, timeout=60) as client:
        yield Guest(client, marks)


def named_in(described: dict[str, Any], schema: dict[str, Any], mark: str) -> Any:
    """A body with a mark in each secret field; the other fields are left out."""
    name = schema.get("$ref", "").rpartition("/")[2]
    if name:
        schema = described["components"]["schemas"][name]
    return {
        field: named_in(described, part, mark) if "$ref" in part else mark
        for field, part in schema.get("properties", {}).items()
        if field in SECRET_FIELDS or "$ref" in part
    }


async def send_everywhere(guest: Guest, headers: dict[str, str], role: str) -> int:
    """Sends marks in the body, query, path and headers of every call. `X-Request-Id` and
    `User-Agent` are stored by design and hold no secret."""
    marks = guest.marks
    described = (await guest.ok("GET", "/openapi.json")).json()
    sent = 0
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            call = f"{method} {path}"
            if path.endswith(("logout", "end-all")):
                continue
            content = operation.get("requestBody", {}).get("content", {})
            schema = content.get("application/json", {}).get("schema", {})
            mark = marks.new(f"{role} {call}", 40)
            body = {**named_in(described, schema, mark), "password": mark}
            filled = "/".join(mark if part.startswith("{") else part for part in path.split("/"))
            extra = {
                "X-Signup-Ticket": mark,
                "X-Invite-Token": mark,
                "Stripe-Signature": f"t=1,v1={mark}",
                "Cookie": f"session={mark}",
                "Referer": f"http://console.test/reset-password?token={mark}",
                "Authorization": f"Bearer {mark}",
                "X-Forwarded-For": mark,
            }
            query = dict.fromkeys(SECRET_FIELDS, mark)
            for more in (
                {"params": query, "headers": {**extra, **headers}},
                {"json": body, "headers": {**extra, **headers}},
            ):
                answer = await guest.client.request(method, filled, **more)
                assert answer.status_code < 500, f"{call}: {answer.text}"
                assert mark not in answer.text, call
                sent += 1
    return sent


async def send_to_scim(guest: Guest, token: str) -> int:
    """As `send_everywhere`, with the directory's token and without. What is stored of a person is
    no secret, so that marks are in other attributes."""
    marks, sent = guest.marks, 0
    for route in scim.routes:
        assert isinstance(route, APIRoute)
        for method in sorted(route.methods or ()):
            mark = marks.new(f"SCIM {method} {route.path}", 40)
            path = re.sub(r"{.*?}", mark, route.path)
            body = {"schemas": [USER], "password": mark, "token": mark, "Operations": [mark]}
            extra = {"X-Token": mark, "Cookie": f"session={mark}", "If-Match": mark}
            query = {"access_token": mark, "token": token, "filter": f'password eq "{mark}"'}
            for authorization in (f"Bearer {token}", f"Bearer tscim_1-{mark}", f"Basic {mark}"):
                answer = await guest.client.request(
                    method,
                    f"/scim/v2{path.removeprefix('/scim/v2')}",
                    params=query,
                    json=body,
                    headers={**extra, "Authorization": authorization},
                )
                assert answer.status_code != 500, f"{method} {path}: {answer.text}"
                assert mark not in answer.text, route.path
                sent += 1
    return sent


async def stream_everything(urls: EmbeddedUrls, receiver: Receiver) -> None:
    """What the service's next minute would do."""
    settings = settings_for(urls)
    async with Database(settings) as database:
        async with database.platform.transaction() as connection:
            companies = await companies_with_unchained(connection)
        for company_id in companies:
            await chain_company(database, company_id)
        await begin_streams(database)
    for _ in range(600):
        if any(b"invite.cancelled" in each.body for each in receiver.posted):
            return
        await asyncio.sleep(0.1)
    raise AssertionError("the activity is not sent")


def test_the_search_knows_every_spelling() -> None:
    marks = Marks()
    mark = marks.new("planted")
    for text in (
        f"password={mark}&",
        f"\\x00{mark.encode().hex()}00",
        *(base64.b64encode(b"." * start + mark.encode() + b"..").decode() for start in range(4)),
    ):
        assert marks.found_in(text, "a table") == ["planted 0 in a table"]
    assert marks.found_in(mark[:-1], "a table") == []
    marks.keep("code", "123456")
    assert marks.found_in('{"ms": 4, "at": "07:15:00.123456Z", "id": "x123456"}', "log") == []
    assert marks.found_in('{"code": "123456"}', "log") == ["code 1 in log"]


async def test_no_secret_is_logged_or_kept(
    service: Service,
    guest: Guest,
    marks: Marks,
    make: Factory,
    people: People,
    urls: EmbeddedUrls,
    tmp_path: Path,
    receiver: Receiver,
    collector: TraceCollector,
    issuer: Issuer,
    platform: Connection,
) -> None:
    walk = Walk(guest)
    await walk.sign_up(registration(marks))
    await walk.invite()
    await walk.change_passwords()
    await walk.verify_access()
    await walk.connect_warehouses()
    await walk.keep_passphrase()
    await walk.pay()
    await walk.stream_activity(receiver.url)
    await walk.use_api_token()
    scim_token = await walk.provision()
    await walk_by_provider(walk, issuer, platform)
    await walk.set_policies()
    await walk.add_authenticator()
    assert await send_to_scim(guest, scim_token) > 60
    await stream_everything(urls, receiver)
    posted = "\n".join(f"{each.path}{each.headers}{each.body!r}" for each in receiver.posted)
    assert "SCIM" in posted
    assert "apiToken.called" in posted
    assert marks.found_in(posted, "webhook") == []
    sessions = {
        "guest": {},
        "leader": walk.leader,
        "admin": await make.session(await people.admin(), verified=True),
    }
    for role, headers in sessions.items():
        assert await send_everywhere(guest, headers, role) > 120
    owner: Connection = await asyncpg.connect(urls.superuser)
    try:
        # When every call fails, the log gives the reason, but still no secret.
        await owner.execute("ALTER TABLE counters RENAME TO gone")
        for call in ("login-onboard", "verify-otp"):
            body = {"emailAddress": "a@b.test", "password": marks.derived("failing")}
            body |= {"otp": "123456"} if call == "verify-otp" else {}
            assert (await guest.call("POST", f"/auth/{call}", json=body)).status_code == 500
        await owner.execute("ALTER TABLE gone RENAME TO counters")
        found = await search_database(owner, marks)
        # Allowed marks are found, which proves that the search works.
        planted = await search_database(owner, marks.forbidden_everywhere())
    finally:
        await owner.close()
    assert "request failed" in service.log
    assert found == []
    assert any("code" in each for each in planted)
    assert any("card token" in each for each in planted)
    assert search_files(tmp_path, marks) == []
    service.stop()
    traces = collector.text
    assert marks.found_in(traces, "traces") == []
    for personal in (walk.email, str(walk.uid), str(walk.cid), *PHONES, "@", "127.0.0.1", "SELECT"):
        assert personal not in traces
    for kind in ("POST /api/auth/login-onboard", "query ", "workflow ", "step ", "cloud s3 write"):
        assert any(span.name.startswith(kind) for span in collector.spans), kind
    assert {key for span in collector.spans for key in span.attributes} <= TRACED


def registration(marks: Marks) -> str:
    return next(
        text for name, (text, _) in marks.known.items() if name.startswith("registration password")
    )
