"""Logging in and out, and the state of this computer."""

from typing import Annotated

import typer

from tessera_client.commands.company_login import confirm_in_browser
from tessera_client.commands.output import Result
from tessera_client.commands.people import Code
from tessera_client.commands.prompts import enter_code, require_password, vault
from tessera_client.errors import NeedsInput
from tessera_client.texts import translate, visible
from tessera_client.transfer.api import Api, normalize_origin
from tessera_client.vault.account import open_account
from tessera_client.vault.erasure import find_removal, forget_removal
from tessera_client.vault.kit import describe_time
from tessera_client.vault.login import prepare_login
from tessera_client.vault.members import list_members, list_removal_requests
from tessera_client.vault.profile import StateFolder
from tessera_client.vault.spaces import Space
from tessera_client.vault.vault import Vault
from tessera_client.vault.verify import describe_skipped
from tessera_core.recovery import SealedRecovery


def login(
    url: Annotated[str, typer.Argument(help="options.url")],
    email: Annotated[str, typer.Option(help="options.own_email")],
    device: Annotated[str, typer.Option(help="options.device")] = "",
    code: Code = None,
    password_stdin: Annotated[
        bool, typer.Option("--password-stdin", help="options.password_stdin")
    ] = False,
    new_salt: Annotated[bool, typer.Option("--new-salt", help="options.new_salt")] = False,
    after_reset: Annotated[bool, typer.Option("--after-reset", help="options.after_reset")] = False,
    allow_host: Annotated[
        list[str] | None, typer.Option(help="options.allow_host", metavar="HOST")
    ] = None,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="options.login_browser")
    ] = True,
    sso: Annotated[bool, typer.Option("--sso/--no-sso", help="options.sso")] = True,
) -> Result:
    """Logs in on this computer.

    Without a terminal the command exits with 3 after the code was sent; the same command with
    --code finishes.
    """
    folder = StateFolder.from_environment()
    api = Api(normalize_origin(url))
    confirmed = None
    if sso and code is None:
        confirmed = confirm_in_browser(api, email, device, browser=browser)
    password = require_password(from_stdin=password_stdin)
    is_new = new_salt or after_reset
    if confirmed:
        profile = confirmed.finish(folder, password, allow_host or (), new_salt=is_new)
    else:
        prepared = prepare_login(api, folder, email, password, new_salt=is_new)
        if code is None:
            code = enter_code(prepared.send_code)
        profile = prepared.finish(folder, code, device, allow_host or ())
    account = open_account(folder)
    if after_reset:
        account.confirm_reset()
    are_keys_new = not account.has_stored_keys()
    is_new_device = not are_keys_new and account.profile.keys_revision == 0
    _ = account.keys
    text = translate("results.logged_in", name=profile.name, company=profile.company_name)
    if are_keys_new:
        text += f"\n{translate('results.keys_made')}"
    if is_new_device:
        text += f"\n{translate('results.new_device')}"
    removal = find_removal(folder, profile.user)
    if removal:
        text += f"\n{translate('results.after_removal', count=removal.unsent)}"
        forget_removal(folder, profile.user)
    data = {
        "user": str(profile.user),
        "company": str(profile.company),
        "email": profile.email,
        "device": profile.device,
        "keysCreated": are_keys_new,
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
        spaces = opened.spaces()
        pending = opened.journal.count()
        is_kit_confirmed = opened.recovery.is_kit_confirmed
        warnings, waiting = [str(space.error) for space in opened.closed], list[str]()
        for space in spaces:
            warnings += describe_skipped(space)
        if is_leader:
            warnings += _kit_problems(opened, spaces)
            waiting, problems = _members_to_settle(opened, spaces)
            warnings += problems
        if pending:
            warnings.append(translate("status.pending", count=pending))
        try:
            record = opened.recovery.newest
        except NeedsInput as error:
            # Somebody who held the pair before could have added it.
            record = None
            warnings.append(str(error))
    names = [space.label for space in spaces]
    data = {
        "origin": profile.origin,
        "email": profile.email,
        "user": str(profile.user),
        "company": profile.company_name,
        "device": profile.device,
        "isLeader": is_leader,
        "spaces": names,
        "ends": [
            {
                "space": space.label,
                "sequence": space.state.sequence,
                "hash": space.state.head.hex(),
                "time": space.state.time,
                "skipped": [
                    {
                        "entry": body.sequence,
                        "author": str(body.author),
                        "verdict": str(body.verdict),
                    }
                    for body in space.snapshot.skipped
                ],
            }
            for space in spaces
        ],
        "record": record and {"counter": record.counter, "time": record.time},
        "kitConfirmed": is_kit_confirmed,
        "waiting": waiting,
        "pendingPacks": pending,
        "warnings": warnings,
    }
    ends = [
        translate(
            "status.end", space=space.label, sequence=space.state.sequence,
            time=describe_time(space.state.time), hash=space.state.head.hex()[:32],
        )
        for space in spaces
    ]  # fmt: skip
    if record:
        ends.append(
            translate("status.record", counter=record.counter, time=describe_time(record.time))
        )
    lines = [
        visible(f"{profile.name} <{profile.email}>, {profile.company_name}"),
        translate("status.service", origin=profile.origin, device=profile.device),
        translate("status.spaces", names=", ".join(names) or translate("status.none")),
        *ends,
        *(translate("status.waits", email=email) for email in waiting),
        *(f"! {warning}" for warning in warnings),
    ]
    return Result(data, "\n".join(lines))


def _members_to_settle(opened: Vault, spaces: list[Space]) -> tuple[list[str], list[str]]:
    """Who has keys and no space yet; and who is in one with former keys or without an account."""
    waiting, problems = [], []
    known_users = {opened.account.user}
    for member in list_members(opened.account):
        known_users.add(member.user)
        inside = {space.label: space.state.members.get(member.user) for space in spaces}
        keys_by_space = {name: keys for name, keys in inside.items() if keys is not None}
        if not keys_by_space:
            waiting += [member.email] if member.is_active and member.email else []
        elif member.user != opened.account.user and member.is_active:
            problems += [
                translate("status.new_keys", email=member.email, space=name)
                for name, keys in keys_by_space.items()
                if keys != member.keys
            ]
    removals = list_removal_requests(opened.account)
    known_users |= {request.user for request in removals}
    for request in removals:
        problems += [
            translate(
                "status.deleted" if request.is_deleted else "status.disabled",
                email=request.email or request.name, user=request.user, space=space.label,
            )
            for space in spaces
            if request.user in space.state.members
        ]  # fmt: skip
    emails = {member.user: member.email for member in list_members(opened.account)}
    problems += [
        translate("status.grant_refused", email=emails.get(user) or user, space=label)
        for label, user in opened.refused_grants(spaces)
    ]
    # The service need not admit that somebody in the log has no account.
    problems += [
        translate("status.unknown_member", user=user, space=space.label)
        for space in spaces
        for user in space.state.members
        if user not in known_users
    ]
    return waiting, problems


def _kit_problems(opened: Vault, spaces: list[Space]) -> list[str]:
    """What the leader has to do so that everything can be rescued."""
    recovery, problems = opened.recovery, []
    if recovery.sealed_kit is None:
        problems.append(translate("errors.kit_missing"))
    elif SealedRecovery.decode(recovery.sealed_kit).record != len(recovery.records):
        problems.append(translate("status.kit_outdated"))
    elif not recovery.is_kit_confirmed:
        problems.append(translate("status.kit_unconfirmed"))
    newest = recovery.records[-1].keys if recovery.records else None
    problems += [
        translate("status.recovery_outdated", space=space.label)
        for space in spaces
        if space.state.recovery_keys != newest
    ]
    return problems
