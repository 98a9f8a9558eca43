"""A user of a running service."""

import httpx

from tests.factories.accounts import User
from tests.fixtures.process import Service, wait_until


def codes(service: Service, user: User) -> list[str]:
    answer = httpx.get(
        f"{service.address}/api/sandbox/outbox", params={"to": user.phone_number}, timeout=30
    )
    return [message["code"] for message in answer.json()]


def log_in(asked: Service, user: User, finished: Service | None = None) -> dict[str, str]:
    """Requests the code from one process and enters it at another, if there is one."""
    before = len(codes(asked, user))
    onboard = httpx.post(
        f"{asked.address}/api/auth/login-onboard", json=user.credentials, timeout=30
    )
    assert onboard.status_code == 200, onboard.text
    wait_until(lambda: len(codes(asked, user)) > before, "the code is sent")
    answer = httpx.post(
        f"{(finished or asked).address}/api/auth/verify-otp",
        json={**user.credentials, "otp": codes(asked, user)[0]},
        timeout=30,
    )
    assert answer.status_code == 200, answer.text
    return {"Authorization": f"Bearer {answer.json()['access_token']}"}


def status(service: Service, headers: dict[str, str]) -> int:
    answer = httpx.get(f"{service.address}/api/auth/login-token", headers=headers, timeout=30)
    return answer.status_code


def log_out(service: Service, headers: dict[str, str]) -> None:
    answer = httpx.post(f"{service.address}/api/auth/logout", headers=headers, timeout=30)
    assert answer.status_code == 204, answer.text
