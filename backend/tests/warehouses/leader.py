"""A leader who calls the API, and the warehouse forms."""

from typing import Any

import httpx

from tests.factories.people import Team

SECRETS = {
    "secret": "canaryS3secretKEY0123456789",
    "accountKey": "CANARYACCESSKEY0001",
    "accessToken": "canary-dropbox-token-0001",
}
S3 = {
    "wareHouseId": 3,
    "nickName": "Frankfurt",
    "bucketName": "a-bucket",
    "accountKey": SECRETS["accountKey"],
    "secret": SECRETS["secret"],
    "region": "eu-central-1",
    "path": "tessera",
}
DROPBOX = {"wareHouseId": 1, "accessToken": SECRETS["accessToken"], "path": "Apps/Tessera"}
AZURE = {"wareHouseId": 4, "applicationName": "mirror", "accountKey": "demo", "path": "tessera"}
GOOGLE = {
    "wareHouseId": 5,
    "clientEmail": "tessera@a-project.iam.gserviceaccount.com",
    "clientId": "104263510998877665544",
    "projectId": "a-project",
    "privateKeyId": "3f1c9a7e5b2d4c6f8a0b1c2d3e4f5a6b",
    "privateKey": "demo",
    "bucketName": "an-archive",
    "cert": "https://www.googleapis.com/robot/v1/metadata/x509/tessera%40a-project",
}
FORMS: dict[str, dict[str, Any]] = {
    "s3": S3,
    "dropbox": DROPBOX,
    "azure": AZURE,
    "google": GOOGLE,
}


class Leader:
    def __init__(self, client: httpx.AsyncClient, headers: dict[str, str], team: Team) -> None:
        self._client = client
        self.headers = headers
        self.team = team

    @property
    def company_id(self) -> int:
        return self.team.company.id

    async def call(self, method: str, path: str, **more: Any) -> httpx.Response:
        headers = {**self.headers, **more.pop("headers", {})}
        return await self._client.request(method, f"/api{path}", headers=headers, **more)

    async def ok(self, method: str, path: str, **more: Any) -> Any:
        answer = await self.call(method, path, **more)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def add(self, form: dict[str, Any] = S3, **changes: Any) -> Any:
        return await self.ok("POST", "/warehouse", json={**form, **changes})

    async def listed(self, **query: Any) -> Any:
        return await self.ok("GET", "/all", params=query)

    async def code(self, method: str, path: str, **more: Any) -> tuple[int, str]:
        answer = await self.call(method, path, **more)
        return answer.status_code, answer.json()["code"]
