"""Logging in, with the same key derivation as the browser."""

import platform
from collections.abc import Iterable
from dataclasses import dataclass, replace

from tessera_client.errors import ClientError, NeedsInput, Refused
from tessera_client.transfer.answers import CodeSent, OpenedSession, Prelogin, Verified
from tessera_client.transfer.api import Api
from tessera_client.vault.profile import Profile, Secrets, StateFolder
from tessera_core.envelopes import open_user_key
from tessera_core.errors import Malformed, NotAuthentic
from tessera_core.kdf import KDF_VERSION, Derived, derive, salt_to_text
from tessera_core.version import __version__


@dataclass(frozen=True)
class Login:
    """A password, derived once for both steps."""

    api: Api
    email: str
    salt: str
    derived: Derived

    def send_code(self) -> CodeSent:
        body = {"emailAddress": self.email, "password": self.derived.auth}
        return self.api.post("/auth/login-onboard", CodeSent, body)

    def finish(
        self, folder: StateFolder, code: str, device: str, allow_hosts: Iterable[str] = ()
    ) -> Profile:
        """Opens the session and the user's key, and stores both."""
        computer = describe_computer(device)
        session = self.api.post(
            "/auth/verify-otp",
            OpenedSession,
            {
                "emailAddress": self.email,
                "password": self.derived.auth,
                "otp": code.strip(),
                "client": computer,
            },
        )
        return self.keep(folder, session, computer["name"], allow_hosts)

    def keep(
        self, folder: StateFolder, session: OpenedSession, device: str, allow_hosts: Iterable[str]
    ) -> Profile:
        user, hosts = session.user, {*allow_hosts}
        known = folder.load_profile() if folder.has_profile() else None
        if known and known.origin == self.api.origin:
            hosts |= {*known.allowed_hosts}
        profile = Profile(
            origin=self.api.origin,
            email=self.email,
            device=device,
            user=user.uuid,
            company=user.company_uuid,
            company_name=user.company_name,
            name=f"{user.first_name} {user.last_name}",
            salt=self.salt,
            sealed_user_key=session.sealed_user_key,
            allowed_hosts=tuple(sorted(hosts)),
        )
        secrets = Secrets(session.access_token, self._open(profile, session.salt))
        if known and known.user == profile.user:
            profile = replace(profile, keys_revision=known.keys_revision)
            held = folder.load_secrets()
            secrets = replace(held, token=secrets.token, user_key=secrets.user_key)
        folder.save_profile(profile)
        folder.save_secrets(secrets)
        return profile

    def _open(self, profile: Profile, salt: bytes) -> bytes:
        try:
            return open_user_key(
                profile.sealed_user_key,
                wrap_key=self.derived.wrap_key,
                uid=str(profile.user),
                cid=str(profile.company),
                salt=salt,
            )
        except (NotAuthentic, Malformed):
            raise Refused.from_code("user_key_refused") from None


def prepare_login(
    api: Api, folder: StateFolder, email: str, password: str, *, new_salt: bool = False
) -> Login:
    """Asks for the account's salt. A changed one could be an attempt to weaken the derivation."""
    answer = api.post("/auth/prelogin", Prelogin, {"emailAddress": email}, repeat=True)
    salt = salt_to_text(answer.salt)
    if answer.kdf != KDF_VERSION:
        raise ClientError.from_code("client_too_old")
    if not new_salt:
        check_salt(folder, api, email, salt)
    return Login(api, email, salt, derive(password, answer.salt))


def check_salt(folder: StateFolder, api: Api, email: str, salt: str) -> None:
    if not folder.has_profile():
        return
    known = folder.load_profile()
    same_account = (known.origin, known.email.casefold()) == (api.origin, email.casefold())
    if same_account and known.salt != salt:
        raise NeedsInput.from_code("salt_changed")


def describe_computer(device: str) -> dict[str, str]:
    return {
        "name": device or platform.node() or "computer",
        "system": platform.system() or "unknown",
        "version": __version__,
    }


def request_code(api: Api) -> CodeSent:
    """Sends a code to somebody who is logged in, for what needs verified access."""
    return api.post("/auth/generate-otp", CodeSent)


def verify_code(api: Api, code: str) -> None:
    digits = code.replace(" ", "")
    if digits.isascii() and digits.isdigit():
        api.post(f"/auth/verify-otp/{digits}", Verified)
    else:
        api.post("/auth/verify-recovery-code", Verified, {"recoveryCode": code})
