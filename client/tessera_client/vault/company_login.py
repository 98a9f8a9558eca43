"""Logging in with an account of the company, which a browser confirms. The password is typed here
only, afterwards."""

import hashlib
import secrets
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from urllib.parse import urlencode

from tessera_client.errors import ClientError, NeedsInput
from tessera_client.transfer.answers import (
    CompanyLoginStarted,
    CompanyLoginState,
    OpenedSession,
)
from tessera_client.transfer.api import Api, ApiError
from tessera_client.vault.login import (
    Login,
    check_salt,
    describe_computer,
)
from tessera_client.vault.loopback import Loopback
from tessera_client.vault.profile import Profile, StateFolder
from tessera_core import base64url
from tessera_core.kdf import derive, salt_to_text

_CALLS = "/auth/sso/client-logins"


@dataclass(frozen=True)
class CompanyLogin:
    """A login that waits for its confirmation. Nobody else knows the verifier."""

    api: Api
    email: str
    device: str
    started: CompanyLoginStarted
    loopback: Loopback | None
    verifier: str = field(repr=False)

    @property
    def address(self) -> str:
        """Made here, so that the service cannot have any other page opened."""
        query = {"client": self.started.handle} if self.loopback else {"device": ""}
        return f"{self.api.origin}/login/company?{urlencode({**query, 'email': self.email})}"

    def wait(self) -> "ConfirmedLogin":
        if self.loopback is None:
            return self._poll()
        try:
            code = self.loopback.wait(self.started.expires_in)
        except TimeoutError:
            raise NeedsInput.from_code("company_login_expired") from None
        if code is None:
            raise ClientError.from_code("company_login_refused")
        confirmed = self._confirmed(code)
        if confirmed is None:
            raise NeedsInput.from_code("company_login_expired")
        return confirmed

    def _poll(self) -> "ConfirmedLogin":
        end = time.monotonic() + self.started.expires_in
        while time.monotonic() < end:
            confirmed = self._confirmed(None)
            if confirmed:
                return confirmed
            time.sleep(self.started.interval)
        raise NeedsInput.from_code("company_login_expired")

    def _confirmed(self, code: str | None) -> "ConfirmedLogin | None":
        proof = {"handle": self.started.handle, "verifier": self.verifier, "code": code}
        try:
            state = self.api.post(f"{_CALLS}/state", CompanyLoginState, proof, repeat=True)
        except ApiError as error:
            if error.code == "sso_client_login_refused":
                raise ClientError.from_code("company_login_refused") from None
            if error.code == "sso_login_expired":
                raise NeedsInput.from_code("company_login_expired") from None
            raise
        if not state.confirmed or state.salt is None or state.email_address is None:
            return None
        # Somebody else may have confirmed it, so that this computer works for their account.
        if state.email_address.casefold() != self.email.casefold():
            raise ClientError.from_code("company_login_of_other", email=state.email_address)
        return ConfirmedLogin(self, proof, state.salt)


@dataclass(frozen=True)
class ConfirmedLogin:
    login: CompanyLogin
    proof: dict[str, str | None] = field(repr=False)
    salt: bytes

    def finish(
        self,
        folder: StateFolder,
        password: str,
        allow_hosts: Iterable[str] = (),
        *,
        new_salt: bool = False,
    ) -> Profile:
        """Opens the session and the user's key, and stores both."""
        api, email = self.login.api, self.login.email
        salt = salt_to_text(self.salt)
        if not new_salt:
            check_salt(folder, api, email, salt)
        derived = derive(password, self.salt)
        body = {**self.proof, "password": derived.auth}
        session = api.post(f"{_CALLS}/finish", OpenedSession, body)
        login = Login(api, email, salt, derived)
        return login.keep(folder, session, self.login.device, allow_hosts)


def start_company_login(
    api: Api, email: str, device: str, loopback: Loopback | None
) -> CompanyLogin | None:
    """None if the company of the address's domain has no provider. Without a loopback port, the
    person types a code into a browser elsewhere."""
    verifier = secrets.token_urlsafe(32)
    challenge = hashlib.sha256(verifier.encode()).digest()
    computer = describe_computer(device)
    body = {
        "emailAddress": email,
        "client": computer,
        "challenge": base64url.encode(challenge),
        "redirect": loopback and {"port": loopback.port, "state": loopback.state},
    }
    try:
        started = api.post(_CALLS, CompanyLoginStarted, body)
    except ApiError as error:
        if error.code == "sso_not_available":
            return None
        raise
    return CompanyLogin(api, email, computer["name"], started, loopback, verifier)
