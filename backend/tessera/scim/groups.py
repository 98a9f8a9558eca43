"""The directory's groups: labels of its users. They carry no rights."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from uuid import UUID

from scim2_models import Meta, PatchOp, SearchRequest

from tessera import limits
from tessera.activity.service import record
from tessera.authz.context import Access
from tessera.authz.queries import lock_company
from tessera.kit.schemas import normalize_email
from tessera.scim import errors
from tessera.scim import group_queries as queries
from tessera.scim.filters import condition
from tessera.scim.group_queries import DirectoryGroup, MemberFields
from tessera.scim.member_changes import member_changes
from tessera.scim.models import DEFAULT_RESULTS, MAX_RESULTS, Group, GroupMember
from tessera.scim.routes import PREFIX
from tessera.scim.users import text
from tessera.scim.versions import set_version

# One answer lists at most so many members of groups, unless a single group has more.
MAX_LISTED = 20_000


@dataclass(frozen=True)
class Shown:
    """A group as it is answered. Its members, of which there may be many thousands, are JSON that
    the database wrote; None if it has none, or none are wanted."""

    group: Group
    members: str | None = None


@dataclass(frozen=True)
class Page:
    groups: list[Shown]
    total: int
    start: int


async def list_groups(
    access: Access, search: SearchRequest[Group], *, fields: MemberFields
) -> Page:
    connection, company_id = access.connection, access.current_user.company_id
    start = search.start_index or 1
    wanted = DEFAULT_RESULTS if search.count is None else search.count
    where, values = condition(search.filter, queries.FILTERED, first=4)
    rows = await queries.groups(
        connection, company_id, where, values, skip=start - 1, count=min(wanted, MAX_RESULTS)
    )
    if fields:
        rows = await _bounded(access, rows)
    where, values = condition(search.filter, queries.FILTERED, first=2)
    total = await queries.count_groups(connection, company_id, where, values)
    members = await _members(access, [row.number for row in rows], fields)
    shown = [Shown(_resource(access, row), members.get(row.number)) for row in rows]
    return Page(shown, total, start)


async def _bounded(access: Access, rows: Sequence[DirectoryGroup]) -> list[DirectoryGroup]:
    """The first groups of a page; the client asks for the rest as the next page."""
    sizes = await queries.sizes(
        access.connection, access.current_user.company_id, [row.number for row in rows]
    )
    listed = 0
    taken: list[DirectoryGroup] = []
    for row in rows:
        listed += sizes.get(row.number, 0)
        if taken and listed > MAX_LISTED:
            break
        taken.append(row)
    return taken


async def read_group(
    access: Access, group_id: UUID, *, lock: bool = False
) -> tuple[DirectoryGroup, Group]:
    """Without its members."""
    stored = await queries.group(
        access.connection, access.current_user.company_id, group_id, lock=lock
    )
    if stored is None:
        raise errors.ScimGroupNotFound
    return stored, _resource(access, stored)


async def show_group(access: Access, group_id: UUID, fields: MemberFields) -> Shown:
    stored, group = await read_group(access, group_id)
    members = await _members(access, [stored.number], fields)
    return Shown(group, members.get(stored.number))


async def create_group(access: Access, data: Group, members: set[UUID]) -> UUID:
    connection, company_id = access.connection, access.current_user.company_id
    await lock_company(connection, company_id)
    maximum = limits.SCIM_GROUPS.maximum
    if await queries.count_groups(connection, company_id, "true", []) >= maximum:
        raise errors.TooManyDirectoryGroups(maximum=maximum)
    name = text(data.display_name, required=True) or ""
    stored = await queries.add_group(
        connection,
        company_id,
        display_name=name,
        display_name_folded=normalize_email(name),
        external_id=text(data.external_id),
    )
    await _label(access, stored, set(), members)
    await record(access, "directoryGroup.added", target=name)
    return stored.id


async def replace_group(
    access: Access, stored: DirectoryGroup, before: Group, data: Group, members: set[UUID]
) -> None:
    data.replace(before)
    await _change(access, stored, data, await _member_ids(access, stored), members)


async def patch_group(
    access: Access, stored: DirectoryGroup, before: Group, patch: PatchOp[Group]
) -> None:
    former = await _member_ids(access, stored)
    changes = member_changes(patch, former)
    after = before.model_copy(deep=True)
    if changes is None:
        after.members = [GroupMember(value=str(each)) for each in former] or None
        is_changed = patch.patch(after)
        wanted = _ids(after)
    else:
        wanted, others = changes
        is_changed = bool(others and others.patch(after)) or wanted != former
    if is_changed:
        await _change(access, stored, after, former, wanted)


async def delete_group(access: Access, stored: DirectoryGroup) -> None:
    await queries.delete_group(access.connection, access.current_user.company_id, stored.number)
    await record(access, "directoryGroup.deleted", target=stored.display_name)


async def _change(
    access: Access, stored: DirectoryGroup, after: Group, former: set[UUID], wanted: set[UUID]
) -> None:
    company_id = access.current_user.company_id
    name = text(after.display_name, required=True) or ""
    external_id = text(after.external_id)
    if (name, external_id) != (stored.display_name, stored.external_id):
        await queries.set_group(
            access.connection,
            company_id,
            stored.number,
            display_name=name,
            display_name_folded=normalize_email(name),
            external_id=external_id,
        )
    await _label(access, stored, former, wanted)
    await record(access, "directoryGroup.changed", target=name)


async def _label(
    access: Access, stored: DirectoryGroup, former: set[UUID], wanted: set[UUID]
) -> None:
    connection, company_id = access.connection, access.current_user.company_id
    if removed := former - wanted:
        await queries.remove_members(connection, company_id, stored.number, removed)
    if added := wanted - former:
        known = await queries.users_among(connection, company_id, added)
        if len(known) < len(added):
            raise errors.ScimMemberUnknown
        await queries.add_members(connection, company_id, stored.number, known.values())


def _ids(group: Group) -> set[UUID]:
    try:
        return {UUID(member.value or "") for member in group.members or []}
    except ValueError:
        raise errors.ScimMemberUnknown from None


async def _member_ids(access: Access, stored: DirectoryGroup) -> set[UUID]:
    company_id = access.current_user.company_id
    return set(await queries.member_ids(access.connection, company_id, stored.number))


async def _members(
    access: Access, numbers: Collection[int], fields: MemberFields
) -> dict[int, str]:
    if not fields:
        return {}
    base = f"{access.context.settings.public_url}{PREFIX}/Users/"
    company_id = access.current_user.company_id
    return await queries.members(access.connection, company_id, numbers, fields, base)


def _resource(access: Access, row: DirectoryGroup) -> Group:
    """Its version does not depend on whether the members are shown."""
    meta = Meta(
        resource_type="Group",
        created=row.created_at,
        last_modified=row.changed_at,
        location=f"{access.context.settings.public_url}{PREFIX}/Groups/{row.id}",
    )
    group = Group(
        id=str(row.id), external_id=row.external_id, display_name=row.display_name, meta=meta
    )
    set_version(group, row.version)
    return group
