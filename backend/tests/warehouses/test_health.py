"""What a health check reports, and when it writes the file."""

import asyncio
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import pytest
from fastapi import FastAPI

from tessera.integrations.clouds import CloudError, ConnectionFailure
from tessera.kit import clock
from tessera.kit.data_keys import key_ring
from tessera.kit.encryption import KeyRing
from tessera.kit.keys import Keys
from tessera.kit.workflows import Resources
from tessera.warehouses.enums import Status
from tessera.warehouses.health import files
from tessera.warehouses.health import service as health_checks
from tessera.warehouses.health.queries import DueWarehouse
from tessera.warehouses.health.service import Finding, Subject, check
from tests.clouds import provider_types


class StandIn:
    """A cloud in memory that counts its calls."""

    def __init__(self) -> None:
        self.content: bytes | None = None
        self.reads = 0
        self.writes = 0
        self.failure: ConnectionFailure | None = None
        self.forgetful = False
        self.delay = 0.0

    def open(self, type: int, form: Mapping[str, str]) -> "StandIn":  # noqa: A002
        return self

    async def read(self, path: str) -> bytes | None:
        self.reads += 1
        await asyncio.sleep(self.delay)
        if self.failure:
            raise CloudError(self.failure)
        assert path == ".tessera/health-11.json"
        return self.content

    async def write(self, path: str, content: bytes) -> None:
        assert path == ".tessera/health-11.json"
        self.writes += 1
        if self.failure:
            raise CloudError(self.failure)
        if not self.forgetful:
            self.content = content


@pytest.fixture
def cloud(monkeypatch: pytest.MonkeyPatch) -> StandIn:
    stand_in = StandIn()
    monkeypatch.setattr(health_checks, "clouds", lambda _: stand_in)
    return stand_in


@pytest.fixture
def resources(app: FastAPI) -> Resources:
    resources: Resources = app.state.resources
    return resources


def subject(**changes: Any) -> Subject:
    values: dict[str, Any] = {
        "id": 11,
        "type": provider_types.S3,
        "sealed": b"",
        "revision": 1,
        "key_version": 3,
        "health_written_at": None,
        "health_version": 3,
    }
    return Subject(7, DueWarehouse(**{**values, **changes}), {"path": "x"})


def file(
    resources: Resources,
    *,
    age: timedelta = timedelta(0),
    ring: KeyRing | None = None,
    **changes: Any,
) -> bytes:
    values: dict[str, Any] = {
        "company": 7,
        "warehouse": 11,
        "key_version": 3,
        "written_at": clock.now() - age,
    }
    return files.encode(ring or key_ring(resources), files.HealthFile(**{**values, **changes}))


def said(finding: Finding) -> tuple[int, str | None]:
    return finding.status.value, finding.cause.value if finding.cause else None


@pytest.mark.spec("3.10", "4.33")
class TestReading:
    async def test_a_good_file_is_active_and_nothing_is_written(
        self, resources: Resources, cloud: StandIn
    ) -> None:
        cloud.content = file(resources, age=timedelta(hours=23))
        assert said(await check(resources, subject())) == (2, None)
        assert (cloud.reads, cloud.writes) == (1, 0)

    async def test_missing_health_file_is_reported(
        self, resources: Resources, cloud: StandIn
    ) -> None:
        assert said(await check(resources, subject())) == (1, "health_missing")
        assert cloud.writes == 0

    @pytest.mark.parametrize("changes", [{"warehouse": 12}, {"company": 8}])
    async def test_a_file_of_another_warehouse(
        self, resources: Resources, cloud: StandIn, changes: dict[str, Any]
    ) -> None:
        cloud.content = file(resources, **changes)
        assert said(await check(resources, subject())) == (1, "health_invalid")

    @pytest.mark.parametrize(
        "content",
        [b"", b"{}", b"[]", b"null", b"\xff\xfe", b'{"signature": 1}', b"[" * 100_000, b"x" * 9999],
    )
    async def test_rubbish_instead_of_a_health_file_is_reported(
        self, resources: Resources, cloud: StandIn, content: bytes
    ) -> None:
        cloud.content = content
        assert said(await check(resources, subject())) == (1, "health_invalid")

    async def test_changed_claim_of_a_health_file_is_noticed(
        self, resources: Resources, cloud: StandIn
    ) -> None:
        good = file(resources)
        for old, new in (
            (b'"keyVersion": 3', b'"keyVersion": 4'),
            (b'"warehouse": 11', b'"warehouse": 11, "more": 1'),
            (b"tessera-health/1", b"tessera-health/2"),
        ):
            assert old in good
            cloud.content = good.replace(old, new)
            assert said(await check(resources, subject())) == (1, "health_invalid")

    async def test_health_file_of_another_platform_is_refused(
        self, resources: Resources, cloud: StandIn
    ) -> None:
        cloud.content = file(resources, ring=KeyRing(Keys(b"x" * 32)))
        assert said(await check(resources, subject())) == (1, "health_invalid")

    async def test_an_older_file_put_back(self, resources: Resources, cloud: StandIn) -> None:
        cloud.content = file(resources, age=timedelta(hours=5))
        known = clock.now() - timedelta(hours=1)
        assert said(await check(resources, subject(health_written_at=known))) == (1, "health_stale")

    async def test_a_newer_file_than_was_noted(self, resources: Resources, cloud: StandIn) -> None:
        """The process died between writing the file and recording it."""
        cloud.content = file(resources)
        found = await check(resources, subject(health_written_at=clock.now() - timedelta(hours=5)))
        assert found.status is Status.ACTIVE
        assert found.file is not None
        assert clock.now() - found.file.written_at < timedelta(minutes=1)


