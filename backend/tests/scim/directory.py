"""A company's directory, which calls the service by SCIM."""

from dataclasses import dataclass
from typing import Any

import httpx

from tests.factories.people import Team

USER = "urn:ietf:params:scim:schemas:core:2.0:User"
GROUP = "urn:ietf:params:scim:schemas:core:2.0:Group"
PATCH = "urn:ietf:params:scim:api:messages:2.0:PatchOp"


@dataclass(frozen=True)
class Directory:
    client: httpx.AsyncClient
    team: Team
    token: str
    # The leader's session, with verified access.
    leader: dict[str, str]

    async def call(self, method: str, path: str, body: Any = None, **more: Any) -> httpx.Response:
        headers = {"Authorization": f"Bearer {self.token}", **more.pop("headers", {})}
        return await self.client.request(
            method, f"/scim/v2{path}", json=body, headers=headers, **more
        )

    async def get(self, path: str, **params: Any) -> httpx.Response:
        return await self.call("GET", path, params=params)

    async def add(self, login: str, **more: Any) -> dict[str, Any]:
        answer = await self.call("POST", "/Users", person(login, **more))
        assert answer.status_code == 201, answer.text
        user: dict[str, Any] = answer.json()
        return user

    async def patch(self, user: dict[str, Any], *operations: dict[str, Any]) -> httpx.Response:
        body = {"schemas": [PATCH], "Operations": list(operations)}
        kind = user["meta"]["resourceType"]
        return await self.call("PATCH", f"/{kind}s/{user['id']}", body)

    async def find(self, address: str) -> dict[str, Any]:
        found = (await self.get("/Users", filter=f'userName eq "{address}"')).json()
        assert found["totalResults"] == 1, found
        user: dict[str, Any] = found["Resources"][0]
        return user


def person(login: str, **more: Any) -> dict[str, Any]:
    return {
        "schemas": [USER],
        "userName": f"{login}@company.test",
        "name": {"givenName": login.capitalize(), "familyName": "Yilmaz"},
        "emails": [{"value": f"{login}@company.test", "type": "work", "primary": True}],
        "active": True,
        **more,
    }


def replace(path: str, value: Any) -> dict[str, Any]:
    return {"op": "replace", "path": path, "value": value}


def refusal(answer: httpx.Response) -> tuple[int, str | None]:
    body = answer.json()
    assert answer.headers["content-type"] == "application/scim+json"
    assert body["schemas"] == ["urn:ietf:params:scim:api:messages:2.0:Error"]
    assert body["status"] == str(answer.status_code)
    assert body["detail"]
    return answer.status_code, body.get("scimType")
