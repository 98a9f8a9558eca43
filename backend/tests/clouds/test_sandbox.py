import subprocess
import sys
import time
from pathlib import Path

import pytest

from tessera.integrations.clouds import (
    Cloud,
    CloudError,
    ConnectionFailure,
    MalformedCredentials,
    clouds,
)
from tessera.integrations.clouds.live import LiveClouds
from tessera.integrations.clouds.sandbox import SandboxClouds
from tessera.integrations.clouds.sandbox_links import SandboxLinks
from tessera.settings import Mode, Settings
from tests.clouds import provider_types
from tests.clouds.client import BACKEND
from tests.clouds.test_secrecy import FORMS
from tests.fixtures.database import PLATFORM_KEY

KINDS = provider_types.ALL
LINKS = SandboxLinks(
    Settings(_env_file=None, platform_key=PLATFORM_KEY, public_url="http://console.test")
)


@pytest.fixture
def sandbox(tmp_path: Path) -> SandboxClouds:
    return SandboxClouds(tmp_path / "clouds", LINKS, slow_seconds=0.3)


def with_(kind: int, **changes: str) -> dict[str, str]:
    return {**FORMS[kind], **changes}


def names_in(folder: Path) -> list[str]:
    return [each.name for each in folder.iterdir()]


async def causes(cloud: Cloud) -> tuple[ConnectionFailure, ConnectionFailure]:
    with pytest.raises(CloudError) as reading:
        await cloud.read("a.json")
    with pytest.raises(CloudError) as writing:
        await cloud.write("a.json", b"tile")
    return reading.value.failure, writing.value.failure


class TestChoice:
    def test_the_sandbox_keeps_everything_under_its_folder(self, tmp_path: Path) -> None:
        assert isinstance(clouds(Settings(_env_file=None, data_dir=tmp_path)), SandboxClouds)

    def test_production_goes_to_the_providers(self) -> None:
        assert isinstance(clouds(Settings(_env_file=None, mode=Mode.PRODUCTION)), LiveClouds)