class TestWriting:
    async def test_a_file_older_than_a_day_is_rewritten(
        self, resources: Resources, cloud: StandIn
    ) -> None:
        cloud.content = file(resources, age=timedelta(hours=25))
        assert said(await check(resources, subject())) == (2, None)
        assert (cloud.reads, cloud.writes) == (2, 1)
        assert said(await check(resources, subject())) == (2, None)
        assert cloud.writes == 1

    async def test_a_file_of_another_key_version_is_rewritten(
        self, resources: Resources, cloud: StandIn
    ) -> None:
        cloud.content = file(resources, key_version=2)
        assert said(await check(resources, subject())) == (2, None)
        assert cloud.writes == 1

    @pytest.mark.parametrize("version", [None, 2])
    async def test_when_it_is_wanted_it_is_written_without_reading_first(
        self, resources: Resources, cloud: StandIn, version: int | None
    ) -> None:
        found = await check(resources, subject(health_version=version))
        assert said(found) == (2, None)
        assert (cloud.reads, cloud.writes) == (1, 1)
        assert found.file is not None
        assert found.file.key_version == 3

    async def test_a_cloud_that_forgets(self, resources: Resources, cloud: StandIn) -> None:
        cloud.forgetful = True
        assert said(await check(resources, subject(health_version=None))) == (1, "health_missing")
        cloud.content = file(resources, age=timedelta(hours=3))
        assert said(await check(resources, subject(health_version=None))) == (1, "health_stale")

    @pytest.mark.parametrize("failure", list(ConnectionFailure))
    async def test_failure_to_write_a_health_file_keeps_its_name(
        self, resources: Resources, cloud: StandIn, failure: ConnectionFailure
    ) -> None:
        cloud.failure = failure
        for version in (None, 3):
            found = await check(resources, subject(health_version=version))
            assert said(found) == (0, failure.value)


class TestTime:
    @pytest.fixture
    def changed_settings(self) -> dict[str, Any]:
        return {"warehouse_check_seconds": 0.1}

    async def test_a_cloud_that_never_answers_is_unreachable(
        self, resources: Resources, cloud: StandIn
    ) -> None:
        cloud.delay = 30
        assert said(await check(resources, subject())) == (0, "unreachable")


class TestAfterAChangeOfThePlatformKey:
    OLD = b"o" * 32

    @pytest.fixture
    def changed_settings(self) -> dict[str, Any]:
        from base64 import b64encode

        return {"platform_key_old": b64encode(self.OLD).decode()}

    async def test_a_file_of_the_old_key_is_genuine_and_rewritten(
        self, resources: Resources, cloud: StandIn
    ) -> None:
        cloud.content = file(resources, ring=KeyRing(Keys(self.OLD)))
        known: datetime = clock.now() - timedelta(hours=1)
        assert said(await check(resources, subject(health_written_at=known))) == (2, None)
        assert cloud.writes == 1
        assert said(await check(resources, subject())) == (2, None)
        assert cloud.writes == 1
