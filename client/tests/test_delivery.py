import json
import os
import random
import shutil
import subprocess
import sys
import threading
import zipfile
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from client.delivery import archive as archive_module
from client.delivery import bootstrap, wheels
from client.delivery.archive import write_archive
from client.delivery.bootstrap import target_name, unpack
from client.delivery.signing import load_key, sandbox_key, sign_folder
from client.delivery.targets import Target, all_targets
from client.delivery.wheels import DeliveryFailed, collect_wheels, read_pinned
from tessera_core import base64url
from tessera_core.release import SANDBOX_KEY, open_release
from tessera_core.version import __version__

HERE = next(target for target in all_targets() if target.name == target_name())


def make_wheel(folder: Path, name: str, content: dict[str, str]) -> Path:
    path = folder / f"{name}-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        for member, text in content.items():
            wheel.writestr(zipfile.ZipInfo(member), text)
    return path


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """A .pyz whose client prints where it was started from."""
    own = make_wheel(
        tmp_path,
        "tessera_client",
        {
            "tessera_client/__init__.py": "",
            "tessera_client/cli.py": "import part\ndef main() -> None:\n    print(part.NAME)\n",
        },
    )
    part = make_wheel(tmp_path, "part", {"part.py": "NAME = 'unpacked'\n"})
    path = tmp_path / "tess.pyz"
    write_archive(own, {HERE: [part]}, path)
    return path


