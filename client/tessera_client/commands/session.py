"""Logging in and out, and the state of this computer."""

import platform
from typing import Annotated

import typer

from tessera_client.commands.output import Result
from tessera_client.commands.prompts import enter_code, require_password, send_code, vault
from tessera_client.errors import NeedsInput
from tessera_client.transfer.api import Api, ApiError, normalize_origin
from tessera_client.vault.account import open_account
from tessera_client.vault.login import prepare_login
from tessera_client.vault.profile import StateFolder
from tessera_client.vault.spaces import Space
from tessera_client.vault.vault import Vault


def login(
    url: Annotated[str, typer.Argument(help="Address of the service.")],
    email: Annotated[str, typer.Option(help="E-mail address of your account.")],
    device: Annotated[str, typer.Option(help="Name of this computer.")] = "",
    code: Annotated[str | None, typer.Option(help="The code that was sent to you.")] = None,
    password_stdin: Annotated[
        bool, typer.Option("--password-stdin", help="Read the password from stdin.")
    ] = False,
    new_salt: Annotated[
        bool, typer.Option("--new-salt", help="Accept a changed password or reset.")
    ] = False,
    allow_host: Annotated[
        list[str] | None, typer.Option(help="Also store on this host (own S3 service).")
    ] = None,
) -> Result:
    """Log in on this computer.

    Without a terminal the command exits with 3 after the code was sent; the same command with
    --code finishes.

    Example: tess login https://tessera.example --email ada@example.com
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
    text = f"Logged in as {profile.name} ({profile.company_name})."
    if made:
        text += "\nYour keys were made. See them as words with: tess words"
    data = {
        "user": str(profile.user),
        "company": str(profile.company),
        "email": profile.email,
        "device": profile.device,
        "keysCreated": made,
    }
    return Result(data, text)


def logout() -> Result:
    """End the session and remove token and keys from this computer.

    Example: tess logout
    """
    open_account(StateFolder.from_environment()).log_out()
    return Result({"loggedOut": True}, "Logged out.")


def lock() -> Result:
    """Remove the keys from this computer until the password is entered again.

    Example: tess lock
    """
    open_account(StateFolder.from_environment()).lock()
    return Result({"locked": True}, "Locked. The next command asks for your password.")


def status() -> Result:
    """Show the account, its spaces, and what needs attention.

    Example: tess status
    """
    with vault() as opened:
        profile = opened.account.profile
        is_leader = opened.account.is_leader()
        spaces, problem = _open_spaces(opened)
        pending = opened.journal.count()
        warnings, waiting = [problem] if problem else [], list[str]()
        if is_leader:
            if not _has_kit(opened):
                warnings.append("There is no recovery kit yet. Run: tess recovery-kit --to FILE")
            waiting, problems = _members_to_settle(opened, spaces)
            warnings += problems
        if pending:
            warnings.append(f"{pending} packs have not been sent completely. Run: tess put")
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
        f"Service: {profile.origin}   Device: {profile.device}",
        f"Spaces: {', '.join(names) or 'none'}",
        *(f"{email} waits for a grant." for email in waiting),
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
                f'{member.email} was disabled. Run: tess revoke {member.email} "{name}"'
                for name in known
            ]
        elif not known:
            waiting.append(member.email)
        elif member.user != opened.account.user:
            problems += [
                f"{member.email} has new keys. Compare the words and run:"
                f' tess grant {member.email} "{name}"'
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
