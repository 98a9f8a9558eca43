import asyncio
import base64
import os
from pathlib import Path
from typing import Any

import httpx
import pytest

from tessera.kit.database import Connection
from tests.factories.accounts import Factory, Outbox
from tests.factories.people import People
from tests.factories.warehouses import Stored, Warehouses
from tests.fixtures.process import Service
from tests.security.attacker import together
from tests.warehouses.leader import AZURE, FORMS, GOOGLE, S3, SECRETS, Leader

KEY = base64.b64encode(os.urandom(64)).decode()
ELSEWHERE = (
    *("BlobEndpoint=http://169.254.169.254/", "BlobEndpoint=http://localhost:5432"),
    *("EndpointSuffix=evil.test", "EndpointSuffix=core.windows.net@evil.test"),
    *("DefaultEndpointsProtocol=http", "UseDevelopmentStorage=true"),
    *("blobendpoint=http://evil.test", "TableEndpoint=http://evil.test"),
    *("QueueEndpoint=http://evil.test", "SharedAccessSignature=sv=1", "AccountName=twice"),
)
ACCOUNTS = (
    *("evil.test/", "evil.test#", "a@evil.test", "a.evil", "127.0.0.1"),
    *("A", "a/../b", "a%2f", "a b"),
)
GOOGLE_ELSEWHERE = {
    "cert": ("http://evil.test/", "https://www.googleapis.com.evil.test/robot/v1/metadata/x509/a"),
    "clientEmail": ("a@evil.test", "a@b.iam.gserviceaccount.com.evil.test", "a@b@c.iam"),
    "projectId": ("http://evil.test", "../x"),
    "bucketName": ("evil.test/a", "..", "a/../../b", "169.254.169.254", "a?b"),
    "privateKey": ('{"type":"external_account","token_url":"http://evil.test"}', "-----BEGIN"),
    "privateKeyId": ("http://evil.test",),
    "clientId": ("http://evil.test",),
    "folderId": ("../..",),
}
PATHS = (
    *("..", "../other", "a/../../b", "/..", "a/./b", "a//b", "..\\x", "a\\..\\b", "a\x00b"),
    *("a\nb", "\u202e", "x" * 600, ".../../x", "a/.. ", "a/../"),
)


class TestNeverShown:
    async def test_credentials_are_in_no_list_error_check_mail_or_record(
        self, leader: Leader, outbox: Outbox, platform: Connection, make: Factory, people: People
    ) -> None:
        admin = await make.session(await people.admin(), verified=True)
        seen = []
        for form in (
            S3,
            {**S3, "path": "unreachable"},
            {**S3, "path": "readonly"},
            FORMS["dropbox"],
        ):
            added = await leader.call("POST", "/warehouse", json=form)
            assert added.status_code == 200, added.text
            number = added.json()["id"]
            seen.append(added)
            for method, path, more in (
                ("POST", f"/warehouse/health-check/{number}", {}),
                ("PUT", "/warehouse", {"json": {**form, "id": number, "region": "nowhere"}}),
                ("PUT", "/warehouse", {"json": {**form, "id": number, "wareHouseId": 5}}),
                ("PUT", "/warehouse", {"json": {**form, "id": 999_999}}),
                ("POST", "/warehouse", {"json": {**form, "path": "../x"}}),
                ("POST", "/warehouse", {"json": {**form, "nickName": 1}}),
            ):
                seen.append(await leader.call(method, path, **more))
        lists = ("/all", "/all?searchText=canary", "/activity?limit=100", "/activity/export")
        seen += [await leader.call("GET", path) for path in lists]
        detail = f"/company/{leader.company_id}/detail"
        seen.append(await leader.call("GET", detail, headers=admin))
        assert seen[-1].status_code == 200
        text = "".join(answer.text for answer in seen) + str(await outbox.messages())
        for secret in SECRETS.values():
            assert secret not in text
        for table in ("activity", "warehouses", "warehouse_transitions", "messages"):
            rows = str(await platform.fetch(f"SELECT t::text FROM {table} t"))
            assert not any(secret in rows for secret in SECRETS.values())
        revealed = await leader.ok("GET", "/warehouse", params={"warehouseId": added.json()["id"]})
        assert revealed["accessToken"] == SECRETS["accessToken"]

    async def test_nor_the_field_that_a_search_asks_for(self, leader: Leader) -> None:
        await leader.add()
        for query in (
            {"searchText": S3["secret"]},
            {"searchText": S3["accountKey"]},
        ):
            assert (await leader.listed(**query))["item2"] == 0
        for name in ("secret", "accountKey", "sealed", "key_version"):
            answer = await leader.call("GET", "/all", params={"filter": f"{name}:contains:a"})
            assert answer.status_code == 422
            assert (
                await leader.call("GET", "/all", params={"sort": f"{name}:asc"})
            ).status_code == 422


