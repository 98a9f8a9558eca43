"""Logging in and out, and the state of this computer."""

import platform
from typing import Annotated

import typer

from tessera_client.commands.output import Result
from tessera_client.commands.prompts import enter_code, require_password, send_code, vault
from tessera_client.errors import NeedsInput
from tessera_client.texts import translate
from tessera_client.transfer.api import Api, ApiError, normalize_origin
from tessera_client.vault.account import open_account
from tessera_client.vault.login import prepare_login
from tessera_client.vault.profile import StateFolder
from tessera_client.vault.spaces import Space
from tessera_client.vault.vault import Vault


def login(
    url: Annotated[str, typer.Argument(help="options.url")],
    email: Annotated[str, typer.Option(help="options.own_email")],
    device: Annotated[str, typer.Option(help="options.device")] = "",
    code: Annotated[str | None, typer.Option(help="options.code")] = None,
    password_stdin: Annotated[
        bool, typer.Option("--password-stdin", help="options.password_stdin")
    ] = False,
    new_salt: Annotated[bool, typer.Option("--new-salt", help="options.new_salt")] = False,
    allow_host: Annotated[
        list[str] | None, typer.Option(help="options.allow_host", metavar="HOST")
    ] = None,
) -> Result:
    """Logs in on this computer.

    Without a terminal the command exits with 3 after the code was sent; the same command with
    --code finishes.
    """
    folder = StateFolder.from_environment()
    password = require_password(from_stdin=password_stdin)
    api = Api(normalize_origin(url))
    prepared = prepare_login(api, folder, email, password, new_salt=new_salt)
    if code is None:
        code = enter_code(send_code(prepared.send_code))
    hosts = {*(allow_host or [])}
    if folder.has_profile() and (known := folder.load_profile()).origin == api.origin:
        hosts |= {*known.allowed_hosts}
    name = device or platform.node() or "computer"
    profile = prepared.finish(folder, code.strip(), name, tuple(sorted(hosts)))
    account = open_account(folder)
    made = not account.has_stored_keys()
    _ = account.keys
    text = translate("results.logged_in", name=profile.name, company=profile.company_name)
    if made:
        text += f"\n{translate('results.keys_made')}"
    data = {
        "user": str(profile.user),
        "company": str(profile.company),
        "email": profile.email,
        "device": profile.device,
        "keysCreated": made,
    }
    return Result(data, text)


def logout() -> Result:
    """Ends the session and removes token and keys from this computer."""
    open_account(StateFolder.from_environment()).log_out()
    return Result({"loggedOut": True}, translate("results.logged_out"))


def lock() -> Result:
    """Removes the keys from this computer until the password is entered again."""
    open_account(StateFolder.from_environment()).lock()
    return Result({"locked": True}, translate("results.locked"))


def status() -> Result:
    """Shows the account, its spaces, and what needs attention."""
    with vault() as opened:
        profile = opened.account.profile
        is_leader = opened.account.is_leader()
        spaces, problem = _open_spaces(opened)
        pending = opened.journal.count()
        warnings, waiting = [problem] if problem else [], list[str]()
        if is_leader:
            if not _has_kit(opened):
                warnings.append(translate("errors.kit_missing"))
            waiting, problems = _members_to_settle(opened, spaces)
            warnings += problems
        if pending:
            warnings.append(translate("status.pending", count=pending))
    names = [space.name or str(space.id) for space in spaces]
    data = {
        "origin": profile.origin,
        "email": profile.email,
        "user": str(profile.user),
        "company": profile.company_name,
        "device": profile.device,
        "isLeader": is_leader,
        "spaces": names,
        "waiting": waiting,
        "pendingPacks": pending,
        "warnings": warnings,
    }
    lines = [
        f"{profile.name} <{profile.email}>, {profile.company_name}",
        translate("status.service", origin=profile.origin, device=profile.device),
        translate("status.spaces", names=", ".join(names) or translate("status.none")),
        *(translate("status.waits", email=email) for email in waiting),
        *(f"! {warning}" for warning in warnings),
    ]
    return Result(data, "\n".join(lines))


def _open_spaces(opened: Vault) -> tuple[list[Space], str | None]:
    try:
        return opened.spaces(), None
    except NeedsInput as missing:
        return [], str(missing)


def _members_to_settle(opened: Vault, spaces: list[Space]) -> tuple[list[str], list[str]]:
    """Who has keys and no space yet; and who is still in one with former keys or disabled."""
    waiting, problems = [], []
    for member in opened.account.members():
        inside = {space.name: space.state.members.get(member.user) for space in spaces}
        known = {name: keys for name, keys in inside.items() if keys is not None}
        if not member.is_active:
            problems += [
                translate("status.disabled", email=member.email, space=name) for name in known
            ]
        elif not known:
            waiting.append(member.email)
        elif member.user != opened.account.user:
            problems += [
                translate("status.new_keys", email=member.email, space=name)
                for name, keys in known.items()
                if keys != member.keys
            ]
    return waiting, problems


def _has_kit(opened: Vault) -> bool:
    try:
        return opened.account.api.get("/storage/recovery")["sealed"] is not None
    except ApiError as error:
        if error.code != "recovery_missing":
            raise
        return False
