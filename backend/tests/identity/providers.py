"""The calls by which a leader sets providers up."""

from typing import Any

import httpx

from tests.identity.issuer import CLIENT_ID, SECRET, Issuer


async def add_provider(client: httpx.AsyncClient, leader: dict[str, str], name: str) -> str:
    """Returns its UUID."""
    added = await client.post("/api/identity/sso/providers", json={"name": name}, headers=leader)
    assert added.status_code == 201, added.text
    uuid: str = added.json()["uuid"]
    return uuid


def settings_of(issuer: Issuer | str, name: str = "Main", **others: Any) -> dict[str, Any]:
    url = issuer if isinstance(issuer, str) else issuer.url
    return {
        "name": name, "issuer": url, "clientId": CLIENT_ID, "clientSecret": SECRET,
        **others,
    }  # fmt: skip


async def save_provider(
    client: httpx.AsyncClient, leader: dict[str, str], uuid: str, body: dict[str, Any]
) -> httpx.Response:
    return await client.put(f"/api/identity/sso/providers/{uuid}", json=body, headers=leader)


async def set_up_provider(
    client: httpx.AsyncClient, leader: dict[str, str], issuer: Issuer, name: str = "Main"
) -> str:
    """Returns its UUID."""
    uuid = await add_provider(client, leader, name)
    saved = await save_provider(client, leader, uuid, settings_of(issuer, name))
    assert saved.status_code == 200, saved.text
    return uuid


async def remove_provider(
    client: httpx.AsyncClient, leader: dict[str, str], uuid: str
) -> httpx.Response:
    return await client.delete(f"/api/identity/sso/providers/{uuid}", headers=leader)
