"""The signed-in account: its session, its keys and its pins."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from uuid import UUID

from tessera_client.errors import ClientError, NeedsInput, NotLoggedIn, Refused, WrongUsage
from tessera_client.texts import translate
from tessera_client.transfer.api import Api, ApiError
from tessera_client.vault.profile import Profile, Secrets, StateFolder
from tessera_core import base64url
from tessera_core.envelopes import open_user_key
from tessera_core.errors import Malformed, NotAuthentic
from tessera_core.kdf import derive, salt_from_text
from tessera_core.key_envelopes import KeyBundle, LeaderPin, SpacePin, open_keys, seal_keys
from tessera_core.recovery import grant_recovery, open_recovery_grant
from tessera_core.user_keys import PrivateKeys, PublicKeys
from tessera_core.words import UnknownWord, normalize_words, words_for

_MAX_ATTEMPTS = 5


@dataclass(frozen=True)
class Member:
    """A colleague who has keys, as the service describes them: words prove the keys."""

    user: UUID
    name: str
    email: str
    is_leader: bool
    is_active: bool
    keys: PublicKeys


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
            raise NeedsInput(translate("errors.locked"), code="locked")
        return self._secrets.user_key

    @property
    def keys(self) -> PrivateKeys:
        return self.bundle.keys

    @property
    def bundle(self) -> KeyBundle:
        if self._bundle is None:
            self._bundle = self._load_keys()
        return self._bundle

    def has_stored_keys(self) -> bool:
        try:
            return self.api.get("/storage/keys")["envelope"] is not None
        except ApiError as error:
            if error.code != "storage_keys_missing":
                raise
            return False

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
            raise ClientError(translate("errors.login_failed"), code="login_failed") from None
        self._keep(replace(self._secrets, user_key=user_key))

    # Keys and pins

    def _load_keys(self) -> KeyBundle:
        """Opens the stored keys; makes them at first use and after a password reset."""
        try:
            stored = self.api.get("/storage/keys")
        except ApiError as error:
            if error.code != "storage_keys_missing":
                raise
            return self._store(KeyBundle(PrivateKeys.generate()), 1)
        revision = int(stored["revision"])
        public = base64url.decode(stored["publicKeys"])
        if revision < self.profile.keys_revision:
            raise Refused(translate("errors.keys_rolled_back"), code="keys_rolled_back")
        if stored["envelope"] is None:
            return self._seal_again(public, revision)
        bundle = self._open(stored["envelope"])
        if bundle.keys.public.encode() != public:
            raise Refused(translate("errors.keys_swapped"), code="keys_swapped")
        self._note(bundle, revision)
        return bundle

    def _seal_again(self, public: bytes, revision: int) -> KeyBundle:
        """After a password reset: this device may still hold the keys."""
        held = self._secrets.private_keys
        keys = PrivateKeys.decode(held) if held else None
        if keys is None or keys.public.encode() != public:
            keys = PrivateKeys.generate()
        return self._store(KeyBundle(keys), revision + 1)

    def _open(self, envelope: str) -> KeyBundle:
        try:
            return open_keys(
                envelope, user_key=self.user_key, uid=str(self.user), cid=str(self.company)
            )
        except NotAuthentic:
            raise NeedsInput(
                translate("errors.password_changed"), code="password_changed"
            ) from None

    def replace_keys(self) -> None:
        """Makes new keys; the service ends the account's other sessions."""
        bundle = replace(self.bundle, keys=PrivateKeys.generate())
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
        self.api.put(path, {"publicKeys": public, "envelope": envelope})
        self._note(bundle, revision)
        return bundle

    def _note(self, bundle: KeyBundle, revision: int) -> None:
        self._revision = revision
        self.update_profile(keys_revision=revision)
        if self._secrets.private_keys != bundle.keys.encode():
            self._keep(replace(self._secrets, private_keys=bundle.keys.encode()))

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
        try:
            self.api.post("/auth/logout")
        except NotLoggedIn:
            pass  # The session had ended already.
        finally:
            self.folder.forget_secrets()

    def pin_leader(self, pin: LeaderPin) -> None:
        self._bundle = replace(self.bundle, leader=pin)
        self._pins_changed = True

    def pin_space(self, space: UUID, pin: SpacePin) -> None:
        known = self.bundle.spaces.get(space)
        if known is None or known.sequence < pin.sequence:
            self._bundle = replace(self.bundle, spaces={**self.bundle.spaces, space: pin})
            self._pins_changed = True

    def save_pins(self) -> None:
        """Stores changed pins. Another device may have been faster: its pins are taken in."""
        for _ in range(_MAX_ATTEMPTS):
            if not self._pins_changed:
                return
            try:
                self._store(self.bundle, self._revision + 1)
            except ApiError as error:
                if error.code == "subscription_required":
                    return
                if error.code != "storage_keys_stale":
                    raise
                self._merge(self.bundle)
            else:
                self._pins_changed = False

    def _merge(self, own: KeyBundle) -> None:
        newer = self._load_keys()
        spaces = {**newer.spaces}
        for space, pin in own.spaces.items():
            known = spaces.get(space)
            if known and known.sequence == pin.sequence and known.hash != pin.hash:
                raise Refused(translate("errors.log_forked"), code="log_forked")
            if known is None or known.sequence < pin.sequence:
                spaces[space] = pin
        self._bundle = replace(newer, leader=own.leader or newer.leader, spaces=spaces)

    # Colleagues

    def members(self) -> Iterator[Member]:
        after: str | None = None
        while True:
            query = {"after": after} if after else {}
            page = self.api.get("/storage/keys/members", **query)
            for row in page["members"]:
                yield _member(row)
            after = page["next"]
            if after is None:
                return

    def find_member(self, email: str) -> Member:
        for member in self.members():
            if member.email.casefold() == email.casefold():
                return member
        raise NeedsInput(
            translate("errors.member_without_keys", email=email), code="member_without_keys"
        )

    def check_words(self, member: Member, heard: str) -> None:
        """Compares the words heard from a colleague with the keys that the service shows."""
        try:
            typed = normalize_words(heard)
        except UnknownWord as error:
            raise WrongUsage(
                translate("errors.unknown_word", word=error.word), code="words_malformed"
            ) from None
        except Malformed:
            raise WrongUsage(translate("errors.words_malformed"), code="words_malformed") from None
        if typed != words_for(member.keys, self.company, member.user):
            raise Refused(translate("errors.words_differ", email=member.email), code="words_differ")

    def is_leader(self) -> bool:
        _ = self.keys  # The service lists only those who have keys.
        return any(member.is_leader for member in self.members() if member.user == self.user)

    # The recovery pair

    def recovery_keys(self) -> PrivateKeys:
        """The company's recovery pair; the leader's client makes it at first use."""
        try:
            stored = self.api.get("/storage/recovery")
        except ApiError as error:
            if error.code != "recovery_missing":
                raise
            return self._make_recovery()
        return self.open_recovery(stored)

    @property
    def held_recovery(self) -> PrivateKeys | None:
        held = self._secrets.recovery_keys
        return PrivateKeys.decode(held) if held else None

    def hold_recovery(self, keys: PrivateKeys | None) -> None:
        """Keeps the pair on this computer until it is granted to the new keys."""
        self._keep(replace(self._secrets, recovery_keys=keys.encode() if keys else None))

    def open_recovery(self, stored: dict[str, str]) -> PrivateKeys:
        try:
            keys = open_recovery_grant(
                base64url.decode(stored["leaderGrant"]),
                self.keys,
                company=self.company,
                leader=self.user,
            )
        except (NotAuthentic, Malformed):
            raise NeedsInput(
                translate("errors.recovery_not_granted"), code="recovery_not_granted"
            ) from None
        if keys.public.encode() != base64url.decode(stored["publicKeys"]):
            raise Refused(translate("errors.recovery_swapped"), code="recovery_swapped")
        return keys

    def grant_recovery_again(self, recovery: PrivateKeys) -> None:
        """Seals the recovery pair to this user's present keys; kits keep working."""
        stored = self.api.get("/storage/recovery")
        grant = grant_recovery(recovery, self.keys.public, company=self.company, leader=self.user)
        self.api.put(
            "/storage/recovery",
            {
                "counter": int(stored["counter"]) + 1,
                "publicKeys": stored["publicKeys"],
                "leaderGrant": base64url.encode(grant),
            },
        )

    def _make_recovery(self) -> PrivateKeys:
        keys = PrivateKeys.generate()
        grant = grant_recovery(keys, self.keys.public, company=self.company, leader=self.user)
        self.api.put(
            "/storage/recovery",
            {
                "counter": 1,
                "publicKeys": base64url.encode(keys.public.encode()),
                "leaderGrant": base64url.encode(grant),
            },
        )
        return keys


def open_account(folder: StateFolder) -> Account:
    profile, secrets = folder.load_profile(), folder.load_secrets()
    if secrets.token is None:
        raise NotLoggedIn
    return Account(folder, profile, secrets, Api(profile.origin, secrets.token))


def _member(row: dict[str, object]) -> Member:
    return Member(
        user=UUID(str(row["uuid"])),
        name=f"{row['firstName']} {row['lastName']}",
        email=str(row["emailAddress"]),
        is_leader=row["role"] == "teamLeader",
        is_active=bool(row["isActive"]),
        keys=PublicKeys.decode(base64url.decode(str(row["publicKeys"]))),
    )
