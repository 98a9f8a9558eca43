"""Changes of a group's members that a PATCH asks for. The library compares every member for each
operation, which would take hours for the largest group and body."""

import re
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from scim2_models import PatchOp, PatchOperation

from tessera.scim.errors import ScimMemberUnknown, ScimPatchTooLarge
from tessera.scim.models import Group

MAX_OPERATIONS = 200
MAX_PATH = 2_000
# What the library may compare: members of the group, for each operation.
MAX_COMPARED = 100

_PREFIX = f"{Group.__schema__}:".lower()
_ONE = re.compile(r'members\[\s*value\s+eq\s+"([^"\\]*)"\s*\]', re.IGNORECASE)


def check_size(body: Mapping[str, Any]) -> None:
    """Before the library reads the patch, each path of which takes it about a millisecond."""
    for name, operations in body.items():
        if name.lower() == "operations" and isinstance(operations, list):
            paths = [each.get("path") for each in operations if isinstance(each, dict)]
            if len(operations) > MAX_OPERATIONS or any(
                isinstance(path, str) and len(path) > MAX_PATH for path in paths
            ):
                raise ScimPatchTooLarge


def take_members(body: dict[str, Any]) -> set[UUID]:
    """Takes the members out of a group that is sent, before the library reads each of them. What
    has another form stays in the body, for the library to refuse."""
    own = [name for name in body if name.lower().removeprefix(_PREFIX) == "members"]
    if len(own) != 1 or not isinstance(body[own[0]], list):
        return set()
    try:
        values = _values(body[own[0]])
    except _Unusual:
        return set()
    del body[own[0]]
    return _ids(values, missing=ScimMemberUnknown)


class _Unusual(Exception):
    """An operation that only the library understands."""


def member_changes(
    patch: PatchOp[Group], members: set[UUID]
) -> tuple[set[UUID], PatchOp[Group] | None] | None:
    """Returns the members after the patch, and what it does to other attributes. None if the
    library has to apply all of it."""
    wanted, others = set(members), []
    operations: Sequence[PatchOperation[Group]] = patch.operations or []
    try:
        for operation in operations:
            wanted, rest = _apply(operation, wanted)
            if rest is not None:
                others.append(rest)
    except _Unusual:
        if len(members) > MAX_COMPARED:
            raise ScimPatchTooLarge from None
        return None
    return wanted, patch.model_copy(update={"operations": others}) if others else None


def _apply(
    operation: PatchOperation[Group], members: set[UUID]
) -> tuple[set[UUID], PatchOperation[Group] | None]:
    """Also returns what is left of the operation."""
    path = str(operation.path or "")
    path = path[len(_PREFIX) :] if path.lower().startswith(_PREFIX) else path
    op, value = operation.op, operation.value
    if not path and isinstance(value, dict):
        own = [name for name in value if name.lower().removeprefix(_PREFIX) == "members"]
        if len(own) > 1:
            raise _Unusual
        if own:
            members = _changed(op, value[own[0]], members)
        rest = {name: each for name, each in value.items() if name not in own}
        left = operation.model_copy(update={"value": rest}) if rest or not own else None
        return members, left
    if path.lower() == "members":
        return _changed(op, value, members), None
    if (one := _ONE.fullmatch(path)) and op == PatchOperation.Op.remove and value is None:
        return members - _ids([one[1]], missing=None), None
    if path.lower().startswith("members"):
        raise _Unusual
    return members, operation


def _changed(op: PatchOperation.Op, value: object, members: set[UUID]) -> set[UUID]:
    if op == PatchOperation.Op.remove:
        return set() if value is None else members - _ids(_values(value), missing=None)
    given = _ids(_values(value if value is not None else []), missing=ScimMemberUnknown)
    return members | given if op == PatchOperation.Op.add else given


def _values(value: object) -> list[Any]:
    entries = value if isinstance(value, list) else [value]
    found = []
    for entry in entries:
        if not isinstance(entry, dict):
            raise _Unusual
        names = [name for name in entry if name.lower() == "value"]
        if len(names) != 1:
            raise _Unusual
        found.append(entry[names[0]])
    return found


def _ids(values: list[Any], *, missing: type[ScimMemberUnknown] | None) -> set[UUID]:
    found = set()
    for value in values:
        try:
            found.add(UUID(value if isinstance(value, str) else ""))
        except ValueError:
            if missing:
                raise missing from None
    return found