class TestArchive:
    def test_archive_runs_on_a_plain_python_and_keeps_its_parts_private(
        self, archive: Path, tmp_path: Path
    ) -> None:
        cache = tmp_path / "cache"
        environment = {**os.environ, "XDG_CACHE_HOME": str(cache), "HOME": str(tmp_path)}
        command = [sys.executable, "-I", "-S", str(archive)]
        for _ in range(2):
            done = subprocess.run(
                command, env=environment, capture_output=True, text=True, check=False
            )
            assert (done.returncode, done.stdout) == (0, "unpacked\n"), done.stderr
        folder = next(path.parent for path in tmp_path.rglob("part.py"))
        assert folder.stat().st_mode & 0o777 == 0o700
        assert [each for each in folder.parent.iterdir() if each.name.startswith(".part")] == []

    def test_the_same_wheels_give_the_same_bytes(self, archive: Path, tmp_path: Path) -> None:
        again = tmp_path / "again.pyz"
        own, part = tmp_path.glob("tessera_client-*.whl"), tmp_path.glob("part-*.whl")
        write_archive(next(own), {HERE: [next(part)]}, again)
        assert again.read_bytes() == archive.read_bytes()

    def test_what_several_pythons_share_is_stored_once(self, tmp_path: Path) -> None:
        own = make_wheel(tmp_path, "tessera_client", {"tessera_client/__init__.py": ""})
        shared = random.Random(1).randbytes(300_000).hex()
        wheels, sizes = {}, list[int]()
        for target in (each for each in all_targets() if each.platform == HERE.platform):
            module = f"part.{target.python.replace('.', '')}.so"
            content = {"part.libs/blas.so": shared, module: f"{shared}{target.python}"}
            wheels[target] = [make_wheel(tmp_path, f"part{target.python}", content)]
            write_archive(own, wheels, tmp_path / "tess.pyz")
            sizes.append((tmp_path / "tess.pyz").stat().st_size)
        assert sizes[-1] < sizes[0] + 20_000

    def test_archive_that_is_too_large_is_not_built(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert archive_module.MAX_BYTES == 40_000_000
        monkeypatch.setattr(archive_module, "MAX_BYTES", 300_000)
        content = {"tessera_client/data": random.Random(1).randbytes(300_000).hex()}
        own = make_wheel(tmp_path, "tessera_client", {"tessera_client/__init__.py": ""})
        write_archive(own, {HERE: []}, tmp_path / "small.pyz")
        with pytest.raises(DeliveryFailed, match="more than 300,000 bytes"):
            write_archive(
                own, {HERE: [make_wheel(tmp_path, "part", content)]}, tmp_path / "large.pyz"
            )

    def test_starts_at_once_share_one_folder(self, archive: Path, tmp_path: Path) -> None:
        found: list[Path] = []

        def start() -> None:
            with zipfile.ZipFile(archive) as pyz:
                index = json.loads(pyz.read("index.json"))
                paths = index["targets"][HERE.name]
                found.append(unpack(pyz, paths, index["files"], tmp_path / "cache"))

        threads = [threading.Thread(target=start) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(found) == 8
        assert len({*found}) == 1
        assert [*(tmp_path / "cache").iterdir()] == [found[0]]

    def test_what_older_versions_unpacked_is_removed_unless_they_run(
        self, archive: Path, tmp_path: Path
    ) -> None:
        cache = tmp_path / "cache"
        cache.mkdir(mode=0o700)
        folders = {}
        for name, version in (("old", "0.7.6"), ("used", "0.7.9"), ("new", "0.10.0")):
            folders[name] = cache / name
            (folders[name] / f"tessera_client-{version}.dist-info").mkdir(parents=True)
        (cache / "other").mkdir()
        (cache / ".part-abandoned").mkdir()
        os.utime(cache / ".part-abandoned", (0, 0))
        (cache / ".part-running").mkdir()
        own = cache / "own"
        (own / "tessera_client-0.9.0.dist-info").mkdir(parents=True)
        program = (
            "import fcntl, sys\nlock = open(sys.argv[1], 'a')\nfcntl.flock(lock, fcntl.LOCK_SH)\n"
            "print('locked', flush=True)\nsys.stdin.read()\n"
        )
        command = [sys.executable, "-c", program, str(folders["used"] / ".lock")]
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as running:
            assert running.stdout is not None
            assert running.stdout.readline() == "locked\n"
            bootstrap.remove_older(cache, own)
            left = {path.name for path in cache.iterdir()}
            assert left == {"used", "new", "own", "other", ".part-running"}
            running.communicate()
        bootstrap.remove_older(cache, own)
        assert not folders["used"].exists()

    def test_a_folder_that_a_newer_version_removes_at_this_moment_is_unpacked_again(
        self, archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        calls: list[Path] = []

        def unpack_and_lose(*arguments: Any) -> Path:
            folder = unpack(*arguments)
            calls.append(folder)
            if len(calls) == 1:
                shutil.rmtree(folder)
            return folder

        monkeypatch.setattr(bootstrap, "unpack", unpack_and_lose)
        with zipfile.ZipFile(archive) as pyz:
            index = json.loads(pyz.read("index.json"))
            paths = index["targets"][HERE.name]
            folder, lock = bootstrap.claim(pyz, paths, index["files"], tmp_path / "cache")
        lock.close()
        assert len(calls) == 2
        assert (folder / "part.py").exists()

    def test_a_damaged_file_is_not_unpacked(self, archive: Path, tmp_path: Path) -> None:
        with zipfile.ZipFile(archive) as pyz:
            index = json.loads(pyz.read("index.json"))
            files = [["0" * 64, size] for _, size in index["files"]]
            with pytest.raises(SystemExit, match="damaged"):
                unpack(pyz, index["targets"][HERE.name], files, tmp_path / "cache")
        assert [*(tmp_path / "cache").iterdir()] == []

    @pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")
    def test_a_folder_that_others_can_write_is_refused(self, archive: Path, tmp_path: Path) -> None:
        cache = tmp_path / "cache"
        cache.mkdir()
        cache.chmod(0o777)
        with zipfile.ZipFile(archive) as pyz, pytest.raises(SystemExit, match="others"):
            unpack(pyz, {}, [], cache)

    def test_an_unknown_system_is_named(
        self, archive: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(sys, "argv", [str(archive)])
        monkeypatch.setattr(bootstrap, "target_name", lambda: "linux-riscv64-3.11")
        with pytest.raises(SystemExit, match="no parts for linux-riscv64"):
            bootstrap.main()

    def test_a_wheel_that_needs_an_installer_is_refused(self, tmp_path: Path) -> None:
        wheel = make_wheel(tmp_path, "scripts", {"scripts-1.0.data/scripts/run": ""})
        with pytest.raises(DeliveryFailed, match="installer"):
            write_archive(wheel, {HERE: []}, tmp_path / "tess.pyz")


class TestWheels:
    def test_markers_are_evaluated_for_the_target(self) -> None:
        pinned = read_pinned(
            "a==1 ; sys_platform == 'win32' \\\n    --hash=sha256:00\n    # via b\n"
            "b==2 ; platform_machine == 'x86_64' and sys_platform == 'darwin'\n"
            "c==3 ; python_full_version < '3.12'\n"
        )
        needed = {
            target.name: [each.name for each in pinned if target.needs(each.requirement)]
            for target in (
                Target("windows-x64", "3.12"),
                Target("macos-x64", "3.11"),
                Target("macos-arm64", "3.12"),
            )
        }
        assert needed == {
            "windows-x64-3.12": ["a==1"],
            "macos-x64-3.11": ["b==2", "c==3"],
            "macos-arm64-3.12": [],
        }
        assert pinned[0].hashes == {"00"}

    def test_a_wheel_that_the_registry_does_not_have_is_named(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        requirements = tmp_path / "requirements.txt"
        requirements.write_text(f"tessera-absent==1 --hash=sha256:{'0' * 64}\n")
        monkeypatch.setattr(wheels, "REQUIREMENTS", requirements)
        for name, value in (("PIP_NO_INDEX", "1"), ("PIP_CONFIG_FILE", os.devnull)):
            monkeypatch.setenv(name, value)
        with pytest.raises(DeliveryFailed, match=f"{HERE.name}.*tessera-absent"):
            collect_wheels([HERE], tmp_path / "wheels", lambda *_: None)


class TestSigning:
    def test_the_files_of_a_folder_are_listed(self, tmp_path: Path) -> None:
        for name in (
            f"tess-{__version__}-linux-x64.pyz",
            f"tess-{__version__}-windows-x64.exe",
            f"tess-{__version__}-windows-x64-setup.exe",
            f"tess-{__version__}-linux-arm64",
            f"tess-{__version__}-linux-arm64.deb",
            f"tess-{__version__}-macos-arm64.pkg",
            "tess-0.7.6-linux-x64.pyz",
            "tess-0.7.6-linux-x64.deb",
            f"tessera_client-{__version__}-py3-none-any.whl",
            "kit.html",
        ):
            (tmp_path / name).write_bytes(b"content of " + name.encode())
        sign_folder(tmp_path, sandbox_key())
        release = open_release((tmp_path / "manifest.json").read_text(), {SANDBOX_KEY})
        found = {
            file.name: (*file.platforms, file.machine, file.needs_python, file.is_installer)
            for file in release.files
        }
        assert found == {
            "kit.html": (None, False, False),
            f"tess-{__version__}-linux-x64.pyz": ("linux", "x64", True, False),
            f"tess-{__version__}-windows-x64.exe": ("windows", "x64", False, False),
            f"tess-{__version__}-windows-x64-setup.exe": ("windows", "x64", False, True),
            f"tess-{__version__}-linux-arm64": ("linux", "arm64", False, False),
            f"tess-{__version__}-linux-arm64.deb": ("linux", "arm64", False, True),
            f"tess-{__version__}-macos-arm64.pkg": ("macos", "arm64", False, True),
        }

    def test_the_sandbox_s_key_is_the_one_that_clients_know(self) -> None:
        assert base64url.encode(sandbox_key().public_key().public_bytes_raw()) == SANDBOX_KEY

    def test_a_key_that_no_client_knows_signs_nothing(self, tmp_path: Path) -> None:
        pem = Ed25519PrivateKey.generate().private_bytes(
            Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()
        )
        (tmp_path / "key.pem").write_bytes(pem)
        with pytest.raises(DeliveryFailed, match="tessera release init"):
            load_key(tmp_path / "key.pem", "")
