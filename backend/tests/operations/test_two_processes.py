"""Two processes on one database, as behind a proxy, share sessions, limits and work."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from tessera.kit.database import Connection
from tessera.kit.embedded_postgres import EmbeddedUrls
from tests.factories.accounts import Factory, User, derived_secret
from tests.fixtures.process import Service, wait_until
from tests.operations.people import codes, log_in, log_out, status

pytestmark = [pytest.mark.extended, pytest.mark.timeout(300)]


@pytest.fixture
def pair(urls: EmbeddedUrls, tmp_path: Path) -> Iterator[tuple[Service, Service]]:
    services = []
    for name in ("one", "two"):
        folder = tmp_path / name
        folder.mkdir()
        service = Service(urls, folder, code_resend_seconds="0")
        service.start()
        services.append(service)
    yield services[0], services[1]
    for service in services:
        service.kill()


async def test_sessions_limits_and_work_are_shared(
    pair: tuple[Service, Service], make: Factory, platform: Connection
) -> None:
    one, two = pair
    user = await make.user()

    headers = log_in(one, user, finished=two)
    assert (status(one, headers), status(two, headers)) == (200, 200)
    log_out(one, headers)
    assert status(two, headers) == 401

    try_wrong_passwords(pair, await make.user())

    people = [await make.user() for _ in range(12)]
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda pair_of: ask(*pair_of), zip(people, (one, two) * 6, strict=True)))
    wait_until(lambda: all(codes(one, person) for person in people), "every code is sent")
    assert [len(codes(two, person)) for person in people] == [1] * 12

    last = await make.user()
    two.kill()
    log_in(one, last)


def ask(user: User, service: Service) -> None:
    answer = httpx.post(
        f"{service.address}/api/auth/login-onboard", json=user.credentials, timeout=30
    )
    assert answer.status_code == 200, answer.text


def try_wrong_passwords(pair: tuple[Service, Service], user: User) -> None:
    """Ten wrong passwords lock the account, whichever process they were sent to."""
    wrong = {**user.credentials, "password": derived_secret()}
    answers = [
        httpx.post(f"{pair[number % 2].address}/api/auth/login-onboard", json=wrong, timeout=30)
        for number in range(11)
    ]
    assert [answer.status_code for answer in answers] == [401] * 10 + [429]
