"""The leader's account actions: sessions, password, passphrase and authenticator."""

from base64 import b32decode
from typing import Any
from uuid import UUID

from chaos.company_client import CODE_GONE, CompanyClient
from chaos.person import Refused
from tessera.kit import clock, totp
from tessera_core.envelopes import new_key, seal_passphrase_pair
from tessera_core.kdf import new_salt, salt_to_text
from tests.factories.accounts import derived_secret, resealed_company_key, sealed_user_key

PASSPHRASE = "three clouds, one mosaic"


async def log_in(client: CompanyClient) -> None:
    person, credentials = client.person, {"emailAddress": client.email, "password": client.secret}
    while True:
        known = await person.sent(client.phone)
        await person.ask("POST", "/api/auth/login-onboard", json=credentials)
        otp = await person.newly_sent(client.phone, "", known)
        operation = person.journal.begin("log in", client.uuid, "session.started", repeats=True)
        try:
            made = await person.do(
                operation, "POST", "/api/auth/verify-otp", json={**credentials, "otp": otp}
            )
        except Refused as refusal:
            # The code was consumed by a call whose response never arrived.
            if refusal.code not in CODE_GONE:
                raise
        else:
            client.headers = {"Authorization": f"Bearer {made['access_token']}"}
            return


async def log_out(client: CompanyClient) -> None:
    await client.do(
        "log out", "session.ended", "POST", "/auth/logout", done="session_expired"
    )  # fmt: skip
    await log_in(client)


async def change_password(client: CompanyClient) -> None:
    stored = (await client.ask("/auth/keys"))["sealedCompanyKey"]
    sealed = resealed_company_key(stored, UUID(client.leader), UUID(client.uuid))
    new = {**_new_password(client), "companyKey": sealed}
    await client.do(
        "change password",
        "password.changed",
        "PUT",
        "/auth/password",
        values={"secret": new["password"]},
        done="old_password_wrong",
        json={"oldPassword": client.secret, **new},
    )
    client.secret = new["password"]


async def reset_password(client: CompanyClient) -> None:
    person, page = client.person, "/reset-password"
    known = await person.sent(client.email, page)
    body = {"emailAddress": client.email}
    await person.ask("POST", "/api/auth/forgot-password", json=body)
    new = _new_password(client)
    token = await person.newly_sent(client.email, page, known)
    await client.do(
        "reset password",
        "password.reset",
        "POST",
        "/auth/reset-password",
        values={"secret": new["password"]},
        done="link_used",
        json={"token": token, **new},
    )
    client.secret = new["password"]
    await log_in(client)


async def change_passphrase(
    client: CompanyClient, passphrase: str = PASSPHRASE, user_key: bytes | None = None
) -> None:
    """Only those who later open the passphrase need to know the user's key."""
    pair = seal_passphrase_pair(
        passphrase,
        user_key=user_key or new_key(),
        uid=client.leader,
        cid=client.uuid,
        epoch=client.epoch + 1,
    )
    await client.do(
        "change passphrase",
        "passphrase.changed",
        "PUT",
        "/company/passphrase",
        done="passphrase_epoch_stale",
        json={"passphrase": pair},
    )
    client.epoch += 1


async def use_authenticator(client: CompanyClient) -> None:
    """Turns an authenticator app on and off again."""
    started = await client.do(
        "start authenticator",
        "authenticator.started",
        "POST",
        "/auth/authenticator",
        repeats=True,
    )
    secret = b32decode(started["secret"])
    await client.do(
        "turn authenticator on",
        "authenticator.turnedOn",
        "POST",
        "/auth/authenticator/confirm",
        done="authenticator_not_started",
        json={"otp": totp.code_at(secret, totp.step_at(clock.now()))},
    )
    await client.do(
        "turn authenticator off",
        "authenticator.turnedOff",
        "DELETE",
        "/auth/authenticator",
        done="authenticator_not_on",
    )


def _new_password(client: CompanyClient) -> dict[str, Any]:
    salt = new_salt()
    return {
        "password": derived_secret(),
        "salt": salt_to_text(salt),
        "userKey": sealed_user_key(UUID(client.leader), UUID(client.uuid), salt),
    }
