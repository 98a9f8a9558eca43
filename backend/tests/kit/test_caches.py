"""Caches keep only short values, whatever clients send."""

from starlette.requests import Request

from tessera.kit import client_ip, i18n, pagination, tokens
from tessera.kit.keys import Keys

LONG = "a" * 100_000


async def test_long_inputs_are_answered_and_not_kept() -> None:
    kept = (tokens._signed, pagination._kept)
    for each in kept:
        each.cache_clear()
    assert tokens.read_token(Keys(b"k" * 32), LONG) is None
    assert i18n.negotiate("tr, " + LONG) is i18n.Language.TR
    query = f"skip=2&other={LONG}".encode()
    asked = Request({"type": "http", "query_string": query, "client": (LONG, 1), "headers": []})
    assert (await pagination.page_request(asked)).skip == 2
    assert client_ip.origin_of(asked, []) == "unknown"
    assert [each.cache_info().currsize for each in kept] == [0, 0]
