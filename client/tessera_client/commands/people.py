"""Words, and who may read a space."""

from typing import Annotated
from uuid import UUID

import typer

from tessera_client.commands.output import Result, notice
from tessera_client.commands.prompts import ask, confirm, is_interactive, vault, with_verification
from tessera_client.errors import ClientError, NeedsInput, WrongUsage
from tessera_client.texts import translate
from tessera_client.vault.account import Account
from tessera_client.vault.members import (
    Member,
    RemovalRequest,
    check_words,
    find_member,
    list_removal_requests,
)
from tessera_client.vault.membership import add_member, change_leader, remove_member
from tessera_client.vault.spaces import Space
from tessera_client.vault.vault import Vault
from tessera_core.key_envelopes import LeaderPin
from tessera_core.user_keys import PublicKeys
from tessera_core.words import words_for

Words = Annotated[str | None, typer.Option(help="options.words")]
Code = Annotated[str | None, typer.Option(help="options.code")]
Yes = Annotated[bool, typer.Option("--yes", help="options.yes")]
Email = Annotated[str, typer.Argument(help="options.email")]
SpaceName = Annotated[str, typer.Argument(help="options.space", metavar="SPACE")]


def words() -> Result:
    """Shows the user's own six words."""
    with vault() as opened:
        account = opened.account
        own = words_for(account.keys.public, account.company, account.user)
    return Result({"words": own}, own)


def trust(email: Email, words: Words = None) -> Result:
    """Confirms the team leader by the six words that were heard from them."""
    with vault() as opened:
        member, keys = find_member(opened.account, email)
        _name_former_address(member)
        _compare(opened.account, member, keys, words)
        if not member.is_leader:
            raise ClientError.from_code("not_the_leader", email=email)
        opened.account.pin_leader(LeaderPin(member.user, keys.fingerprint))
    text = translate("results.trusted", name=member.name)
    return Result({"trusted": email, "former_email": member.former_email}, text)


def grant(email: Email, space: SpaceName, words: Words = None, code: Code = None) -> Result:
    """Lets a colleague read and write a space, after comparing their six words."""
    with vault() as opened:
        target = opened.find(space)
        member, keys = find_member(opened.account, email)
        _name_former_address(member)
        has_access = target.state.members.get(member.user) == keys
        # Words that were given count then too: the address may lead to somebody else by now.
        if words or not has_access:
            _compare(opened.account, member, keys, words)
        if not has_access:
            with_verification(
                opened.account.api, code, lambda: add_member(target, member.user, keys)
            )
        target.flush()
    text = translate("results.granted", name=member.name, space=target.label)
    answer = {"granted": email, "space": target.label, "former_email": member.former_email}
    return Result(answer, text)


def revoke(
    person: Annotated[str | None, typer.Argument(help="options.person", metavar="PERSON")] = None,
    space: Annotated[str | None, typer.Argument(help="options.space", metavar="SPACE")] = None,
    code: Code = None,
    requested: Annotated[bool, typer.Option("--requested", help="options.requested")] = False,
    always: Annotated[bool, typer.Option("--always", help="options.always")] = False,
    yes: Yes = False,
) -> Result:
    """Takes access to a space away, by e-mail address or by the id that the log has."""
    if requested and not person:
        return _revoke_requested(code, yes=yes, always=always)
    if requested or always or not person or not space:
        raise WrongUsage(translate("errors.revoke_usage"), code="usage")
    with vault() as opened:
        target = opened.find(space)
        user, name = _find_person(opened, person)
        if user not in target.state.members:
            raise ClientError(
                translate("errors.no_access", email=person, space=space), code="not_a_member"
            )
        with_verification(opened.account.api, code, lambda: remove_member(target, user))
        target.flush()
    text = translate("results.revoked", name=name, space=target.label)
    return Result({"revoked": person, "space": target.label}, text)


def _find_person(opened: Vault, person: str) -> tuple[UUID, str]:
    """Membership is in the log, and needs no account: an id is enough."""
    try:
        return UUID(person), person
    except ValueError:
        member, _ = find_member(opened.account, person)
        return member.user, member.name


