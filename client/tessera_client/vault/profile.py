"""What the client keeps on this computer about the account: a profile, and its secrets."""

import os
import sys
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING
from uuid import UUID

import platformdirs

from tessera_client.errors import ClientError, NotLoggedIn, WrongUsage
from tessera_client.texts import translate

if TYPE_CHECKING:
    from tessera_client.transfer.network import Network

_PROFILE = "account.json"
_SECRETS = "secrets.json"
_LANGUAGE = "language"
SETTINGS = "settings.json"
_NETWORK = "network.json"
_PROXY = "proxy-password"
_CHANGED = "secrets-changed"
_TOLD = "told-what-is-kept"
_SERVICE = "tessera-client"
_ROOM = 64 * 1024


@dataclass(frozen=True)
class Profile:
    """The account, without secrets."""

    origin: str
    email: str
    device: str
    user: UUID
    company: UUID
    company_name: str
    name: str
    salt: str
    sealed_user_key: str
    keys_revision: int = 0
    """The newest key envelope seen; the service must not show an older one."""
    allowed_hosts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Secrets:
    """Excluded from repr, so that no traceback can print them. `tess lock` removes the keys."""

    token: str | None = field(default=None, repr=False)
    user_key: bytes | None = field(default=None, repr=False)
    private_keys: bytes | None = field(default=None, repr=False)
    recovery_pairs: tuple[bytes, ...] = field(default=(), repr=False)
    """Those that a leader holds, so that they survive a password reset; the newest last."""

    def without_keys(self) -> "Secrets":
        return replace(self, user_key=None, private_keys=None, recovery_pairs=())


@dataclass(frozen=True)
class _Wishes:
    """Of the page's settings, what commands obey too."""

    notifications: bool = True