class TestSandboxClouds:
    @pytest.mark.parametrize("kind", KINDS)
    async def test_sandbox_cloud_keeps_objects(self, sandbox: SandboxClouds, kind: int) -> None:
        cloud = sandbox.open(kind, FORMS[kind])
        await cloud.write(".tessera/health.json", b"first")
        assert await cloud.read(".tessera/other.json") is None
        await cloud.write(".tessera/health.json", b"second")
        assert await sandbox.open(kind, FORMS[kind]).read(".tessera/health.json") == b"second"
        elsewhere = sandbox.open(kind, with_(kind, path="elsewhere"))
        await elsewhere.write("a.json", b"tile")
        assert await elsewhere.read(".tessera/health.json") is None

    @pytest.mark.parametrize("kind", KINDS)
    async def test_health_file_alone_creates_the_bucket(
        self, sandbox: SandboxClouds, kind: int, tmp_path: Path
    ) -> None:
        cloud = sandbox.open(kind, FORMS[kind])
        for call in (cloud.read("a.json"), cloud.write(".tessera/v1/a", b"tile")):
            with pytest.raises(CloudError) as raised:
                await call
            assert raised.value.failure is ConnectionFailure.NO_SUCH_BUCKET
        assert not (tmp_path / "clouds").exists()

    @pytest.mark.parametrize("kind", KINDS)
    async def test_sandbox_cloud_reports_a_wrong_secret(
        self, sandbox: SandboxClouds, kind: int
    ) -> None:
        name = "private_key" if kind == provider_types.GOOGLE else None
        name = name or ("access_token" if kind == provider_types.DROPBOX else "account_key")
        cloud = sandbox.open(kind, with_(kind, **{name: "wrong"}))
        assert await causes(cloud) == (ConnectionFailure.WRONG_KEY,) * 2

    @pytest.mark.parametrize("kind", KINDS)
    async def test_sandbox_cloud_reports_that_it_is_unreachable(
        self, sandbox: SandboxClouds, kind: int
    ) -> None:
        cloud = sandbox.open(kind, with_(kind, path="a/unreachable"))
        assert await causes(cloud) == (ConnectionFailure.UNREACHABLE,) * 2

    @pytest.mark.parametrize("kind", KINDS)
    async def test_sandbox_cloud_reports_a_read_only_key(
        self, sandbox: SandboxClouds, kind: int
    ) -> None:
        cloud = sandbox.open(kind, with_(kind, path="readonly"))
        with pytest.raises(CloudError) as raised:
            await cloud.write("a.json", b"tile")
        assert raised.value.failure is ConnectionFailure.NO_WRITE_PERMISSION

    @pytest.mark.parametrize(
        ("kind", "field"),
        [
            (provider_types.S3, "bucket_name"),
            (provider_types.AZURE, "application_name"),
            (provider_types.GOOGLE, "bucket_name"),
        ],
    )
    async def test_sandbox_cloud_reports_a_missing_bucket(
        self, sandbox: SandboxClouds, kind: int, field: str
    ) -> None:
        cloud = sandbox.open(kind, with_(kind, **{field: "missing"}))
        assert await causes(cloud) == (ConnectionFailure.NO_SUCH_BUCKET,) * 2

    async def test_sandbox_cloud_reports_a_wrong_region(self, sandbox: SandboxClouds) -> None:
        cloud = sandbox.open(provider_types.S3, with_(provider_types.S3, region="wrong"))
        assert await causes(cloud) == (ConnectionFailure.WRONG_REGION,) * 2

    @pytest.mark.parametrize("path", ["", "  ", "/"])
    async def test_sandbox_cloud_keeps_objects_in_its_root(
        self, sandbox: SandboxClouds, path: str
    ) -> None:
        cloud = sandbox.open(provider_types.GOOGLE, with_(provider_types.GOOGLE, path=path))
        await cloud.write("a.json", b"tile")
        assert await cloud.read("a.json") == b"tile"

    async def test_a_slow_one_answers_late(self, sandbox: SandboxClouds) -> None:
        cloud = sandbox.open(provider_types.S3, with_(provider_types.S3, path="slow"))
        begun = time.monotonic()
        await cloud.write("a.json", b"tile")
        assert time.monotonic() - begun >= 0.3

    async def test_a_fault_mode_applies_to_all_of_them(
        self, sandbox: SandboxClouds, tmp_path: Path
    ) -> None:
        cloud = sandbox.open(provider_types.S3, FORMS[provider_types.S3])
        await cloud.write("a.json", b"before")
        fault_mode = tmp_path / "clouds" / "fault_mode"
        fault_mode.write_text("unreachable")
        assert await causes(cloud) == (ConnectionFailure.UNREACHABLE,) * 2
        fault_mode.write_text("slow\n")
        begun = time.monotonic()
        assert await cloud.read("a.json") == b"before"
        assert time.monotonic() - begun >= 0.3
        fault_mode.write_text("lost")
        assert await causes(cloud) == (ConnectionFailure.UNREACHABLE,) * 2
        fault_mode.write_text("")
        assert await cloud.read("a.json") == b"tile"

    async def test_a_fault_mode_with_a_folder_applies_to_that_one(
        self, sandbox: SandboxClouds, tmp_path: Path
    ) -> None:
        faulty = sandbox.open(provider_types.S3, with_(provider_types.S3, path="faulty"))
        other = sandbox.open(provider_types.S3, with_(provider_types.S3, path="other"))
        await other.write("a.json", b"tile")
        folders = tmp_path / "clouds"
        (place,) = (path.parent for path in folders.glob("s3/*/other"))
        (folders / "fault_mode").write_text(f"unreachable {place.relative_to(folders)}/faulty\n")
        assert await causes(faulty) == (ConnectionFailure.UNREACHABLE,) * 2
        assert await other.read("a.json") == b"tile"

    @pytest.mark.parametrize("kind", KINDS)
    async def test_sandbox_object_cannot_leave_its_folder(
        self, sandbox: SandboxClouds, tmp_path: Path, kind: int
    ) -> None:
        for path in ("../../../x", "a/../../../../x", "..\\x", "/../x"):
            with pytest.raises(MalformedCredentials):
                sandbox.open(kind, with_(kind, path=path))
            with pytest.raises(ValueError, match="path"):
                await sandbox.open(kind, FORMS[kind]).write(path, b"x")
        await sandbox.open(kind, with_(kind, path="/etc/")).write("/x", b"x")
        assert names_in(tmp_path) == ["clouds"]


def test_a_process_may_end_right_after_a_call(tmp_path: Path) -> None:
    source = (
        "import asyncio, sys; from pathlib import Path;"
        "from tessera.integrations.clouds import clouds;"
        "from tessera.settings import Settings;"
        "c = clouds(Settings(_env_file=None, data_dir=Path(sys.argv[1]))).open(1,"
        " {'access_token': 'demo', 'path': 'a'});"
        "asyncio.run(c.write('b', b'c'))"
    )
    for _ in range(3):
        done = subprocess.run([sys.executable, "-c", source, tmp_path], cwd=BACKEND, check=False)
        assert done.returncode == 0
