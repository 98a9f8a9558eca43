"""The signed-in account: its session, its keys and its pins."""

from contextlib import suppress
from dataclasses import replace
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Any
from uuid import UUID

from tessera_client.errors import ClientError, NeedsInput, NotLoggedIn, Refused
from tessera_client.transfer.answers import Restore, Unread, UserKeys
from tessera_client.transfer.api import Api, ApiError
from tessera_client.vault.erasure import erase_account
from tessera_client.vault.members import list_members
from tessera_client.vault.pins import load_pins, save_pins
from tessera_client.vault.profile import Profile, Secrets, StateFolder
from tessera_core import base64url
from tessera_core.envelopes import open_user_key
from tessera_core.errors import NotAuthentic
from tessera_core.kdf import derive, salt_from_text
from tessera_core.key_envelopes import (
    MAX_PAIRS,
    MAX_REMOVED,
    NO_REWINDS,
    KeyBundle,
    LeaderPin,
    RecordPin,
    RewindPin,
    SpacePin,
    open_keys,
    seal_keys,
)
from tessera_core.log import EntryRefused
from tessera_core.user_keys import PrivateKeys

_MAX_ATTEMPTS = 5


class Account:
    """Opens the account's keys; `save_pins` stores what has been seen for other devices."""

    def __init__(self, folder: StateFolder, profile: Profile, secrets: Secrets, api: Api) -> None:
        self.folder = folder
        self.profile = profile
        self.api = api
        self._secrets = secrets
        self._bundle: KeyBundle | None = None
        self._revision = 0
        self._pins_changed = False
        self._reset_confirmed = False
        self._is_confirmed = True

    @property
    def user(self) -> UUID:
        return self.profile.user

    @property
    def company(self) -> UUID:
        return self.profile.company

    @property
    def has_user_key(self) -> bool:
        return self._secrets.user_key is not None

    @property
    def user_key(self) -> bytes:
        if self._secrets.user_key is None:
            raise NeedsInput.from_code("locked")
        return self._secrets.user_key

    @property
    def keys(self) -> PrivateKeys:
        return self.bundle.keys

    @property
    def held_keys(self) -> PrivateKeys | None:
        """As this computer has them, without asking the service; None while they are locked."""
        held = self._secrets.private_keys
        return PrivateKeys.decode(held) if held and self.has_user_key else None

    @property
    def bundle(self) -> KeyBundle:
        if self._bundle is None:
            self._bundle = self._load_keys()
        return self._bundle

    def open_kept_keys(self) -> bool:
        """Opens what this computer keeps, without the service. Returns False if it keeps none."""
        keys = self.held_keys
        if self._bundle is None and keys:
            pins = load_pins(self._pins_folder, keys)
            pairs = tuple(map(PrivateKeys.decode, self._secrets.recovery_pairs))
            self._bundle = replace(pins, pairs=pairs)
            self._revision = self.profile.keys_revision
            self._is_confirmed = False
        return self._bundle is not None

    def confirm_kept_keys(self) -> None:
        """Compares keys that were opened without the service with those that it stores."""
        if self._is_confirmed:
            return
        own = self.bundle
        stored = self._load_keys()
        if stored.keys != own.keys:
            raise NeedsInput.from_code("keys_changed")
        self._bundle = _merge(stored, own)
        self._is_confirmed = True

    def has_stored_keys(self) -> bool:
        stored = self._stored_keys()
        return stored is not None and stored.envelope is not None

    def confirm_reset(self) -> None:
        """The person at this computer says that they have reset the password."""
        self._reset_confirmed = True

    def unlock(self, password: str) -> None:
        profile = self.profile
        salt = salt_from_text(profile.salt)
        derived = derive(password, salt)
        try:
            user_key = open_user_key(
                profile.sealed_user_key,
                wrap_key=derived.wrap_key,
                uid=str(profile.user),
                cid=str(profile.company),
                salt=salt,
            )
        except NotAuthentic:
            raise ClientError.from_code("login_failed") from None
        self._keep(replace(self._secrets, user_key=user_key))

    # Keys

    def _stored_keys(self) -> UserKeys | None:
        try:
            return self.api.get("/storage/keys", UserKeys)
        except ApiError as error:
            if error.code != "storage_keys_missing":
                raise
            return None

    def _load_keys(self) -> KeyBundle:
        """Opens the stored keys; makes them at first use and after a password reset."""
        stored = self._stored_keys()
        if stored is None or stored.envelope is None:
            return self._seal_again(stored.revision if stored else 0)
        bundle, revision = self._open(stored.envelope)
        if revision < self.profile.keys_revision:
            return self._seal_newer(bundle, revision)
        if bundle.keys.public.encode() != stored.public_keys:
            raise Refused.from_code("keys_swapped")
        merged = _merge(bundle, load_pins(self._pins_folder, bundle.keys))
        # A device that was offline for long may have seen more than the envelope says.
        self._pins_changed |= merged != bundle
        self._note(merged, revision)
        return merged

    def read_restore(self) -> Restore:
        """What the service says of its restore; one that does not know the call had none."""
        try:
            return self.api.get("/storage/restore", Restore)
        except ApiError as error:
            if error.status != HTTPStatus.NOT_FOUND:
                raise
            return Restore(None, None, None, [])

    def _seal_newer(self, older: KeyBundle, revision: int) -> KeyBundle:
        """The service shows an older envelope. If it says that it was restored from a backup, it
        gets all of this computer's pins again; nothing that was seen is forgotten."""
        own = self._own_after_restore(older)
        if own.keys != older.keys:
            raise NeedsInput.from_code("keys_restored")
        return self._store(own, revision + 1)

    def _own_after_restore(self, older: KeyBundle) -> KeyBundle:
        """What this computer holds, for a service that says that it has only an older envelope.
        Keys that were replaced are never used again."""
        held = self.held_keys or older.keys
        pairs = tuple(map(PrivateKeys.decode, self._secrets.recovery_pairs))
        own = replace(
            load_pins(self._pins_folder, held),
            pairs=pairs,
            removes_on_request=older.removes_on_request,
        )
        is_removed = older.keys.public.fingerprint in own.removed
        if self.read_restore().began_at is None or is_removed != (held != older.keys):
            raise Refused.from_code("keys_rolled_back")
        return _merge(own, older)

    def send_keys_again(self) -> bool:
        """After a restore of the service, in which the account has keys that were replaced since:
        it gets those that replaced them. Returns whether there were any."""
        stored = self._stored_keys()
        if stored is None or stored.envelope is None:
            return False
        older, revision = self._open(stored.envelope)
        if revision >= self.profile.keys_revision or self.held_keys in {None, older.keys}:
            return False
        own = self._own_after_restore(older)
        self._bundle = self._store(own, revision + 1, "/storage/keys/replacement")
        return True

    def _seal_again(self, revision: int) -> KeyBundle:
        """The service has no envelope: a new account, or a password reset.

        Whoever has used this computer before is asked: a service that pretends a reset would
        otherwise make it forget the leader and all it has seen.
        """
        if revision < self.profile.keys_revision and revision:
            raise Refused.from_code("keys_rolled_back")
        is_known = self.profile.keys_revision > 0 or self._secrets.private_keys is not None
        if is_known and not self._reset_confirmed:
            raise NeedsInput.from_code("keys_reset")
        held = self._secrets.private_keys
        keys = PrivateKeys.decode(held) if held else PrivateKeys.generate()
        pairs = tuple(map(PrivateKeys.decode, self._secrets.recovery_pairs))
        bundle = replace(load_pins(self._pins_folder, keys), pairs=pairs)
        return self._store(bundle, revision + 1)

    def _open(self, envelope: str) -> tuple[KeyBundle, int]:
        try:
            return open_keys(
                envelope, user_key=self.user_key, uid=str(self.user), cid=str(self.company)
            )
        except NotAuthentic:
            raise NeedsInput.from_code("password_changed") from None

    def replace_keys(self) -> None:
        """Makes new keys; the service ends the account's other sessions."""
        old = self.keys.public.fingerprint
        bundle = replace(self.bundle, keys=PrivateKeys.generate(), removed=self._with_removed(old))
        self._bundle = self._store(bundle, self._revision + 1, "/storage/keys/replacement")

    def _store(self, bundle: KeyBundle, revision: int, path: str = "/storage/keys") -> KeyBundle:
        envelope = seal_keys(
            bundle,
            user_key=self.user_key,
            uid=str(self.user),
            cid=str(self.company),
            revision=revision,
        )
        public = base64url.encode(bundle.keys.public.encode())
        self.api.put(path, UserKeys, {"publicKeys": public, "envelope": envelope})
        self._note(bundle, revision)
        return bundle

    def _note(self, bundle: KeyBundle, revision: int) -> None:
        self._revision = revision
        save_pins(self._pins_folder, bundle)
        self.update_profile(keys_revision=revision)
        pairs = tuple(pair.encode() for pair in bundle.pairs)
        held = replace(
            self._secrets, private_keys=bundle.keys.encode(), recovery_pairs=pairs
        )  # fmt: skip
        if held != self._secrets:
            self._keep(held)

    @property
    def _pins_folder(self) -> Path:
        return self.folder.user_folder(self.user)

    def _keep(self, secrets: Secrets) -> None:
        self._secrets = secrets
        self.folder.save_secrets(secrets)

    def update_profile(self, **changes: object) -> None:
        profile = replace(self.profile, **changes)  # type: ignore[arg-type]
        if profile != self.profile:
            self.profile = profile
            self.folder.save_profile(profile)

    def lock(self) -> None:
        self._keep(self._secrets.without_keys())

    def log_out(self) -> None:
        """Ends the session and forgets token and keys on this computer."""
        # First, so that what runs with them ends before the service refuses it.
        self.folder.forget_secrets()
        with suppress(NotLoggedIn):  # The session had ended already.
            self.api.post("/auth/logout", Unread)

    # Pins

    def _change(self, **changes: Any) -> None:  # noqa: ANN401 - checked by the dataclass
        self._bundle = replace(self.bundle, **changes)
        self._pins_changed = True

    def pin_leader(self, pin: LeaderPin) -> None:
        self._change(leader=pin)

    def pin_record(self, pin: RecordPin) -> None:
        if self.bundle.record != pin:
            self._change(record=pin)

    def pin_space(self, space: UUID, pin: SpacePin, rewind: RewindPin = NO_REWINDS) -> None:
        spaces, rewinds = self.bundle.spaces, self.bundle.rewinds
        known, known_rewind = spaces.get(space), rewinds.get(space, NO_REWINDS)
        if known and (known_rewind.count, known.sequence) >= (rewind.count, pin.sequence):
            return
        if rewind.count:
            abandoned = max(known_rewind.abandoned, rewind.abandoned)
            rewinds = {**rewinds, space: replace(rewind, abandoned=abandoned)}
        self._change(spaces={**spaces, space: pin}, rewinds=rewinds)

    def pin_removed(self, fingerprint: bytes) -> None:
        self._change(removed=self._with_removed(fingerprint))

    def _with_removed(self, fingerprint: bytes) -> tuple[bytes, ...]:
        return tuple(dict.fromkeys((*self.bundle.removed, fingerprint)))[-MAX_REMOVED:]

    def set_removes_on_request(self, value: bool) -> None:
        self._change(removes_on_request=value)

    def hold_pair(self, pair: PrivateKeys) -> None:
        """Stores a recovery pair in the envelope before anybody relies on it."""
        if pair not in self.bundle.pairs:
            self._change(pairs=(*self.bundle.pairs, pair)[-MAX_PAIRS:])
            self.save_pins()

    def save_pins(self) -> None:
        """Stores changed pins. Another device may have been faster: its pins are taken in."""
        for _ in range(_MAX_ATTEMPTS):
            if not self._pins_changed:
                return
            own = self.bundle
            # What this computer has seen stays here, whatever the service answers.
            save_pins(self._pins_folder, own)
            try:
                self._store(own, self._revision + 1)
            except ApiError as error:
                if error.code == "subscription_required":
                    return
                if error.code != "storage_keys_stale":
                    raise
                newer = self._load_keys()
                self._bundle = _merge(replace(newer, leader=own.leader), own)
                self._pins_changed = True
            else:
                self._pins_changed = False

    def is_leader(self) -> bool:
        """Whether the service says that this user is the team leader."""
        _ = self.keys  # The service lists only those who have keys.
        return any(member.is_leader for member in list_members(self) if member.user == self.user)


def open_account(folder: StateFolder) -> Account:
    profile, secrets = folder.load_profile(), folder.load_secrets()
    if secrets.token is None:
        raise NotLoggedIn
    api = Api(profile.origin, secrets.token)
    api.on_removed = partial(erase_account, folder, profile.user, secrets.token)
    return Account(folder, profile, secrets, api)


def _merge(newer: KeyBundle, own: KeyBundle) -> KeyBundle:
    try:
        return newer.merge(own)
    except EntryRefused:
        raise Refused.from_code("log_forked") from None
