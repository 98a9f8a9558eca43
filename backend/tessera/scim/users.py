"""The directory's users: people who are members, and people whom it has invited. It never gives an
account keys or rights: those come from the person and the leader."""

import json
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import asyncpg
from pydantic import TypeAdapter, ValidationError
from scim2_models import Meta, PatchOp, Reference, SearchRequest

from tessera import limits
from tessera.activity.service import record
from tessera.auth.errors import AddressInUse
from tessera.auth.profile.service import set_directory_address
from tessera.authz.context import Access
from tessera.authz.queries import lock_company
from tessera.identity.domains.service import is_proved
from tessera.invites.service import cancel_open_invite, invite_members, usable_invites_among
from tessera.kit.schemas import EmailAddress, PersonName, clean_line, normalize_email
from tessera.members.service import Member, remove_in_bulk, rename, set_status_in_bulk
from tessera.provisioning.service import confirms_deletions
from tessera.scim import errors, queries
from tessera.scim.dependencies import check_subscribed
from tessera.scim.filters import condition
from tessera.scim.models import DEFAULT_RESULTS, MAX_RESULTS, Email, GroupMembership, Name, User
from tessera.scim.queries import DirectoryUser
from tessera.scim.routes import PREFIX
from tessera.scim.versions import set_version

MAX_EMAILS = 10
_address: TypeAdapter[str] = TypeAdapter(EmailAddress)
_person_name: TypeAdapter[str] = TypeAdapter(PersonName)


@dataclass(frozen=True)
class Page:
    users: list[User]
    total: int
    start: int


async def list_users(access: Access, search: SearchRequest[User]) -> Page:
    company_id = access.current_user.company_id
    start = search.start_index or 1
    wanted = DEFAULT_RESULTS if search.count is None else search.count
    text, values = condition(search.filter, queries.FILTERED, first=4)
    rows = await queries.users(
        access.connection,
        company_id,
        text,
        values,
        skip=start - 1,
        count=min(wanted, MAX_RESULTS),
    )
    text, values = condition(search.filter, queries.FILTERED, first=2)
    total = await queries.count_users(access.connection, company_id, text, values)
    return Page([user_resource(access, row) for row in rows], total, start)


async def read_user(
    access: Access, user_id: UUID, *, lock: bool = False
) -> tuple[DirectoryUser, User]:
    stored = await queries.user(
        access.connection, access.current_user.company_id, user_id, lock=lock
    )
    if stored is None:
        raise errors.ScimUserNotFound
    return stored, user_resource(access, stored)


async def create_user(access: Access, data: User) -> User:
    """Invites the person."""
    connection, company_id = access.connection, access.current_user.company_id
    check_subscribed(access)
    entry = _entry(data)
    await lock_company(connection, company_id)
    if await queries.count_users(connection, company_id) >= limits.SCIM_USERS.maximum:
        raise errors.TooManyDirectoryUsers(maximum=limits.SCIM_USERS.maximum)
    await _check_free(access, entry, None)
    user_id = await queries.add_user(connection, company_id, **entry.columns())
    await record(access, "directoryUser.added", target=entry.email)
    if entry.is_active:
        await _invite(access, entry.email)
    return (await read_user(access, user_id))[1]


async def replace_user(access: Access, stored: DirectoryUser, before: User, data: User) -> User:
    """`data` is what a PUT sends; a PATCH is applied to a copy of `before` first."""
    data.replace(before)
    return await _change(access, stored, before, data)


async def patch_user(
    access: Access, stored: DirectoryUser, before: User, patch: PatchOp[User]
) -> User:
    after = before.model_copy(deep=True)
    if not patch.patch(after):
        return before
    return await _change(access, stored, before, after)


async def delete_user(access: Access, stored: DirectoryUser) -> None:
    """Someone who has not joined is forgotten; a member is removed, or disabled until the leader
    confirms the removal."""
    connection, company_id = access.connection, access.current_user.company_id
    if stored.uuid is None:
        await cancel_open_invite(access, stored.email)
        await queries.delete_user(connection, company_id, stored.number)
        await record(access, "directoryUser.deleted", target=stored.email)
    elif await confirms_deletions(connection, company_id):
        await set_status_in_bulk(access, [stored.uuid], active=False)
        await queries.request_deletion(connection, company_id, stored.number)
        await record(access, "member.deletionRequested", target=stored.email)
    else:
        await remove_in_bulk(access, [stored.uuid])


def user_resource(access: Access, row: DirectoryUser) -> User:
    base = f"{access.context.settings.public_url}{PREFIX}"
    is_listed = normalize_email(row.email) == row.listed_email
    emails = json.loads(row.emails) if is_listed else [{"value": row.email, "primary": True}]
    named = row.given_name is not None or row.family_name is not None
    user = User(
        id=str(row.id),
        external_id=row.external_id,
        user_name=row.user_name,
        display_name=row.display_name,
        name=Name(given_name=row.given_name, family_name=row.family_name) if named else None,
        active=row.is_active,
        emails=[Email(**each) for each in emails],
        groups=[
            GroupMembership(value=group, ref=Reference(f"{base}/Groups/{group}"), display=name)
            for group, name in json.loads(row.groups)
        ]
        or None,
        meta=Meta(
            resource_type="User",
            created=row.created_at,
            last_modified=row.changed_at,
            location=f"{base}/Users/{row.id}",
        ),
    )
    set_version(user)
    return user


