import hashlib
import sys
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from client.delivery.signing import sandbox_key
from client.tests.conftest import Computer
from client.tests.service import Service
from tessera_client.vault import releases
from tessera_core import base64url
from tessera_core.release import Release, ReleaseFile, sign_release
from tessera_core.version import __version__

CONTENT = b"a program"
FILE = ReleaseFile(
    "tess-9.0.0-linux-x64.pyz",
    ("linux",),
    "x64",
    True,
    len(CONTENT),
    hashlib.sha256(CONTENT).hexdigest(),
)


INSTALLERS = tuple(
    ReleaseFile(f"tess-9.0.0-{end}", (), None, False, 1, "0" * 64, is_installer=True)
    for end in ("linux-x64.deb", "linux-arm64.deb", "windows-x64-setup.exe")
)


def manifest(version: str, key: Ed25519PrivateKey) -> str:
    return sign_release(Release(version, (FILE, *INSTALLERS)), key)


def pin_new_key(monkeypatch: pytest.MonkeyPatch) -> Ed25519PrivateKey:
    key = Ed25519PrivateKey.generate()
    pinned = frozenset({base64url.encode(key.public_key().public_bytes_raw())})
    monkeypatch.setattr(releases, "RELEASE_KEYS", pinned)
    return key


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> Ed25519PrivateKey:
    """The release key, pinned in the client."""
    return pin_new_key(monkeypatch)


class TestUpdate:
    def test_a_newer_version_and_its_files(
        self, service: Service, leader: Computer, key: Ed25519PrivateKey, tmp_path: Path
    ) -> None:
        service.manifest = manifest("9.0.0", key)
        assert leader.ok("update") == {"version": __version__, "latest": "9.0.0", "isNewer": True}
        downloaded = tmp_path / "download"
        downloaded.write_bytes(CONTENT)
        assert leader.ok("update", "--verify", downloaded)["file"] == FILE.name
        downloaded.write_bytes(CONTENT + b"!")
        exit_code, answer = leader.run("update", "--verify", downloaded)
        assert (exit_code, answer["error"]) == (5, "not_genuine")

    @pytest.mark.parametrize(
        ("installer", "advice"),
        [
            ("linux-arm64.deb", "sudo apt install ./tess-9.0.0-linux-arm64.deb"),
            ("windows-x64-setup.exe", "Download tess-9.0.0-windows-x64-setup.exe there"),
            ("macos-arm64.pkg", None),
            (None, None),
        ],
    )
    def test_what_an_installer_has_installed_is_replaced_by_one(
        self,
        service: Service,
        leader: Computer,
        key: Ed25519PrivateKey,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        installer: str | None,
        advice: str | None,
    ) -> None:
        service.manifest = manifest("9.0.0", key)
        if installer:
            (tmp_path / "installed-by").write_text(f"{installer}\n")
        monkeypatch.setattr(sys, "frozen", True, raising=False)
        monkeypatch.setattr(sys, "executable", str(tmp_path / "tess"))
        _, text, _ = leader.say("update")
        assert text.startswith("Version 9.0.0 is available: ")
        assert (advice in text) if advice else ("\n" not in text.strip())

    def test_same_version_is_no_update(
        self, service: Service, leader: Computer, key: Ed25519PrivateKey
    ) -> None:
        service.manifest = manifest(__version__, key)
        assert not leader.ok("update")["isNewer"]

    def test_a_lower_version_is_refused(
        self, service: Service, leader: Computer, key: Ed25519PrivateKey
    ) -> None:
        service.manifest = manifest("0.7.6", key)
        exit_code, answer = leader.run("update")
        assert (exit_code, answer["error"]) == (5, "older_release")

    def test_a_changed_manifest_is_refused(
        self, service: Service, leader: Computer, key: Ed25519PrivateKey
    ) -> None:
        service.manifest = manifest("9.0.0", key).replace("9.0.0", "9.0.1")
        exit_code, answer = leader.run("update")
        assert (exit_code, answer["error"]) == (5, "not_authentic")

    def test_the_sandbox_s_key_counts_for_a_service_on_this_computer_alone(
        self,
        service: Service,
        leader: Computer,
        key: Ed25519PrivateKey,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        service.manifest = manifest("9.0.0", sandbox_key())
        exit_code, answer = leader.run("update")
        assert (exit_code, answer["error"]) == (5, "not_authentic")
        monkeypatch.setattr(releases, "LOOPBACK", {"tessera.test"})
        assert leader.ok("update")["isNewer"]

    def test_the_doctor_tells_of_it(
        self, service: Service, leader: Computer, key: Ed25519PrivateKey
    ) -> None:
        service.manifest = manifest("9.0.0", key)
        version = next(
            check for check in leader.run("doctor")[1]["checks"] if check["check"] == "version"
        )
        assert "9.0.0 is available" in version["problem"]
