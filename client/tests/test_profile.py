import stat
from pathlib import Path
from uuid import uuid4

import keyring
import pytest
from keyring.errors import NoKeyringError

from tessera_client.errors import ClientError, NotLoggedIn
from tessera_client.vault.profile import Profile, Secrets, StateFolder

SECRETS = Secrets("token", b"u" * 32, b"p" * 65)


def profile() -> Profile:
    return Profile(
        origin="https://tessera.example",
        email="ada@example.com",
        device="Laptop",
        user=uuid4(),
        company=uuid4(),
        company_name="Example",
        name="Ada",
        salt="c2FsdA",
        sealed_user_key="sealed",
        allowed_hosts=("storage.example",),
    )


def test_a_profile_is_read_back(tmp_path: Path) -> None:
    folder, stored = StateFolder(tmp_path / "state", use_keyring=False), profile()
    folder.save_profile(stored)
    assert folder.load_profile() == stored


def test_without_a_keyring_secrets_lie_in_a_private_file(tmp_path: Path) -> None:
    folder = StateFolder(tmp_path / "state", use_keyring=False)
    folder.save_secrets(SECRETS)
    assert folder.load_secrets() == SECRETS
    assert stat.S_IMODE((folder.path / "secrets.json").stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.path.stat().st_mode) == 0o700
    folder.save_secrets(SECRETS.without_keys())
    assert folder.load_secrets() == Secrets("token")
    folder.forget_secrets()
    assert folder.load_secrets() == Secrets()


def test_a_missing_keyring_is_said_and_replaced_by_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: str) -> None:
        raise NoKeyringError

    for name in ("get_password", "set_password", "delete_password"):
        monkeypatch.setattr(keyring, name, fail)
    folder = StateFolder(tmp_path, use_keyring=True)
    folder.save_secrets(SECRETS)
    assert "no keyring" in capsys.readouterr().err
    assert folder.load_secrets() == SECRETS
    folder.forget_secrets()
    assert folder.load_secrets() == Secrets()


def test_the_keyring_is_preferred(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    held: dict[tuple[str, str], str] = {}
    monkeypatch.setattr(keyring, "get_password", lambda *name: held.get(name))
    monkeypatch.setattr(
        keyring, "set_password", lambda service, name, value: held.update({(service, name): value})
    )
    folder = StateFolder(tmp_path, use_keyring=True)
    folder.save_secrets(SECRETS)
    assert folder.load_secrets() == SECRETS
    assert not (tmp_path / "secrets.json").exists()


def test_secrets_are_not_printed() -> None:
    assert repr(SECRETS) == "Secrets()"


def test_a_missing_and_a_damaged_profile(tmp_path: Path) -> None:
    folder = StateFolder(tmp_path, use_keyring=False)
    with pytest.raises(NotLoggedIn):
        folder.load_profile()
    (tmp_path / "account.json").write_text("{")
    with pytest.raises(ClientError) as damaged:
        folder.load_profile()
    assert damaged.value.code == "profile_damaged"
