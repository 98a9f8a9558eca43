"""Checking what is stored, and this computer."""

import platform
import time
from typing import Annotated

import typer

from tessera_client.commands.files import PARTLY_DONE, Bandwidth
from tessera_client.commands.output import Result
from tessera_client.commands.paths import parse_place
from tessera_client.commands.progress import progress
from tessera_client.commands.prompts import vault, with_verification
from tessera_client.errors import ClientError
from tessera_client.transfer.api import Api, ApiError
from tessera_client.vault.profile import StateFolder
from tessera_client.vault.prune import prune_space
from tessera_client.vault.releases import latest_release
from tessera_client.vault.verify import Check
from tessera_client.version import __version__
from tessera_core.errors import Malformed, NotAuthentic
from tessera_core.release import version_order

MAX_CLOCK_DIFFERENCE_SECONDS = 600
KEPT_DAYS = 30

NOT_CONNECTED = 0


def verify(
    space: Annotated[str, typer.Argument(help="Name of the space.", metavar="SPACE")],
    full: Annotated[
        bool, typer.Option("--full", help="Fetch every piece, not only what files need.")
    ] = False,
    bandwidth: Bandwidth = None,
) -> Result:
    """Check that everything in a space can be read.

    Fetches each pack and compares it with the signed log. With --full every piece in every
    warehouse is fetched and compared.

    Example: tess verify Designs --full
    """
    name = parse_place(space).space if ":" in space else space
    with vault(bandwidth) as opened:
        found = opened.find(name)
        check = Check(found, is_full=full)
        with progress("Checking", check.size) as advance:
            check.run(advance)
        files = check.unreadable_files()
    packs, lost, degraded = len(check.packs), len(check.lost), len(check.degraded)
    data = {
        "packs": packs, "lost": lost, "degraded": degraded, "files": files, "isFull": full
    }  # fmt: skip
    lines = [f"{packs} packs checked, {degraded} with missing pieces, {lost} lost."]
    lines += [f"Cannot be read: {path}" for path in files]
    return Result(data, "\n".join(lines), PARTLY_DONE if lost or degraded else 0)


def prune(
    space: Annotated[str, typer.Argument(help="Name of the space.", metavar="SPACE")],
    code: Annotated[str | None, typer.Option(help="The code that was sent to you.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what is unused.")] = False,
) -> Result:
    """Free the storage of versions that were replaced or removed more than 30 days ago (team
    leader). The service deletes it 30 days later.

    Example: tess prune Designs --dry-run
    """
    before = int((time.time() - KEPT_DAYS * 24 * 3600) * 1000)
    with vault() as opened:
        found = opened.find(space)
        if found.state.leader != opened.account.user:
            raise ClientError("Only the team leader prunes a space.", code="forbidden")
        pruned = with_verification(
            opened.account.api, code, lambda: prune_space(opened, found, before, dry_run=dry_run)
        )
    data = {"packs": len(pruned.packs), "bytes": pruned.bytes, "dryRun": dry_run}
    verb = "are unused" if dry_run else "were given back"
    return Result(data, f"{len(pruned.packs)} packs with {pruned.bytes} bytes {verb}.")


def doctor() -> Result:
    """Check clock, keyring, login, service and warehouses, and say what to do.

    Example: tess doctor
    """
    checks: list[dict[str, object]] = []

    def note(name: str, problem: str | None) -> None:
        checks.append({"check": name, "ok": problem is None, "problem": problem})

    folder = StateFolder.from_environment()
    note("keyring", folder.keyring_problem())
    with vault() as opened:
        note("version", _version_problem(opened.account.api))
        note("clock", _clock_problem(opened.account.api.time()))
        note("keys", None if opened.account.keys else "The keys do not open.")
        for warehouse in opened.account.api.get("/storage/health")["warehouses"]:
            working = warehouse["status"] != NOT_CONNECTED
            problem = "The service cannot reach it. Ask the team leader to check it."
            note(f"warehouse {warehouse['name']}", None if working else problem)
        pending = opened.journal.count()
        waiting = f"{pending} packs wait to be sent. Run: tess put" if pending else None
        note("uploads", waiting)
    system = f"tess {__version__}, Python {platform.python_version()}, {platform.platform()}"
    lines = [system]
    lines += [
        f"{'ok ' if check['ok'] else 'BAD'} {check['check']}"
        + (f": {check['problem']}" if check["problem"] else "")
        for check in checks
    ]
    failed = not all(check["ok"] for check in checks)
    data = {"version": __version__, "system": platform.platform(), "checks": checks}
    return Result(data, "\n".join(lines), PARTLY_DONE if failed else 0)


def _version_problem(api: Api) -> str | None:
    try:
        release = latest_release(api)
    except ApiError as error:
        return None if error.code == "nothing_published" else str(error)
    except (ClientError, Malformed, NotAuthentic) as error:
        return str(error)
    if release.order > version_order(__version__):
        return f"Version {release.version} is available: {api.origin}/download"
    return None


def _clock_problem(service_time: float | None) -> str | None:
    difference = abs(time.time() - service_time) if service_time else 0
    if difference > MAX_CLOCK_DIFFERENCE_SECONDS:
        return f"It differs from the service's by {difference / 60:.0f} minutes. Set it."
    return None