class StateFolder:
    """The folder of the client's state, readable by its owner alone."""

    def __init__(self, path: Path, *, use_keyring: bool) -> None:
        self.path = path
        self._use_keyring = use_keyring

    @classmethod
    def from_environment(cls) -> "StateFolder":
        chosen = os.environ.get("TESSERA_CLIENT_DIR")
        # A mount leaves the folder in which it was started.
        path = Path(chosen).absolute() if chosen else platformdirs.user_data_path("tessera")
        return cls(path, use_keyring=os.environ.get("TESS_NO_KEYRING") != "1")

    @cached_property
    def _keyring(self) -> ModuleType:
        import keyring  # noqa: PLC0415 - slow to import, and not always used

        return keyring

    @cached_property
    def _json(self) -> ModuleType:
        import msgspec  # noqa: PLC0415 - slow to import, and the language is chosen without it

        return msgspec.json

    def user_folder(self, user: UUID) -> Path:
        """Index, journal and spool of one account."""
        folder = self.path / str(user)
        _make_private(self.path)
        _make_private(folder)
        return folder

    def load_profile(self) -> Profile:
        try:
            encoded = (self.path / _PROFILE).read_bytes()
            profile: Profile = self._json.decode(encoded, type=Profile)
        except FileNotFoundError:
            raise NotLoggedIn from None
        except ValueError:
            raise ClientError.from_code("profile_damaged", path=self.path / _PROFILE) from None
        return profile

    def has_profile(self) -> bool:
        return (self.path / _PROFILE).exists()

    def save_profile(self, profile: Profile) -> None:
        self.write(_PROFILE, self._json.encode(profile).decode())

    def load_language(self) -> str | None:
        """The language that was chosen on the page."""
        try:
            return (self.path / _LANGUAGE).read_text(encoding="utf-8").strip()
        except (OSError, ValueError):
            return None

    def save_language(self, language: str) -> None:
        self.write(_LANGUAGE, language)

    def wants_notifications(self) -> bool:
        """As chosen on the page."""
        try:
            encoded = (self.path / SETTINGS).read_bytes()
            wishes: _Wishes = self._json.decode(encoded, type=_Wishes)
        except (OSError, ValueError):
            return True
        return wishes.notifications

    def knows_what_is_kept(self) -> bool:
        """Whether somebody was told on this computer; from now on, somebody was."""
        if (self.path / _TOLD).exists():
            return True
        self.write(_TOLD, "")
        return False

    def load_secrets(self) -> Secrets:
        text = self._read_secret(_SECRETS)
        values: Secrets = self._json.decode(text, type=Secrets) if text else Secrets()
        return values

    def save_secrets(self, values: Secrets) -> None:
        self._write_secret(_SECRETS, self._json.encode(values).decode())
        self._note_changed()

    def load_network(self) -> "Network":
        """The proxy's password is kept like a secret, and stays when the user logs out."""
        from tessera_client.transfer.network import Network, Proxy  # noqa: PLC0415 - slow

        try:
            encoded = (self.path / _NETWORK).read_bytes()
            stored: Network = self._json.decode(encoded, type=Network)
            has_login = stored.proxy and Proxy.parse(stored.proxy).user
        except FileNotFoundError:
            return Network()
        except ValueError:
            raise ClientError.from_code("network_damaged", path=self.path / _NETWORK) from None
        return replace(stored, password=self._read_secret(_PROXY) if has_login else None)

    def save_network(self, network: "Network") -> None:
        if network.password is None:
            self._forget_secret(_PROXY)
        else:
            self._write_secret(_PROXY, network.password)
        stored = self._json.encode(replace(network, password=None))
        self.write(_NETWORK, stored.decode())

    def _read_secret(self, name: str) -> str | None:
        text: str | None = None
        if self._use_keyring:
            try:
                text = self._keyring.get_password(_SERVICE, self._keyring_name(name))
            except self._keyring.errors.KeyringError:
                text = None
        if text is None and (self.path / name).exists():
            text = (self.path / name).read_text(encoding="utf-8")
        return text

    def _write_secret(self, name: str, text: str) -> None:
        """Prefers the system's keyring, and says so when there is none."""
        if self._use_keyring:
            try:
                self._keyring.set_password(_SERVICE, self._keyring_name(name), text)
            except self._keyring.errors.KeyringError:
                said = translate("notices.no_keyring", path=self.path / name)
                sys.stderr.write(f"{said}\n")
            else:
                (self.path / name).unlink(missing_ok=True)
                return
        self.write(name, text)

    def _keyring_name(self, name: str) -> str:
        return str(self.path if name == _SECRETS else self.path / name)

    def keyring_problem(self) -> str | None:
        if not self._use_keyring:
            return None
        try:
            self._keyring.get_password(_SERVICE, str(self.path))
        except self._keyring.errors.KeyringError:
            return translate("doctor.no_keyring", path=self.path / _SECRETS)
        return None

    def forget_secrets(self) -> None:
        """Ends the login here. The profile stays, because it pins the account's salt."""
        self._forget_secret(_SECRETS)
        self._note_changed()

    def _note_changed(self) -> None:
        """Other processes look at it: to read the keyring takes long, and may ask somebody."""
        with suppress(OSError):
            self.write(_CHANGED, "")

    def secrets_stamp(self) -> object:
        """Differs whenever the secrets were stored or forgotten."""
        return file_stamp(self.path / _CHANGED)

    def _forget_secret(self, name: str) -> None:
        if self._use_keyring:
            with suppress(self._keyring.errors.KeyringError):
                self._keyring.delete_password(_SERVICE, self._keyring_name(name))
        (self.path / name).unlink(missing_ok=True)

    def write(self, name: str, text: str) -> None:
        """Replaces the file completely or not at all."""
        _make_private(self.path)
        replace_private(self.path / name, text)


def file_stamp(path: Path) -> object:
    """Differs whenever the file was replaced."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns


def replace_private(path: Path, text: str) -> None:
    """Writes a file that only its owner can read, completely or not at all."""
    part = path.with_name(f"{path.name}.{os.urandom(4).hex()}")
    try:
        create_private(part, text.encode())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def create_private(path: Path, content: bytes) -> None:
    """Creates a file that only its owner can read; fails if it exists."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)


def check_room(folder: Path) -> None:
    """Fails if a small file cannot be written to a folder, for whatever reason."""
    if not folder.is_dir():
        raise WrongUsage.from_code("no_such_folder", path=folder)
    import tempfile  # noqa: PLC0415 - slow to import, and the language is chosen without it

    with tempfile.TemporaryFile(dir=folder) as file:
        file.write(bytes(_ROOM))
        file.flush()
        os.fsync(file.fileno())


def _make_private(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    folder.chmod(0o700)
