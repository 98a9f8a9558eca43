"""The recovery kit: the recovery pair, sealed by the passphrase and a printed code."""

import html
from dataclasses import dataclass
from datetime import UTC, datetime

from tessera_client.errors import ClientError, Refused
from tessera_client.transfer.api import ApiError
from tessera_client.vault.account import Account
from tessera_core import base64url
from tessera_core.envelopes import open_passphrase_pair
from tessera_core.errors import Malformed, NotAuthentic
from tessera_core.recovery import SealedRecovery, code_to_text, new_code, seal_recovery
from tessera_core.user_keys import PrivateKeys


@dataclass(frozen=True)
class Kit:
    company_name: str
    code: str
    counter: int


def company_passphrase(account: Account) -> str | None:
    """Opens the company's passphrase; None if it is locked for this user."""
    try:
        sealed = account.api.get("/company/passphrase")
        return open_passphrase_pair(
            sealed, user_key=account.user_key, uid=str(account.user), cid=str(account.company)
        )
    except ApiError as error:
        if error.code != "passphrase_locked":
            raise
    except (NotAuthentic, Malformed):
        pass
    return None


def make_kit(account: Account, passphrase: str) -> Kit:
    """Seals the recovery pair anew; older kits with their codes keep working."""
    recovery = account.recovery_keys()
    stored = account.api.get("/storage/recovery")
    counter, code = int(stored["counter"]) + 1, new_code()
    try:
        sealed = seal_recovery(recovery, passphrase, code, company=account.company, counter=counter)
    except ValueError as error:
        raise ClientError(
            f"The passphrase cannot be used: {error}.", code="bad_passphrase"
        ) from None
    account.api.put(
        "/storage/recovery",
        {
            "counter": counter,
            "publicKeys": stored["publicKeys"],
            "leaderGrant": stored["leaderGrant"],
            "sealed": base64url.encode(sealed.encode()),
        },
    )
    return Kit(account.profile.company_name, code_to_text(code), counter)


def open_kit(account: Account, passphrase: str, code: bytes) -> PrivateKeys:
    """Opens the newest kit that the service stores."""
    stored = account.api.get("/storage/recovery")
    if stored["sealed"] is None:
        raise ClientError("There is no recovery kit.", code="kit_missing")
    try:
        sealed = SealedRecovery.decode(base64url.decode(stored["sealed"]))
        keys = sealed.open(passphrase, code)
    except NotAuthentic:
        raise ClientError(
            "The passphrase or the file recovery code is wrong.", code="recovery_not_opened"
        ) from None
    if keys.public.encode() != base64url.decode(stored["publicKeys"]):
        raise Refused("The service shows other recovery keys.", code="recovery_swapped")
    return keys


_STEPS = (
    "Copy the folder of each warehouse that you can still reach to this computer, with any tool.",
    "Install the client. It needs no connection for this.",
    "Run: tess rescue COPY1 COPY2 ... --to OUT",
    "Enter the company's passphrase and the file recovery code.",
)


def kit_text(kit: Kit) -> str:
    steps = "\n".join(f"{number}. {step}" for number, step in enumerate(_STEPS, 1))
    return (
        f"Tessera recovery kit\n{kit.company_name}\n\n"
        f"File recovery code:  {kit.code}\n"
        f"Made on {_today()}, number {kit.counter}\n\n"
        "With this code and the company's passphrase, all files can be restored from copies of\n"
        "the warehouses, without the service. Print this page, keep it apart from the passphrase\n"
        "sheet, and delete the file.\n\n"
        f"{steps}\n"
    )


def kit_page(kit: Kit) -> str:
    steps = "".join(f"<li>{html.escape(step)}</li>" for step in _STEPS)
    return f"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Tessera recovery kit</title>
<style>
  body {{ font: 12pt/1.5 system-ui, sans-serif; max-width: 42em; margin: 3em auto; }}
  code {{ display: block; font-size: 16pt; padding: 1em; border: 1px solid; text-align: center; }}
</style>
<h1>Tessera recovery kit</h1>
<p>{html.escape(kit.company_name)}, made on {_today()}, number {kit.counter}</p>
<h2>File recovery code</h2>
<code>{kit.code}</code>
<p>With this code and the company's passphrase, all files can be restored from copies of the
warehouses, without the service. Print this page, keep it apart from the passphrase sheet, and
delete the file.</p>
<ol>{steps}</ol>
</html>
"""


def _today() -> str:
    return datetime.now(UTC).date().isoformat()
