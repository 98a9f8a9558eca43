"""What people type: passwords, codes and words, or what scripts hand over instead."""

import getpass
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from tessera_client.commands.given_secrets import given_secret
from tessera_client.commands.output import notice
from tessera_client.errors import NeedsInput, WrongUsage
from tessera_client.texts import translate, visible_lines
from tessera_client.transfer.answers import CodeSent
from tessera_client.transfer.api import Api, ApiError
from tessera_client.transfer.links import Bandwidth, parse_rate
from tessera_client.vault.login import request_code, verify_code
from tessera_client.vault.profile import StateFolder
from tessera_client.vault.vault import Vault, open_vault
from tessera_core.errors import Malformed
from tessera_core.recovery import code_from_text

Result = TypeVar("Result")


def is_interactive() -> bool:
    return sys.stdin.isatty() and sys.stderr.isatty()


def ask(question: str) -> str:
    sys.stderr.write(visible_lines(f"{question}: "))
    sys.stderr.flush()
    return sys.stdin.readline().strip()


def confirm(question: str) -> None:
    """Goes on if somebody types y; without a terminal `--yes` is needed."""
    if not is_interactive():
        raise NeedsInput.from_code("confirmation_required")
    if ask(f"{question} [y/N]").lower() not in {"y", "yes"}:
        raise WrongUsage.from_code("cancelled")


def confirm_by_name(question: str, name: str) -> None:
    """Goes on if somebody types the name; without a terminal `--yes` is needed."""
    if not is_interactive():
        raise NeedsInput.from_code("confirmation_required")
    if ask(f"{question} [{name}]") != name:
        raise WrongUsage.from_code("cancelled")


def read_password(*, from_stdin: bool = False) -> str | None:
    """From stdin, from TESS_PASSWORD, or typed; None if there is nobody to ask."""
    if from_stdin:
        return sys.stdin.readline().rstrip("\r\n")
    password = given_secret("TESS_PASSWORD")
    if password is None and is_interactive():
        password = getpass.getpass(f"{translate('prompts.password')}: ")
    return password


def require_password(*, from_stdin: bool = False) -> str:
    password = read_password(from_stdin=from_stdin)
    if not password:
        raise NeedsInput.from_code("password_required")
    return password


def read_secret(variable: str, question: str, *, twice: bool = False) -> str:
    """From the environment, or typed without echo."""
    value = given_secret(variable)
    if value is None and is_interactive():
        value = getpass.getpass(f"{question}: ")
        again = translate("prompts.again", question=question)
        if twice and getpass.getpass(f"{again}: ") != value:
            raise WrongUsage.from_code("entries_differ")
    if not value:
        missing = translate("errors.secret_required", name=question, variable=variable)
        raise NeedsInput(missing, code="secret_required")
    return value


def read_share_password(*, from_stdin: bool = False) -> str:
    """Never the account's: whoever made the link could guess at what is typed here."""
    if from_stdin:
        password: str | None = sys.stdin.readline().rstrip("\r\n")
    else:
        password = given_secret("TESS_SHARE_PASSWORD")
        if password is None and is_interactive():
            password = getpass.getpass(f"{translate('prompts.share_password')}: ")
    if not password:
        raise NeedsInput.from_code("share_password_required")
    return password


def read_kit_secrets() -> tuple[str, bytes]:
    """The company's passphrase and the file recovery code."""
    passphrase = read_secret("TESS_PASSPHRASE", translate("prompts.passphrase"))
    code = read_secret("TESS_RECOVERY_CODE", translate("prompts.recovery_code"))
    try:
        return passphrase, code_from_text(code)
    except Malformed:
        raise WrongUsage.from_code("code_malformed") from None


@contextmanager
def vault(bandwidth: str | None = None) -> Iterator[Vault]:
    """The account's vault; asks for the password if the keys are locked."""
    folder = StateFolder.from_environment()
    password = None
    if folder.has_profile() and folder.load_secrets().user_key is None:
        password = read_password()
    limit = Bandwidth(parse_rate(bandwidth)) if bandwidth else None
    with open_vault(folder, password, limit) as opened:
        yield opened
        for alarm in opened.alarms:
            notice(alarm)


def with_verification(api: Api, code: str | None, action: Callable[[], Result]) -> Result:
    """Does what needs verified access: sends a code, and asks for it or says that it was sent."""
    if code:
        verify_code(api, code)
        return action()
    try:
        return action()
    except ApiError as error:
        if error.code != "verification_required":
            raise
    verify_code(api, enter_code(lambda: request_code(api)))
    return action()


def enter_code(send: Callable[[], CodeSent]) -> str:
    """Sends a code and asks for it; without a terminal the command ends here and is repeated with
    it. A code that was sent a moment ago is still good."""
    try:
        sent = send()
    except ApiError as error:
        if error.code != "code_too_soon":
            raise
        sent = CodeSent("sms")
    if sent.method == "totp":
        where = translate("prompts.code_app")
    elif sent.sent_to:
        where = translate("prompts.code_sent", target=sent.sent_to)
    else:
        where = translate("prompts.code_sent_before")
    if not is_interactive():
        raise NeedsInput(
            translate("errors.code_required", where=where),
            code="code_required",
            details={"method": sent.method},
        )
    return ask(where)
