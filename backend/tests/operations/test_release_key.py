from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from typer.testing import CliRunner, Result

from tessera.cli import app
from tessera_core import base64url

PASSWORD = "correct horse battery"


def init(path: Path, *answers: str) -> Result:
    return CliRunner().invoke(app, ["release", "init", str(path)], input="\n".join(answers) + "\n")


def test_release_init_writes_an_encrypted_key_and_prints_the_public_one(tmp_path: Path) -> None:
    path = tmp_path / "release.pem"
    result = init(path, PASSWORD, PASSWORD)
    assert result.exit_code == 0, result.output
    key = load_pem_private_key(path.read_bytes(), PASSWORD.encode())
    assert isinstance(key, Ed25519PrivateKey)
    assert base64url.encode(key.public_key().public_bytes_raw()) in result.output
    assert path.stat().st_mode & 0o777 == 0o600
    with pytest.raises(TypeError):
        load_pem_private_key(path.read_bytes(), None)


def test_release_init_leaves_an_existing_key_alone(tmp_path: Path) -> None:
    path = tmp_path / "release.pem"
    path.write_text("a key")
    result = init(path, PASSWORD, PASSWORD)
    assert result.exit_code != 0
    assert "Nothing was changed" in result.output
    assert path.read_text() == "a key"


def test_release_init_follows_no_symbolic_link(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    (tmp_path / "release.pem").symlink_to(elsewhere)
    result = init(tmp_path / "release.pem", PASSWORD, PASSWORD)
    assert result.exit_code != 0
    assert not elsewhere.exists()
