"""The drive: spaces as folders of this computer."""

import signal
import subprocess
import sys
from enum import StrEnum
from errno import ENOTCONN
from pathlib import Path
from typing import Annotated

import typer

from tessera_client.commands.output import Result, notice, output
from tessera_client.commands.prompts import vault
from tessera_client.drive.opening import open_drives
from tessera_client.errors import ClientError, WrongUsage
from tessera_client.texts import translate


class Protocol(StrEnum):
    WEBDAV = "webdav"


def mount(
    places: Annotated[list[str], typer.Argument(help="options.mount", metavar="[SPACE] FOLDER")],
) -> Result:
    """Shows a space, or all of them, as a folder until Ctrl+C or `tess unmount`."""
    if len(places) > 2:
        raise WrongUsage.from_code("mount_usage")
    *space, target = places
    folder = Path(target).absolute()
    _check_folder(folder)
    from tessera_client.drive import fuse  # noqa: PLC0415 - not every system has it

    with vault() as opened, open_drives(opened, space[0] if space else None, notice) as mounted:
        fuse.mount(mounted, str(folder), lambda: notice(translate("drive.mounted", path=folder)))
        waiting = sum(drive.waiting for drive in mounted.drives)
    return Result({"unmounted": str(folder), "waiting": waiting}, translate("drive.unmounted"))


def unmount(
    folder: Annotated[Path, typer.Argument(help="options.mounted_folder", metavar="FOLDER")],
) -> Result:
    """Ends a mount; what is not sent yet is sent first."""
    path = folder.absolute()
    if not _run_unmount(path):
        raise ClientError.from_code("not_mounted", path=path)
    return Result({"unmounted": str(path)}, translate("drive.unmounted"))


def _run_unmount(path: Path, *options: str) -> bool:
    """Returns whether something was mounted there."""
    program = ["umount"] if sys.platform == "darwin" else ["fusermount3", "-u"]
    try:
        done = subprocess.run(  # noqa: S603
            [*program, *options, str(path)], capture_output=True, check=False
        )
    except FileNotFoundError:
        raise ClientError.from_code("no_fuse") from None
    return done.returncode == 0


def _check_folder(folder: Path) -> None:
    try:
        folder.stat()
    except OSError as error:
        if error.errno == ENOTCONN:
            # A mount whose program was killed.
            _run_unmount(folder, *(() if sys.platform == "darwin" else ("-z",)))
    if not folder.is_dir():
        raise WrongUsage.from_code("mount_no_folder", path=folder)
    if any(folder.iterdir()):
        raise WrongUsage.from_code("mount_not_empty", path=folder)


def serve(
    protocol: Annotated[Protocol, typer.Argument(help="options.protocol", metavar="webdav")],
    space: Annotated[str | None, typer.Argument(help="options.space", metavar="[SPACE]")] = None,
) -> Result:
    """Offers a space, or all of them, to other programs of this computer until Ctrl+C."""
    from tessera_client.drive.webdav import USER, WebDavServer  # noqa: PLC0415 - loaded if used

    del protocol
    with vault() as opened, open_drives(opened, space, notice) as mounted:
        server = WebDavServer(mounted)
        access = {"url": server.url, "user": USER, "password": server.password}
        text = translate("drive.serving", **access)
        output.show(Result(access, text))
        # Also where a script has started it in the background, which ignores Ctrl+C.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.default_int_handler)
        try:
            server.serve()
        except KeyboardInterrupt:
            pass
        finally:
            server.stop()
    return Result({"stopped": True}, translate("results.stopped"))