class TestServerSideRequests:
    async def refused(self, leader: Leader, form: dict[str, Any], field: str) -> None:
        answer = await leader.call("POST", "/warehouse", json=form)
        assert answer.status_code == 422, f"{form}: {answer.text}"
        assert list(answer.json()["fields"]) == [field]

    async def test_azure_connection_string_cannot_name_another_host(
        self, leader: Leader, platform: Connection
    ) -> None:
        good = f"AccountName=northwind;AccountKey={KEY}"
        await leader.add(AZURE, accountKey=f"{good};EndpointSuffix=core.windows.net")
        for part in ELSEWHERE:
            for text in (f"{good};{part}", f"{part};{good}"):
                await self.refused(leader, {**AZURE, "accountKey": text}, "accountKey")
        for name in ACCOUNTS:
            text = f"AccountName={name};AccountKey={KEY}"
            await self.refused(leader, {**AZURE, "accountKey": text}, "accountKey")
        assert await platform.fetchval("SELECT count(*) FROM warehouses") == 1

    async def test_google_fields_cannot_name_another_host(self, leader: Leader) -> None:
        for field, values in GOOGLE_ELSEWHERE.items():
            for value in values:
                await self.refused(leader, {**GOOGLE, field: value}, field)

    async def test_regions_and_buckets_cannot_name_another_host(self, leader: Leader) -> None:
        for region in ("us-east-1.evil.test", "us-east-1@evil.test", "169.254.169.254", "x/"):
            await self.refused(leader, {**S3, "region": region}, "region")
        for bucket in ("evil.test/x", "169.254.169.254", "a..b", "a#b"):
            await self.refused(leader, {**S3, "bucketName": bucket}, "bucketName")

    async def test_no_field_names_an_address(self, leader: Leader) -> None:
        for field in ("endpoint", "endpointUrl", "url", "proxy", "tokenUri", "authority"):
            form = {**S3, field: "http://169.254.169.254/"}
            await self.refused(leader, form, field)


class TestPathTraversal:
    async def test_path_traversal_in_object_keys_is_refused(
        self, leader: Leader, tmp_path: Path
    ) -> None:
        for form in FORMS.values():
            for path in PATHS:
                answer = await leader.call("POST", "/warehouse", json={**form, "path": path})
                assert answer.status_code == 422, path
                assert list(answer.json()["fields"]) == ["path"]
        await leader.add(path="/%2e%2e/..%2f..%2fx/")
        written = list(tmp_path.rglob("health-*.json"))  # noqa: ASYNC240
        assert len(written) == 1
        assert written[0].is_relative_to(tmp_path / "clouds" / "s3" / "a-bucket")


class TestRotation:
    async def check(self, platform: Connection, warehouses: Warehouses) -> set[str]:
        """Checks that only one key is left, and that it seals and opens everything."""
        rows = await platform.fetch(
            "SELECT w.id, w.company_id, w.key_version = k.version AS current"
            " FROM warehouses w JOIN data_keys k USING (company_id)"
        )
        assert rows
        assert all(row["current"] for row in rows)
        return {
            (await warehouses.form(Stored(row["id"], row["company_id"])))["secret"] for row in rows
        }

    async def test_against_concurrent_edits_and_another_rotation(
        self, leader: Leader, platform: Connection, warehouses: Warehouses
    ) -> None:
        paths = {(await leader.add(path=path))["id"]: path for path in ("a", "b", "c")}

        async def edit(number: int) -> httpx.Response:
            form = {**S3, "id": number, "path": paths[number], "secret": "EDITED" * 4}
            return await leader.call("PUT", "/warehouse", json=form)

        answers = await together(
            [
                *[lambda: leader.call("PUT", "/company/newkey")] * 2,
                *[lambda number=number: edit(number) for number in paths],
                lambda: leader.call("PUT", "/company/newkey"),
            ]
        )
        assert {answer.status_code for answer in answers} <= {200, 202}
        versions = [a.json()["keyVersion"] for a in answers if "keyVersion" in a.json()]
        assert sorted(versions) == [2, 3, 4]
        assert await self.check(platform, warehouses) == {"EDITED" * 4}

    @pytest.mark.extended
    async def test_killed_key_rotation_loses_no_credentials(
        self,
        service: Service,
        make: Factory,
        people: People,
        platform: Connection,
        warehouses: Warehouses,
    ) -> None:
        team = await people.team(warehouses=True)
        for _ in range(5):
            await warehouses.add(team.company.id)
        headers = await make.session(team.leader, verified=True)
        done = []
        enough = asyncio.Event()

        async def rotate(http: httpx.AsyncClient) -> None:
            while True:
                answer = await http.put("/api/company/newkey", headers=headers)
                done.append(answer.status_code)
                if len(done) > 8:
                    enough.set()

        async with httpx.AsyncClient(base_url=service.address, timeout=30) as http:
            work = [asyncio.create_task(rotate(http)) for _ in range(4)]
            await asyncio.wait_for(enough.wait(), 120)
            service.kill()
            await asyncio.gather(*work, return_exceptions=True)
        assert set(done) == {200}
        assert len(await self.check(platform, warehouses)) == 1