def _revoke_requested(code: str | None, *, yes: bool, always: bool) -> Result:
    """Removes people whose accounts were deleted or disabled from all spaces.

    The list is the service's word: somebody looks at it first, unless the leader has decided that
    it is enough.
    """
    with vault() as opened:
        account = opened.account
        removals = requested_removals(opened, opened.spaces())
        if always:
            account.set_removes_on_request(True)
        if removals and not (yes or account.bundle.removes_on_request):
            for request, spaces in removals:
                notice(_describe(request, spaces))
            confirm(translate("prompts.revoke_requested", count=len(removals)))

        def remove_all() -> None:
            for request, spaces in removals:
                for space in spaces:
                    remove_member(space, request.user)
                    space.flush()

        if removals:
            with_verification(account.api, code, remove_all)
    rows = [
        {
            "user": str(request.user),
            "name": request.name,
            "spaces": [space.label for space in spaces],
        }
        for request, spaces in removals
    ]
    lines = [_describe(request, spaces) for request, spaces in removals]
    text = translate("results.revoked_requested", count=len(rows))
    return Result({"revoked": rows}, "\n".join([*lines, text]))


def requested_removals(
    opened: Vault, spaces: list[Space]
) -> list[tuple[RemovalRequest, list[Space]]]:
    """Who has no active account and is still in a space that this user leads."""
    led = [space for space in spaces if space.is_led]
    removals = [
        (request, [space for space in led if request.user in space.state.members])
        for request in list_removal_requests(opened.account)
        if request.user != opened.account.user
    ]
    return [(request, inside) for request, inside in removals if inside]


def _describe(request: RemovalRequest, spaces: list[Space]) -> str:
    return translate(
        "status.deleted" if request.is_deleted else "status.disabled",
        email=request.email or request.name or request.user,
        user=request.user,
        space=", ".join(space.label for space in spaces),
    )


def handover(email: Email, words: Words = None, code: Code = None) -> Result:
    """Hands all spaces and the recovery pair to the new team leader."""
    with vault() as opened:
        account = opened.account
        member, keys = find_member(account, email)
        if not member.is_leader or member.user == account.user:
            raise ClientError.from_code("not_the_leader", email=email)
        _compare(account, member, keys, words)
        led = [space for space in opened.spaces() if space.is_led]

        def hand_over() -> None:
            if opened.recovery.newest and opened.recovery.newest.leader == account.user:
                opened.recovery.hand_over(member, keys)
            for space in led:
                change_leader(space, member.user, keys)
                space.flush()

        with_verification(account.api, code, hand_over)
        account.pin_leader(LeaderPin(member.user, keys.fingerprint))
    names = [space.label for space in led]
    text = translate("results.handed_over", name=member.name, count=len(names))
    return Result({"leader": email, "spaces": names}, text)


def device_lost(code: Code = None) -> Result:
    """Makes new keys after a computer was lost, and ends the user's other sessions."""
    with vault() as opened:
        account = opened.account
        spaces = with_verification(account.api, code, opened.replace_keys)
        own = words_for(account.keys.public, account.company, account.user)
    names = [space.label for space in spaces]
    lines = [
        translate("results.keys_new"),
        translate("results.own_words", words=own),
        *(translate("results.space_has_new_keys", name=name) for name in names),
        translate("results.tell_words"),
    ]
    if names:
        lines.append(translate("status.kit_outdated"))
    return Result({"words": own, "spaces": names}, "\n".join(lines))


def _name_former_address(member: Member) -> None:
    if member.former_email and member.email_changed_at:
        notice(
            translate(
                "notices.address_set_by_directory",
                name=member.name,
                former=member.former_email,
                email=member.email,
                date=f"{member.email_changed_at:%Y-%m-%d}",
            )
        )


def _compare(account: Account, member: Member, keys: PublicKeys, heard: str | None) -> None:
    if heard is None and is_interactive():
        heard = ask(translate("prompts.words", name=member.name))
    if not heard:
        raise NeedsInput.from_code("words_required", name=member.name)
    check_words(account, member, keys, heard)
