"""The leader's own account: sessions, the password, the passphrase."""

from typing import Any
from uuid import UUID

from faults.firm import CODE_GONE, Firm
from faults.person import Refused
from tessera.kit.derivation import new_salt, salt_to_text
from tessera.kit.envelopes import new_key, seal_passphrase_pair
from tests.factories import derived_secret, sealed_user_key


async def log_in(firm: Firm) -> None:
    person, credentials = firm.person, {"emailAddress": firm.email, "password": firm.secret}
    while True:
        known = await person.sent(firm.phone)
        await person.ask("POST", "/api/auth/login-onboard", json=credentials)
        otp = await person.newly_sent(firm.phone, "", known)
        deed = person.journal.begin("log in", firm.uuid, "session.started", repeats=True)
        try:
            made = await person.do(
                deed, "POST", "/api/auth/verify-otp", json={**credentials, "otp": otp}
            )
        except Refused as refusal:
            # Used without an answer.
            if refusal.code not in CODE_GONE:
                raise
        else:
            firm.headers = {"Authorization": f"Bearer {made['access_token']}"}
            return


async def log_out(firm: Firm) -> None:
    await firm.do(
        "log out", "session.ended", "POST", "/auth/logout", done="session_expired"
    )  # fmt: skip
    await log_in(firm)


async def change_password(firm: Firm) -> None:
    new = _new_password(firm)
    await firm.do(
        "change password",
        "password.changed",
        "PUT",
        "/auth/password",
        told={"secret": new["password"]},
        done="old_password_wrong",
        json={"oldPassword": firm.secret, **new},
    )
    firm.secret = new["password"]


async def reset_password(firm: Firm) -> None:
    person, page = firm.person, "/reset-password"
    known = await person.sent(firm.email, page)
    body = {"emailAddress": firm.email}
    await person.ask("POST", "/api/auth/forgot-password", json=body)
    new = _new_password(firm)
    token = await person.newly_sent(firm.email, page, known)
    await firm.do(
        "reset password",
        "password.reset",
        "POST",
        "/auth/reset-password",
        told={"secret": new["password"]},
        done="link_used",
        json={"token": token, **new},
    )
    firm.secret = new["password"]
    await log_in(firm)


async def change_passphrase(firm: Firm) -> None:
    pair = seal_passphrase_pair(
        "three clouds, one mosaic",
        user_key=new_key(),
        uid=firm.leader,
        cid=firm.uuid,
        epoch=firm.epoch + 1,
    )
    await firm.do(
        "change passphrase",
        "passphrase.changed",
        "PUT",
        "/company/passphrase",
        done="passphrase_epoch_stale",
        json={"passphrase": pair},
    )
    firm.epoch += 1


def _new_password(firm: Firm) -> dict[str, Any]:
    salt = new_salt()
    return {
        "password": derived_secret(),
        "salt": salt_to_text(salt),
        "userKey": sealed_user_key(UUID(firm.leader), UUID(firm.uuid), salt),
    }
