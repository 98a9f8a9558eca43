"""Words, and who may read a space."""

from typing import Annotated

import typer

from tessera_client.commands.output import Result
from tessera_client.commands.prompts import ask, is_interactive, vault, with_verification
from tessera_client.errors import ClientError, NeedsInput
from tessera_client.vault.account import Account, Member
from tessera_core.key_envelopes import LeaderPin
from tessera_core.words import words_for

Words = Annotated[str | None, typer.Option(help="The six words, as heard from the person.")]
Code = Annotated[str | None, typer.Option(help="The code that was sent to you.")]
Email = Annotated[str, typer.Argument(help="E-mail address of the person.")]
SpaceName = Annotated[str, typer.Argument(help="Name of the space.", metavar="SPACE")]


def words() -> Result:
    """Show your own six words. Read them to a colleague by phone or in person.

    Example: tess words
    """
    with vault() as opened:
        account = opened.account
        own = words_for(account.keys.public, account.company, account.user)
    return Result({"words": own}, own)


def trust(email: Email, words: Words = None) -> Result:
    """Confirm the team leader by the six words that you heard from them.

    Example: tess trust leader@example.com --words "apple river ..."
    """
    with vault() as opened:
        member = opened.account.find_member(email)
        _compare(opened.account, member, words)
        if not member.is_leader:
            raise ClientError(f"{email} is not the team leader.", code="not_the_leader")
        opened.account.pin_leader(LeaderPin(member.user, member.keys.fingerprint))
    return Result({"trusted": email}, f"{member.name} is trusted as team leader.")


def grant(email: Email, space: SpaceName, words: Words = None, code: Code = None) -> Result:
    """Let a colleague read and write a space, after comparing their six words.

    Example: tess grant omar@example.com Designs --words "apple river ..."
    """
    with vault() as opened:
        found = opened.find(space)
        member = opened.account.find_member(email)
        if found.state.members.get(member.user) != member.keys:
            _compare(opened.account, member, words)
            with_verification(opened.account.api, code, lambda: found.add_member(member))
        found.flush()
    return Result(
        {"granted": email, "space": found.name}, f"{member.name} can now use {found.name}."
    )


def revoke(email: Email, space: SpaceName, code: Code = None) -> Result:
    """Take a colleague's access to a space away. Copies already made cannot be recalled.

    Example: tess revoke ada@example.com Designs
    """
    with vault() as opened:
        found = opened.find(space)
        member = opened.account.find_member(email)
        if member.user not in found.state.members:
            raise ClientError(f"{email} has no access to {space}.", code="not_a_member")
        with_verification(opened.account.api, code, lambda: found.remove_member(member.user))
        found.flush()
    text = (
        f"{member.name} can no longer use {found.name}. New files are encrypted with new keys;"
        " copies already made cannot be recalled."
    )
    return Result({"revoked": email, "space": found.name}, text)


def device_lost(code: Code = None) -> Result:
    """Make new keys after a computer was lost, and end your sessions everywhere else.

    Your six words change. Spaces that you lead get new keys at once; for the others the team leader
    compares your new words and grants them again. Change your password in the console too: the lost
    computer had it sealed.

    Example: tess device-lost
    """
    with vault() as opened:
        account = opened.account
        taken = with_verification(account.api, code, opened.replace_keys)
        own = words_for(account.keys.public, account.company, account.user)
    names = [space.name or str(space.id) for space in taken]
    lines = [
        "Your sessions on other devices have ended, and your keys are new.",
        f"Your words: {own}",
        *(f"{name} has new keys." for name in names),
        "Tell your new words to the team leader, or to your members if you lead the team, by phone"
        " or in person. Change your password in the console, too.",
    ]
    return Result({"words": own, "spaces": names}, "\n".join(lines))


def _compare(account: Account, member: Member, heard: str | None) -> None:
    if heard is None and is_interactive():
        heard = ask(f"The six words of {member.name}, as heard from them")
    if not heard:
        raise NeedsInput(
            f"Ask {member.name} for the six words that tess words shows, by phone or in person,"
            ' and repeat the command with --words "...".',
            code="words_required",
        )
    account.check_words(member, heard)
