"""Signing with RSA is slow, so links are signed outside the event loop with a key parsed once."""

import threading
from typing import Any

import pytest
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from tessera.integrations.clouds import Link, LinkTarget, google
from tessera.integrations.clouds.live import LiveClouds
from tessera.settings import Settings
from tests.clouds import provider_types
from tests.clouds.google_api import new_key, pem
from tests.clouds.links import new_path
from tests.clouds.test_secrecy import FORMS

TARGETS = [LinkTarget(new_path()) for _ in range(20)]


@pytest.fixture
def form() -> dict[str, str]:
    """With a key that no other test has."""
    return {**FORMS[provider_types.GOOGLE], "private_key": pem(new_key())}


async def make_links(form: dict[str, str]) -> list[Link]:
    cloud = LiveClouds(Settings(_env_file=None)).open(provider_types.GOOGLE, form)
    made = await cloud.links(TARGETS, seconds=900)
    assert all(isinstance(link, Link) for link in made)
    return made  # type: ignore[return-value]


async def test_nothing_is_signed_on_the_event_loop(
    form: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    key = google._private_key(form["private_key"])
    threads: list[threading.Thread] = []

    class Watched:
        def sign(self, *given: Any) -> bytes:
            threads.append(threading.current_thread())
            return key.sign(*given)

    monkeypatch.setattr(google, "_private_key", lambda _: Watched())
    await make_links(form)
    assert len(threads) == len(TARGETS)
    assert threading.current_thread() not in threads
    assert len(set(threads)) <= 2


async def test_a_key_is_parsed_once(form: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[bytes] = []
    parse = load_pem_private_key

    def watched(data: bytes, **given: Any) -> Any:
        parsed.append(data)
        return parse(data, **given)

    monkeypatch.setattr(google, "load_pem_private_key", watched)
    for _ in range(2):
        await make_links(form)
    assert len(parsed) == 1


def test_the_number_of_parsed_keys_is_bounded() -> None:
    assert google._private_key.cache_info().maxsize == google.MAX_KEYS
