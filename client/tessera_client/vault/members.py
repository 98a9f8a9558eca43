"""Colleagues, as the service describes them: six words prove their keys."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING
from uuid import UUID

from tessera_client.errors import ClientError, NeedsInput, Refused, WrongUsage
from tessera_client.texts import translate
from tessera_client.transfer.answers import MemberPage, MemberRow, Removals
from tessera_core.errors import Malformed
from tessera_core.user_keys import PublicKeys
from tessera_core.words import UnknownWord, normalize_words, words_for

if TYPE_CHECKING:
    from tessera_client.vault.account import Account


@dataclass(frozen=True)
class Member:
    user: UUID
    name: str
    email: str | None
    """Members are told the addresses and keys of the team leader alone."""
    is_leader: bool
    is_active: bool
    keys: PublicKeys | None
    former_email: str | None
    """What the company's directory replaced; None once the owner has confirmed the new one."""
    email_changed_at: datetime | None


@dataclass(frozen=True)
class RemovalRequest:
    """Somebody without an active account who is still a member of spaces."""

    user: UUID
    name: str
    email: str | None
    is_deleted: bool


def list_members(account: "Account") -> Iterator[Member]:
    after: UUID | None = None
    cursors = set[UUID | None]()
    while after not in cursors:
        cursors.add(after)
        query = {"after": str(after)} if after else {}
        page = account.api.get("/storage/keys/members", MemberPage, **query)
        yield from map(_member, page.members)
        after = page.next
        if after is None:
            return
    raise Refused.from_code("members_repeat")


def person_names(account: "Account") -> Callable[[UUID], str]:
    """Names the authors of entries. The log proves who they are; a name is the service's word, and
    it is asked at the first one."""

    @cache
    def names() -> dict[UUID, str]:
        try:
            return {member.user: member.name for member in list_members(account)}
        except ClientError as error:
            if error.exit_code != 1:
                raise
            return {}

    return lambda user: names().get(user) or f"{user}"[:8]


def list_removal_requests(account: "Account") -> list[RemovalRequest]:
    return [
        RemovalRequest(row.uuid, row.name, row.email_address, row.reason == "deleted")
        for row in account.api.get("/storage/removals", Removals).members
    ]


def find_member(account: "Account", email: str) -> tuple[Member, PublicKeys]:
    for member in list_members(account):
        if member.keys and member.email and member.email.casefold() == email.casefold():
            return member, member.keys
    raise NeedsInput.from_code("member_without_keys", email=email)


def check_words(account: "Account", member: Member, keys: PublicKeys, heard: str) -> None:
    """Compares the words heard from a colleague with the keys that the service shows."""
    try:
        typed = normalize_words(heard)
    except UnknownWord as error:
        raise WrongUsage(
            translate("errors.unknown_word", word=error.word), code="words_malformed"
        ) from None
    except Malformed:
        raise WrongUsage.from_code("words_malformed") from None
    if typed != words_for(keys, account.company, member.user):
        raise Refused.from_code("words_differ", email=member.email)
    if keys.fingerprint in account.bundle.removed:
        raise Refused.from_code("keys_removed", email=member.email)


def _member(row: MemberRow) -> Member:
    return Member(
        user=row.uuid,
        name=f"{row.first_name} {row.last_name}".strip(),
        email=row.email_address,
        is_leader=row.role == "teamLeader",
        is_active=row.is_active,
        keys=PublicKeys.decode(row.public_keys) if row.public_keys else None,
        former_email=row.former_email_address,
        email_changed_at=row.email_set_by_directory_at,
    )
