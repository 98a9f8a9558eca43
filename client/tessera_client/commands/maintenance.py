"""Checking what is stored, and this computer."""

import platform
import time
from datetime import UTC, datetime
from typing import Annotated

import typer

from tessera_client.commands.options import Bandwidth, DryRun
from tessera_client.commands.output import Result, notice
from tessera_client.commands.paths import parse_place
from tessera_client.commands.people import Code, SpaceName, Yes
from tessera_client.commands.progress import progress
from tessera_client.commands.prompts import confirm, vault, with_verification
from tessera_client.errors import PARTLY_DONE, ClientError, WrongUsage
from tessera_client.texts import show_bytes, translate
from tessera_client.transfer.answers import Health, Warehouse
from tessera_client.transfer.api import Api, ApiError
from tessera_client.vault.membership import set_aside as append_set_aside
from tessera_client.vault.profile import StateFolder
from tessera_client.vault.prune import PrunePlan, plan_prune, prune_space
from tessera_client.vault.releases import latest_release
from tessera_client.vault.retention import keeping
from tessera_client.vault.verify import Check, describe_skipped, try_warehouses
from tessera_core.errors import Malformed, NotAuthentic
from tessera_core.release import version_order
from tessera_core.version import __version__

MAX_CLOCK_DIFFERENCE_SECONDS = 600

NOT_CONNECTED = 0


def verify(
    space: SpaceName,
    full: Annotated[bool, typer.Option("--full", help="options.full")] = False,
    bandwidth: Bandwidth = None,
) -> Result:
    """Checks that everything in a space can be read."""
    name = parse_place(space).space if ":" in space else space
    with vault(bandwidth) as opened:
        target = opened.find(name)
        check = Check(target, is_full=full)
        with progress(translate("progress.checking"), check.size) as advance:
            check.run(advance)
        files, versions = check.unreadable_files(), check.unreadable_versions()
        clouds = _name_clouds(opened.account.api, check) if check.missing else {}
        skipped = describe_skipped(target)
    packs, lost, degraded, false = map(
        len, (check.packs, check.lost, check.degraded, check.false)
    )  # fmt: skip
    data = {
        "packs": packs, "lost": lost, "degraded": degraded, "false": false, "files": files,
        "unreadableVersions": versions, "isFull": full, "missing": clouds,
    }  # fmt: skip
    counts = [translate("results.packs_checked", count=packs)]
    if full or degraded:
        counts.append(translate("results.packs_degraded", count=degraded))
    counts.append(translate("results.packs_lost", count=lost))
    if false:
        counts.append(translate("results.packs_false", count=false))
    lines = [" ".join(counts)]
    lines += [
        translate("results.missing_in_cloud", name=name, count=count)
        for name, count in clouds.items()
    ]
    if not full:
        lines.append(translate("results.only_needed_pieces"))
    lines += [translate("results.unreadable", path=path) for path in files]
    if versions:
        lines.append(translate("results.unreadable_versions", count=versions))
    lines += skipped
    incomplete = lost or degraded or false or files or versions or target.snapshot.is_provisional
    return Result(data, "\n".join(lines), PARTLY_DONE if incomplete else 0)


def _name_clouds(api: Api, check: Check) -> dict[str, int]:
    """How many pieces are missing or changed, by the warehouse's name."""
    names = {each.id: each.name for each in api.get("/storage/health", Health).warehouses}
    removed = translate("results.removed_cloud")
    return {
        names.get(warehouse, removed) if warehouse is not None else removed: count
        for warehouse, count in check.missing.items()
    }


def prune(
    space: SpaceName,
    code: Code = None,
    pack: Annotated[list[str] | None, typer.Option(help="options.prune_pack", metavar="ID")] = None,
    dry_run: DryRun = False,
    yes: Yes = False,
) -> Result:
    """Frees the storage of versions that were replaced or removed long ago."""
    try:
        named = [bytes.fromhex(identifier) for identifier in pack or ()]
    except ValueError:
        raise WrongUsage(translate("errors.pack_not_set_aside"), code="bad_pack") from None
    with vault() as opened:
        target = opened.find(space)
        if not target.is_led:
            raise ClientError(translate("errors.prune_forbidden"), code="forbidden")
        keeps = keeping(target.state.settings.keep, datetime.now(UTC))
        plan = plan_prune(target, keeps, named)
        if not dry_run and plan.packs:
            if not yes:
                notice(_describe_plan(plan))
                confirm(translate("prompts.prune"))
            plan = with_verification(
                opened.account.api, code, lambda: prune_space(opened, target, keeps, named)
            )
    data = {
        "packs": len(plan.packs), "bytes": plan.bytes, "versions": plan.versions, "dryRun": dry_run
    }  # fmt: skip
    if dry_run:
        return Result(data, _describe_plan(plan))
    freed = translate("results.packs_freed", count=len(plan.packs), size=show_bytes(plan.bytes))
    return Result(data, freed)


