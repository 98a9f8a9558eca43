"""After the service was restored from a backup."""

from collections.abc import Sequence
from typing import Annotated

import typer

from tessera_client.commands.output import Result, notice
from tessera_client.commands.people import Code, SpaceName, Yes
from tessera_client.commands.prompts import confirm, confirm_by_name, vault, with_verification
from tessera_client.errors import PARTLY_DONE, ClientError, NeedsInput, Refused
from tessera_client.texts import translate, visible
from tessera_client.transfer.answers import Unread
from tessera_client.vault.giving_up import GivenUp, read_given_up
from tessera_client.vault.giving_up import give_up as append_rewound
from tessera_client.vault.members import person_names
from tessera_client.vault.spaces import Space
from tessera_client.vault.vault import Vault

_MAX_PATHS_SHOWN = 50


def reopen(
    without: Annotated[
        list[str] | None, typer.Option(help="options.without", metavar="SPACE")
    ] = None,
    code: Code = None,
    yes: Yes = False,
) -> Result:
    """Closes the restore of a service that was restored from a backup."""
    with vault() as opened:
        account, labels = opened.account, {space.id: space.label for space in opened.spaces()}
        if not account.read_restore().is_open:
            raise ClientError.from_code("not_restoring")
        if not account.is_leader():
            raise ClientError.from_code("reopen_forbidden")
        _give_up_absent(opened, without or [], yes=yes)
        waiting = account.read_restore().waiting
        if not waiting:
            with_verification(
                account.api, code, lambda: account.api.put("/storage/restore/closed", Unread, {})
            )
    data = {"closed": not waiting, "waiting": [str(space.id) for space in waiting]}
    if not waiting:
        return Result(data, translate("results.reopened"))
    lines = [translate("results.restore_waits")]
    lines += [
        translate(
            "results.restore_space",
            space=visible(labels.get(space.id, str(space.id))),
            first=space.sequence + 1,
            last=space.seen,
        )
        for space in waiting
    ]
    return Result(data, "\n".join(lines), PARTLY_DONE)


def _give_up_absent(opened: Vault, names: Sequence[str], *, yes: bool) -> None:
    """What this computer has seen and the service has not is given up by a person only: here spaces
    that the service does not know at all."""
    absent = list[Space]()
    for closed in opened.closed:
        if closed.error.code != "space_hidden":
            raise closed.error
        absent.append(opened.load_space(closed.id))
    for name in names:
        if not any(name in (space.name, str(space.id)) for space in absent):
            raise ClientError.from_code("space_not_absent", name=name)
    for space in absent:
        if space.name not in names and str(space.id) not in names:
            raise Refused.from_code("space_absent", space=space.label, id=space.id)
    if absent and not yes:
        for space in absent:
            files = [entry for entry in space.contents.walk() if entry.size is not None]
            count = translate("results.files", count=len(files))
            notice(translate("results.gives_up_space", space=visible(space.label), files=count))
        confirm(translate("prompts.reopen_without"))


def give_up(space: SpaceName, code: Code = None, yes: Yes = False) -> Result:
    """Goes on from what is left of a space: the leader for all, others for themselves."""
    with vault() as opened:
        target = opened.find_seen(space)
        try:
            target.sync()
        except NeedsInput as error:
            if error.code not in {"restore_waiting", "entries_given_up"}:
                raise
            is_followed = error.code == "entries_given_up"
        else:
            raise ClientError.from_code("nothing_to_give_up")
        given_up = GivenUp(target, target.read_anew()) if is_followed else read_given_up(target)
        data = _as_json(given_up)
        if not yes:
            for line in _describe(given_up):
                notice(line)
            question = "prompts.follow" if is_followed else "prompts.give_up"
            confirm_by_name(translate(question), target.label)
        if is_followed:
            target.follow_rewind(is_confirmed=True)
            target.sync()
            return Result(data, translate("results.followed", space=target.label))
        with_verification(opened.account.api, code, lambda: append_rewound(given_up))
    return Result(data, translate("results.given_up", space=target.label))


def _as_json(given_up: GivenUp) -> dict[str, object]:
    return {
        "space": str(given_up.seen.id),
        "first": given_up.first,
        "last": given_up.last,
        "changed": given_up.changed_paths(),
        "returning": given_up.returning_paths(),
        "members": [str(member) for member in given_up.lost_members()],
    }


def _describe(given_up: GivenUp) -> list[str]:
    seen = given_up.seen
    lines = [
        translate("results.gives_up", space=seen.label, first=given_up.first, last=given_up.last)
    ]
    waiting = seen.account.read_restore().waiting
    row = next((row for row in waiting if row.id == seen.id), None)
    if row and row.seen > given_up.last:
        lines.append(translate("results.others_have_seen", last=row.seen))
    if row and row.is_in_warehouses:
        lines.append(translate("results.in_warehouses"))
    for text, paths in (
        ("results.gives_up_versions", given_up.changed_paths()),
        ("results.bring_back_removed", given_up.returning_paths()),
        ("results.grant_again", [*map(person_names(seen.account), given_up.lost_members())]),
    ):
        if paths:
            lines.append(translate(text, count=len(paths)))
            lines += [f"  {path}" for path in paths[:_MAX_PATHS_SHOWN]]
        if len(paths) > _MAX_PATHS_SHOWN:
            lines.append(f"  {translate('results.and_more', count=len(paths) - _MAX_PATHS_SHOWN)}")
    return lines
