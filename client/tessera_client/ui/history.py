"""Earlier moments of a space, on the page."""

from tessera_client.errors import ClientError
from tessera_client.ui.operations import checked_path
from tessera_client.ui.schemas import Moment, MomentPage, Restored, shown_time
from tessera_client.vault.history import (
    RestorePlan,
    apply_changes,
    list_moments,
    plan_restore,
    plan_undelete,
    state_after,
)
from tessera_client.vault.members import list_members
from tessera_client.vault.vault import Vault
from tessera_core.changes import Put
from tessera_core.tree import Tree

MAX_MOMENTS = 100
MAX_BLOCKED = 20


def moments(vault: Vault, space: str, path: str, offset: int) -> MomentPage:
    """The changes of a space or folder, the newest first."""
    found = list_moments(vault.find(space).tree, path)
    names = {member.user: member.name for member in list_members(vault.account)}
    rows = [
        Moment(
            sequence=moment.sequence,
            time=shown_time(moment.time),
            author=names.get(moment.author),
            stored=moment.stored,
            removed=moment.removed,
            bytes=moment.bytes,
        )
        for moment in found[offset : offset + MAX_MOMENTS]
    ]
    return MomentPage(rows, len(found))


def restore(
    vault: Vault, space: str, paths: list[str], sequence: int | None, is_preview: bool
) -> Restored:
    """Makes items what they were after a change; without one, brings them back from the trash."""
    found = vault.find(space)
    plans = [_plan(found.tree, path, sequence) for path in paths]
    changes = {change.path: change for plan in plans for change in plan.changes}
    blocked = [path for plan in plans for path in plan.blocked]
    if not is_preview:
        if blocked and not changes:
            raise ClientError.from_code("name_taken")
        apply_changes(vault, found, changes.values())
    restored = sum(isinstance(change, Put) for change in changes.values())
    return Restored(restored, len(changes) - restored, blocked[:MAX_BLOCKED])


def _plan(tree: Tree, path: str, sequence: int | None) -> RestorePlan:
    if path:
        checked_path(path)
    if sequence is None:
        plan = plan_undelete(tree, path)
        is_known = bool(plan.changes or plan.blocked)
    else:
        then = state_after(tree, path, sequence)
        plan, is_known = plan_restore(tree, then), any(then.values())
    if not is_known:
        raise ClientError.from_code("no_such_version")
    return plan