def _describe_plan(plan: PrunePlan) -> str:
    size = show_bytes(plan.bytes)
    unused = translate("results.packs_unused", count=len(plan.packs), size=size)
    return f"{unused} {translate('results.versions_dropped', count=plan.versions)}"


def set_aside(
    space: SpaceName,
    code: Code = None,
    yes: Yes = False,
) -> Result:
    """Declares entries lost whose pieces nobody can fetch, so that the space is whole again."""
    with vault() as opened:
        target = opened.find(space)
        if not target.is_led:
            raise ClientError(translate("errors.prune_forbidden"), code="forbidden")
        missing = tuple(body.sequence for body in target.missing_bodies())
        if missing:
            if not yes:
                for line in describe_skipped(target):
                    notice(line)
                confirm(translate("prompts.set_aside", count=len(missing)))
            with_verification(opened.account.api, code, lambda: append_set_aside(target, missing))
            target.flush()
    text = translate("results.set_aside", count=len(missing))
    return Result({"entries": missing, "space": target.label}, text)


def doctor() -> Result:
    """Checks clock, keyring, login, service and warehouses."""
    checks: list[dict[str, object]] = []

    def note(name: str, problem: str | None) -> None:
        checks.append({"check": name, "ok": problem is None, "problem": problem})

    folder = StateFolder.from_environment()
    note(translate("doctor.keyring"), folder.keyring_problem())
    with vault() as opened:
        note(translate("doctor.version"), _version_problem(opened.account.api))
        note(translate("doctor.clock"), _clock_problem(opened.account.api.time()))
        note(
            translate("doctor.keys"),
            None if opened.account.keys else translate("errors.keys_do_not_open"),
        )
        health, reached = opened.account.api.get("/storage/health", Health), try_warehouses(opened)
        for warehouse in health.warehouses:
            name = translate("doctor.warehouse", name=warehouse.name)
            if warehouse.id not in reached:
                name += f" ({translate('doctor.nothing_there')})"
            note(name, _warehouse_problem(warehouse, is_reached=reached.get(warehouse.id, True)))
        note(translate("doctor.pieces"), _pieces_problem(health))
        pending = opened.journal.count()
        waiting = translate("status.pending", count=pending) if pending else None
        note(translate("doctor.uploads"), waiting)
    system = f"tess {__version__}, Python {platform.python_version()}, {platform.platform()}"
    lines = [system]
    for check in checks:
        verdict = translate("doctor.ok" if check["ok"] else "doctor.bad")
        problem = f": {check['problem']}" if check["problem"] else ""
        lines.append(f"{verdict:<5} {check['check']}{problem}")
    failed = not all(check["ok"] for check in checks)
    data = {"version": __version__, "system": platform.platform(), "checks": checks}
    return Result(data, "\n".join(lines), PARTLY_DONE if failed else 0)


def _warehouse_problem(warehouse: Warehouse, *, is_reached: bool) -> str | None:
    if warehouse.status == NOT_CONNECTED:
        return translate("doctor.warehouse_unreachable")
    if not is_reached:
        return translate("doctor.nothing_fetched")
    if warehouse.missing:
        return translate("doctor.pieces_missing", count=warehouse.missing)
    return None


def _pieces_problem(health: Health) -> str | None:
    """Names the clouds without which packs have no spare piece."""
    if not health.not_safe and not health.lost:
        return None
    clouds = [
        warehouse.name
        for warehouse in health.warehouses
        if warehouse.missing or warehouse.status == NOT_CONNECTED
    ]
    values = {"count": health.not_safe + health.lost, "clouds": ", ".join(clouds) or "?"}
    return translate("doctor.not_safe", **values)


def _version_problem(api: Api) -> str | None:
    try:
        release = latest_release(api)
    except ApiError as error:
        return None if error.code == "nothing_published" else str(error)
    except (ClientError, Malformed, NotAuthentic) as error:
        return str(error)
    if release.order > version_order(__version__):
        url = f"{api.origin}/download"
        return translate("results.newer_version", version=release.version, url=url)
    return None


def _clock_problem(service_time: float | None) -> str | None:
    if service_time is None:
        return translate("doctor.clock_unknown")
    difference = abs(time.time() - service_time)
    if difference > MAX_CLOCK_DIFFERENCE_SECONDS:
        return translate("doctor.clock_differs", count=round(difference / 60))
    return None