@dataclass(frozen=True)
class _Entry:
    """A user as it is stored."""

    user_name: str
    external_id: str | None
    display_name: str | None
    given_name: str | None
    family_name: str | None
    emails: list[dict[str, Any]]
    email: str
    is_active: bool

    def columns(self) -> dict[str, Any]:
        return {
            **vars(self),
            "user_name_folded": normalize_email(self.user_name),
            "email_folded": normalize_email(self.email),
        }


def _entry(data: User) -> _Entry:
    emails = data.emails or []
    if not emails or len(emails) > MAX_EMAILS:
        raise errors.ScimAddressInvalid
    name = data.name or Name()
    return _Entry(
        user_name=text(data.user_name, required=True) or "",
        external_id=text(data.external_id),
        display_name=text(data.display_name),
        given_name=_name(name.given_name),
        family_name=_name(name.family_name),
        emails=[
            {"value": _valid_address(each.value), "type": text(each.type), "primary": each.primary}
            for each in emails
        ],
        email=_valid_address(_chosen(emails).value),
        is_active=data.active is not False,
    )


def _chosen(emails: list[Email]) -> Email:
    """The address that counts: the primary one, else the one at work, else the first."""
    for each in emails:
        if each.primary:
            return each
    return next((each for each in emails if (each.type or "").lower() == "work"), emails[0])


def text(value: str | None, *, required: bool = False, longest: int = 256) -> str | None:
    try:
        cleaned = clean_line(value or "")
    except ValueError:
        raise errors.ScimTextInvalid from None
    if len(cleaned) > longest or (required and not cleaned):
        raise errors.ScimTextInvalid
    return cleaned or None


def _name(value: str | None) -> str | None:
    try:
        return _person_name.validate_python(value) if value else None
    except ValidationError:
        raise errors.ScimNameInvalid from None


def _valid_address(value: str | None) -> str:
    try:
        return _address.validate_python((value or "").strip())
    except ValidationError:
        raise errors.ScimAddressInvalid from None


def is_address(value: object) -> bool:
    try:
        _address.validate_python(value)
    except ValidationError:
        return False
    return True


async def _check_free(access: Access, entry: _Entry, number: int | None) -> None:
    names = entry.columns()
    taken = await queries.taken(
        access.connection,
        access.current_user.company_id,
        name=names["user_name_folded"],
        address=names["email_folded"],
        number=number,
    )
    if taken is True:
        raise errors.ScimUserExists
    if taken:
        raise errors.ScimDeletionPending


async def _invite(access: Access, address: str) -> None:
    """Not again if the leader has invited the person already."""
    check_subscribed(access)
    if not await usable_invites_among(access.connection, [normalize_email(address)]):
        await invite_members(access, [address])


async def _change(access: Access, stored: DirectoryUser, before: User, after: User) -> User:
    former, entry = _entry(before), _entry(_with_followed_address(before, after))
    if entry == former:
        return before
    connection, company_id = access.connection, access.current_user.company_id
    if (entry.user_name, entry.email) != (former.user_name, former.email):
        await lock_company(connection, company_id)
        await _check_free(access, entry, stored.number)
    if stored.uuid is None:
        await _change_invitee(access, former, entry)
    else:
        await _change_member(access, stored.uuid, former, entry)
    try:
        await queries.set_user(connection, company_id, stored.number, **entry.columns())
    except asyncpg.UniqueViolationError:
        raise errors.ScimUserExists from None
    return (await read_user(access, stored.id))[1]


def _with_followed_address(before: User, after: User) -> User:
    """Directories that send no addresses change the user name, which is one."""
    assert before.emails
    former = normalize_email(_chosen(before.emails).value or "")
    if (
        after.user_name == before.user_name
        or after.emails != before.emails
        or former != normalize_email(before.user_name or "")
        or not is_address(after.user_name)
    ):
        return after
    followed = after.model_copy(deep=True)
    assert followed.emails
    _chosen(followed.emails).value = after.user_name
    return followed


async def _change_invitee(access: Access, former: _Entry, entry: _Entry) -> None:
    has_moved = normalize_email(former.email) != normalize_email(entry.email)
    if former.is_active and (has_moved or not entry.is_active):
        await cancel_open_invite(access, former.email)
    if entry.is_active and (has_moved or not former.is_active):
        await _invite(access, entry.email)
    await record(access, "directoryUser.changed", target=entry.email)


async def _change_member(access: Access, uuid: UUID, former: _Entry, entry: _Entry) -> None:
    """A member always has a name: one that the directory removes stays."""
    first_name = entry.given_name or former.given_name
    last_name = entry.family_name or former.family_name
    assert first_name
    assert last_name
    member = await rename(access, uuid, first_name, last_name)
    if normalize_email(former.email) != normalize_email(entry.email):
        await _change_address(access, member, entry.email)
    if entry.is_active and not former.is_active:
        check_subscribed(access)
    if entry.is_active != former.is_active:
        await set_status_in_bulk(access, [uuid], entry.is_active)


async def _change_address(access: Access, member: Member, address: str) -> None:
    """The leader's address stays: it is the way into the company."""
    if member.role == "teamLeader":
        raise errors.ScimLeaderProtected
    domain = normalize_email(address).rpartition("@")[2]
    if not await is_proved(access.connection, access.current_user.company_id, domain):
        raise errors.ScimAddressNotProved
    try:
        await set_directory_address(access, member.id, address)
    except AddressInUse:
        raise errors.ScimUserExists from None
