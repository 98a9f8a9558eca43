"""The recovery kit: the recovery pair, sealed by the passphrase and a printed code."""

import html
import textwrap
from dataclasses import dataclass
from datetime import UTC, datetime

from tessera_client.errors import ClientError, Refused, WrongUsage
from tessera_client.texts import current_language, entry, translate
from tessera_client.transfer.answers import Unread
from tessera_client.transfer.api import ApiError
from tessera_client.vault.account import Account
from tessera_client.vault.vault import Vault
from tessera_core import base64url
from tessera_core.envelopes import open_passphrase_pair
from tessera_core.errors import Malformed, NotAuthentic
from tessera_core.passphrases import normalize_passphrase
from tessera_core.recovery import SealedRecovery, code_to_text, new_code, seal_recovery
from tessera_core.user_keys import PrivateKeys


def describe_time(milliseconds: int) -> str:
    """A question mark for times that no calendar has: authors say when an entry was written."""
    try:
        return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")
    except (ValueError, OverflowError, OSError):
        return "?"


@dataclass(frozen=True)
class SpaceEnd:
    """Where a space's log ended when the kit was made: an older copy shows."""

    name: str
    sequence: int
    hash: bytes
    time: int

    def describe(self) -> str:
        when = describe_time(self.time)
        return translate(
            "kit.space_end", name=self.name, sequence=self.sequence, hash=self.hash.hex()[:32],
            time=_isolate(when),
        )  # fmt: skip


@dataclass(frozen=True)
class Kit:
    company_name: str
    code: str
    counter: int
    record: int
    """Counter of the recovery record that names the pair."""
    fingerprint: str
    """Of the pair, as 32 hexadecimal digits."""
    spaces: tuple[SpaceEnd, ...] = ()


def check_passphrase(account: Account, typed: str) -> bool:
    """Refuses another passphrase than the company's; returns False if that is not known.

    A kit must open with what the leader knows: one that the service hands out could be anything.
    """
    known = _company_passphrase(account)
    if known is None:
        return False
    if normalize_passphrase(known) != normalize_passphrase(typed):
        raise WrongUsage.from_code("other_passphrase")
    return True


def _company_passphrase(account: Account) -> str | None:
    """Opens the company's passphrase; None if it is locked for this user."""
    try:
        sealed = account.api.get("/company/passphrase", str)
        return open_passphrase_pair(
            sealed, user_key=account.user_key, uid=str(account.user), cid=str(account.company)
        )
    except ApiError as error:
        if error.code not in {"passphrase_locked", "passphrase_missing"}:
            raise
    except (NotAuthentic, Malformed):
        pass
    return None


def make_kit(vault: Vault, passphrase: str) -> Kit:
    """Reseals the recovery pair; older kits with their codes keep working.

    What is stored is opened again before the kit counts.
    """
    account, recovery = vault.account, vault.recovery
    pair, record = recovery.held(), recovery.records[-1]
    counter, code = recovery.kit_counter + 1, new_code()
    try:
        sealed = seal_recovery(
            pair, passphrase, code,
            company=account.company, counter=counter, record=record.counter,
        )  # fmt: skip
    except ValueError:
        raise ClientError.from_code("bad_passphrase") from None
    body = {"counter": counter, "sealed": base64url.encode(sealed.encode())}
    account.api.put("/storage/recovery/kit", Unread, body)
    recovery.forget()
    if open_kit(vault, passphrase, code) != pair:
        raise Refused.from_code("recovery_swapped")
    spaces = []
    for space in vault.spaces():
        space.flush()
        state = space.state
        spaces.append(SpaceEnd(space.label, state.sequence, state.head, state.time))
    fingerprint = record.keys.fingerprint.hex()[:32]
    return Kit(
        account.profile.company_name, code_to_text(code), counter, record.counter, fingerprint,
        tuple(spaces),
    )  # fmt: skip


def open_kit(vault: Vault, passphrase: str, code: bytes) -> PrivateKeys:
    """Opens the newest kit that the service stores; its pair must be one that a record names."""
    stored = vault.recovery.sealed_kit
    if stored is None:
        raise ClientError.from_code("kit_missing")
    try:
        keys = SealedRecovery.decode(stored).open(passphrase, code)
    except (Malformed, NotAuthentic):
        raise ClientError.from_code("recovery_not_opened") from None
    if all(record.keys != keys.public for record in vault.recovery.records):
        raise Refused.from_code("recovery_swapped")
    return keys


_COMMAND = "tess rescue COPY1 COPY2 ... --to OUT"


def kit_text(kit: Kit) -> str:
    """The kit as plain text. Isolates keep code and command in order in right-to-left text."""
    steps = [
        f"{number}. {step}" + (f" {_isolate(_COMMAND)}" if key == "run" else "")
        for number, (key, step) in enumerate(entry("kit.steps").items(), 1)
    ]
    lines = [
        translate("kit.title"),
        kit.company_name,
        "",
        f"{translate('prompts.recovery_code')}:  {_isolate(kit.code)}",
        translate("kit.made", date=_isolate(_today()), counter=kit.counter),
        translate("kit.record", counter=kit.record, fingerprint=_isolate(kit.fingerprint)),
        "",
        *textwrap.wrap(translate("kit.purpose"), 88),
        "",
        *steps,
        "",
        translate("kit.spaces"),
        *(end.describe() for end in kit.spaces),
    ]
    return "\n".join(lines) + "\n"


def kit_page(kit: Kit) -> str:
    language = current_language()
    title = html.escape(translate("kit.title"))
    made = html.escape(translate("kit.made", date=_isolate(_today()), counter=kit.counter))
    command = f' <kbd dir="ltr">{html.escape(_COMMAND)}</kbd>'
    steps = "\n".join(
        f"<li>{html.escape(step)}{command if key == 'run' else ''}</li>"
        for key, step in entry("kit.steps").items()
    )
    record = html.escape(
        translate("kit.record", counter=kit.record, fingerprint=_isolate(kit.fingerprint))
    )
    ends = "\n".join(f"<li>{html.escape(end.describe())}</li>" for end in kit.spaces)
    return f"""<!doctype html>
<html lang="{language}" dir="{language.direction}">
<meta charset="utf-8">
<title>{title}</title>
<style>
  body {{ font: 12pt/1.5 system-ui, sans-serif; max-width: 42em; margin: 3em auto; }}
  code {{ display: block; font-size: 16pt; padding: 1em; border: 1px solid; text-align: center; }}
  kbd {{ font-family: ui-monospace, monospace; unicode-bidi: isolate; }}
</style>
<h1>{title}</h1>
<p><bdi>{html.escape(kit.company_name)}</bdi><br>{made}<br>{record}</p>
<h2>{html.escape(translate("prompts.recovery_code"))}</h2>
<code dir="ltr">{kit.code}</code>
<p>{html.escape(translate("kit.purpose"))}</p>
<ol>
{steps}
</ol>
<h2>{html.escape(translate("kit.spaces"))}</h2>
<ul>
{ends}
</ul>
</html>
"""


def _isolate(text: str) -> str:
    """Keeps left-to-right text together within a line of the other direction."""
    return f"\u2066{text}\u2069" if current_language().direction == "rtl" else text


def _today() -> str:
    return datetime.now(UTC).date().isoformat()
