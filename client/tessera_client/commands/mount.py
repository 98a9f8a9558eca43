"""The drive: spaces as folders of this computer."""

import shlex
import subprocess
import sys
from collections.abc import Sequence
from contextlib import nullcontext, suppress
from enum import StrEnum
from errno import ENOTCONN
from pathlib import Path
from typing import Annotated

import typer

from tessera_client.commands.connected import Always, Remove, connect, disconnect, pause
from tessera_client.commands.ending import ending_when_locked, interrupted_by_the_system
from tessera_client.commands.output import Result, notice, output
from tessera_client.commands.prompts import vault
from tessera_client.drive import system_mount
from tessera_client.drive.mounted import Mounted
from tessera_client.drive.opening import open_drives
from tessera_client.errors import ClientError, WrongUsage
from tessera_client.texts import translate
from tessera_client.vault.connected_folders import ConnectedFolder, new_id
from tessera_client.vault.folder_reports import find_report
from tessera_client.vault.profile import StateFolder


class Protocol(StrEnum):
    WEBDAV = "webdav"


def mount(
    places: Annotated[list[str], typer.Argument(help="options.mount", metavar="[SPACE] FOLDER")],
    always: Always = False,
    remove: Remove = False,
) -> Result:
    """Shows a space, or all of them, as a folder until Ctrl+C or `tess unmount`."""
    if len(places) > 2:
        raise WrongUsage.from_code("mount_usage")
    *spaces, target = places
    space, folder = spaces[0] if spaces else None, _place(Path(target))
    if remove:
        return disconnect("mount", folder)
    if always:
        _check_folder(folder)
        with vault() as opened:
            identifier = opened.find(space).id if space else None
            return connect(opened, ConnectedFolder(new_id(), "mount", str(folder), identifier))
    return mount_folder(space, folder)


def mount_folder(space: str | None, folder: Path) -> Result:
    report = find_report(StateFolder.from_environment(), folder)
    with report.noting_failures() if report else nullcontext():
        _check_folder(folder)
        with (
            vault() as opened,
            open_drives(opened, space, notice) as mounted,
            ending_when_locked(opened.account.folder),
            report.following(lambda: mounted.folder_status(report.conflicts))
            if report
            else nullcontext(),
        ):
            _show(mounted, str(folder))
            waiting = sum(drive.waiting for drive in mounted.drives)
    return Result({"unmounted": str(folder), "waiting": waiting}, translate("drive.unmounted"))


def _show(mounted: Mounted, folder: str) -> None:
    """Returns when it was unmounted."""
    told = translate("drive.mounted", path=folder)
    if system_mount.is_needed():

        def tell(command: Sequence[str]) -> None:
            notice(translate("drive.ran", command=shlex.join(command)))
            notice(told)

        with suppress(KeyboardInterrupt), interrupted_by_the_system():
            system_mount.show(mounted, folder, tell)
        return
    try:
        from tessera_client.drive import fuse  # noqa: PLC0415 - not every system has it
    except (ImportError, OSError):
        raise ClientError.from_code("no_fuse") from None
    fuse.mount(mounted, folder, lambda: notice(told))


def unmount(
    folder: Annotated[Path, typer.Argument(help="options.mounted_folder", metavar="FOLDER")],
) -> Result:
    """Ends a mount; what is not sent yet is sent first."""
    path = _place(folder)
    if not _run_unmount(path):
        raise ClientError.from_code("not_mounted", path=path)
    text = translate("drive.unmounted")
    if pause(path):
        text += f"\n{translate('folders.paused', path=path)}"
    return Result({"unmounted": str(path)}, text)


def _run_unmount(path: Path, *options: str) -> bool:
    """Returns whether something was mounted there."""
    command = ["fusermount3", "-u", *options, str(path)]
    if sys.platform in {"darwin", "win32"}:
        command = system_mount.disconnect_command(str(path))
    try:
        done = subprocess.run(command, capture_output=True, check=False)  # noqa: S603
    except FileNotFoundError:
        raise ClientError.from_code("no_fuse") from None
    return done.returncode == 0


def _place(target: Path) -> Path:
    """On Windows it is a letter."""
    return target if sys.platform == "win32" else target.absolute()


def _check_folder(folder: Path) -> None:
    if sys.platform == "win32":
        system_mount.check_letter(str(folder))
        return
    try:
        # What the system says of the folder alone may be from before.
        any(folder.iterdir())
    except OSError as error:
        if error.errno == ENOTCONN:
            # A mount whose program was killed.
            _run_unmount(folder, "-z")
    if not folder.is_dir():
        raise WrongUsage.from_code("mount_no_folder", path=folder)
    if any(folder.iterdir()):
        raise WrongUsage.from_code("mount_not_empty", path=folder)


def serve(
    protocol: Annotated[Protocol, typer.Argument(help="options.protocol", metavar="webdav")],
    space: Annotated[str | None, typer.Argument(help="options.space", metavar="[SPACE]")] = None,
) -> Result:
    """Offers a space, or all of them, to other programs of this computer until Ctrl+C."""
    from tessera_client.drive.webdav import WebDavServer  # noqa: PLC0415 - loaded if used

    del protocol
    with vault() as opened, open_drives(opened, space, notice) as mounted:
        server = WebDavServer(mounted)
        access = {"url": server.url, "user": system_mount.USER, "password": server.password}
        text = translate("drive.serving", **access)
        output.show(Result(access, text))
        try:
            with interrupted_by_the_system(), ending_when_locked(opened.account.folder):
                server.serve()
        except KeyboardInterrupt:
            pass
        finally:
            server.stop()
    return Result({"stopped": True}, translate("results.stopped"))
