"""Words, and who may read a space."""

from typing import Annotated

import typer

from tessera_client.commands.output import Result
from tessera_client.commands.prompts import ask, is_interactive, vault, with_verification
from tessera_client.errors import ClientError, NeedsInput
from tessera_client.texts import translate
from tessera_client.vault.account import Account, Member
from tessera_core.key_envelopes import LeaderPin
from tessera_core.words import words_for

Words = Annotated[str | None, typer.Option(help="options.words")]
Code = Annotated[str | None, typer.Option(help="options.code")]
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
        member = opened.account.find_member(email)
        _compare(opened.account, member, words)
        if not member.is_leader:
            raise ClientError(
                translate("errors.not_the_leader", email=email), code="not_the_leader"
            )
        opened.account.pin_leader(LeaderPin(member.user, member.keys.fingerprint))
    return Result({"trusted": email}, translate("results.trusted", name=member.name))


def grant(email: Email, space: SpaceName, words: Words = None, code: Code = None) -> Result:
    """Lets a colleague read and write a space, after comparing their six words."""
    with vault() as opened:
        found = opened.find(space)
        member = opened.account.find_member(email)
        if found.state.members.get(member.user) != member.keys:
            _compare(opened.account, member, words)
            with_verification(opened.account.api, code, lambda: found.add_member(member))
        found.flush()
    text = translate("results.granted", name=member.name, space=found.name)
    return Result({"granted": email, "space": found.name}, text)


def revoke(email: Email, space: SpaceName, code: Code = None) -> Result:
    """Takes a colleague's access to a space away."""
    with vault() as opened:
        found = opened.find(space)
        member = opened.account.find_member(email)
        if member.user not in found.state.members:
            raise ClientError(
                translate("errors.no_access", email=email, space=space), code="not_a_member"
            )
        with_verification(opened.account.api, code, lambda: found.remove_member(member.user))
        found.flush()
    text = translate("results.revoked", name=member.name, space=found.name)
    return Result({"revoked": email, "space": found.name}, text)


def device_lost(code: Code = None) -> Result:
    """Makes new keys after a computer was lost, and ends the user's other sessions."""
    with vault() as opened:
        account = opened.account
        taken = with_verification(account.api, code, opened.replace_keys)
        own = words_for(account.keys.public, account.company, account.user)
    names = [space.name or str(space.id) for space in taken]
    lines = [
        translate("results.keys_new"),
        translate("results.own_words", words=own),
        *(translate("results.space_has_new_keys", name=name) for name in names),
        translate("results.tell_words"),
    ]
    return Result({"words": own, "spaces": names}, "\n".join(lines))


def _compare(account: Account, member: Member, heard: str | None) -> None:
    if heard is None and is_interactive():
        heard = ask(translate("prompts.words", name=member.name))
    if not heard:
        raise NeedsInput(
            translate("errors.words_required", name=member.name), code="words_required"
        )
    account.check_words(member, heard)
