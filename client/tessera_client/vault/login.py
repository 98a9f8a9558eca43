"""Logging in, with the same key derivation as the browser."""

import platform
from dataclasses import dataclass, replace
from uuid import UUID

from tessera_client.errors import ClientError, NeedsInput, Refused
from tessera_client.texts import translate
from tessera_client.transfer.api import Answer, Api
from tessera_client.vault.profile import Profile, Secrets, StateFolder
from tessera_client.version import __version__
from tessera_core.envelopes import open_user_key
from tessera_core.errors import Malformed, NotAuthentic
from tessera_core.kdf import KDF_VERSION, Derived, derive, salt_from_text


@dataclass(frozen=True)
class Login:
    """A password, derived once for both steps."""

    api: Api
    email: str
    salt: str
    derived: Derived

    def send_code(self) -> Answer:
        body = {"emailAddress": self.email, "password": self.derived.auth}
        return self.api.post("/auth/login-onboard", body)

    def finish(
        self, folder: StateFolder, code: str, device: str, allowed_hosts: tuple[str, ...]
    ) -> Profile:
        """Opens the session and the user's key, and stores both."""
        session = self.api.post(
            "/auth/verify-otp",
            {
                "emailAddress": self.email,
                "password": self.derived.auth,
                "otp": code,
                "client": {
                    "name": device,
                    "system": platform.system() or "unknown",
                    "version": __version__,
                },
            },
        )
        user = session["user"]
        profile = Profile(
            origin=self.api.origin,
            email=self.email,
            device=device,
            user=UUID(user["uuid"]),
            company=UUID(user["companyUuid"]),
            company_name=user["companyName"],
            name=f"{user['firstName']} {user['lastName']}",
            salt=self.salt,
            sealed_user_key=session["sealedUserKey"],
            allowed_hosts=allowed_hosts,
        )
        secrets = Secrets(session["access_token"], self._open(profile, session["salt"]))
        known = folder.load_profile() if folder.has_profile() else None
        if known and known.user == profile.user:
            profile = replace(profile, keys_revision=known.keys_revision)
            held = folder.load_secrets()
            secrets = replace(held, token=secrets.token, user_key=secrets.user_key)
        folder.save_profile(profile)
        folder.save_secrets(secrets)
        return profile

    def _open(self, profile: Profile, salt: str) -> bytes:
        try:
            return open_user_key(
                profile.sealed_user_key,
                wrap_key=self.derived.wrap_key,
                uid=str(profile.user),
                cid=str(profile.company),
                salt=salt_from_text(salt),
            )
        except (NotAuthentic, Malformed):
            raise Refused(translate("errors.user_key_refused"), code="user_key_refused") from None


def prepare_login(
    api: Api, folder: StateFolder, email: str, password: str, *, new_salt: bool = False
) -> Login:
    """Asks for the account's salt. A changed one could be an attempt to weaken the derivation."""
    answer = api.post("/auth/prelogin", {"emailAddress": email}, repeat=True)
    salt = str(answer["salt"])
    if answer["kdf"] != KDF_VERSION:
        raise ClientError(translate("errors.client_too_old"), code="client_too_old")
    if not new_salt and folder.has_profile():
        known = folder.load_profile()
        same_account = (known.origin, known.email.casefold()) == (api.origin, email.casefold())
        if same_account and known.salt != salt:
            raise NeedsInput(translate("errors.salt_changed"), code="salt_changed")
    return Login(api, email, salt, derive(password, salt_from_text(salt)))
