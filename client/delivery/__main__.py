"""Builds what the download page offers: `python -m client.delivery`.

build      wheel, a .pyz for each system, the native program, the installer of this system and the
           recovery kit's reader, with a manifest signed by the sandbox's key
sign       sign a folder of built files with the release key (TESSERA_RELEASE_KEY_PASSWORD)
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from client.delivery.archive import write_archive
from client.delivery.bootstrap import target_name
from client.delivery.installers.build import build_installer
from client.delivery.native import built_native
from client.delivery.signing import READER, load_key, sandbox_key, sign_folder
from client.delivery.targets import all_targets
from client.delivery.wheels import DeliveryFailed, collect_wheels
from tessera_core.release import PROGRESS
from tessera_core.version import __version__

_ROOT = Path(__file__).parents[2]
_WEB = _ROOT / "client" / "tessera_client" / "ui" / "web"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m client.delivery")
    commands = parser.add_subparsers(dest="command", required=True)
    build = commands.add_parser("build", help="build wheel, archives, native program, installer")
    build.add_argument("--to", type=Path, default=_ROOT / "dist" / "client")
    build.add_argument(
        "--only",
        choices=["archives", "here", "native"],
        help="the .pyz of all systems, the one for this computer, or native program and installer",
    )
    sign = commands.add_parser("sign", help="sign a folder of built files")
    sign.add_argument("folder", type=Path)
    sign.add_argument("--key", type=Path, required=True)
    arguments = parser.parse_args()
    try:
        if arguments.command == "build":
            _build(arguments.to, arguments.only)
        else:
            password = os.environ.get("TESSERA_RELEASE_KEY_PASSWORD", "")
            sign_folder(arguments.folder, load_key(arguments.key, password))
    except DeliveryFailed as failure:
        sys.exit(f"client: {failure}")


def _build(folder: Path, only: str | None) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    # The sandbox's download page shows it.
    progress = folder / PROGRESS

    def report(done: int, total: int) -> None:
        progress.write_text(json.dumps({"done": done, "total": total}), encoding="utf-8")

    try:
        report(0, 1)
        copy_reader(folder)
        if only != "native":
            wheel = build_wheel(folder)
            here = target_name().rpartition("-")[0]
            targets = [each for each in all_targets() if only != "here" or each.platform == here]
            wheels = collect_wheels(targets, folder.parent / "wheels", report)
            for platform in sorted({target.platform for target in targets}):
                own = {each: paths for each, paths in wheels.items() if each.platform == platform}
                write_archive(wheel, own, folder / f"tess-{__version__}-{platform}.pyz")
        if only in {None, "native"}:
            _require_page()
            with built_native(folder) as program:
                build_installer(program, folder, _say)
        release = sign_folder(folder, sandbox_key())
    finally:
        progress.unlink(missing_ok=True)
    for file in release.files:
        _say(f"{file.name}  {file.size / 1e6:.1f} MB")


def _require_page() -> None:
    """`tess ui` serves it, and the menu entry opens it."""
    if not (_ROOT / "client/tessera_client/ui/web/client.html").exists():
        raise DeliveryFailed("The client's page is not built: run `make build` first.")


def copy_reader(folder: Path) -> None:
    """Replaced at once: the sandbox serves the folder meanwhile."""
    part = folder / f".{READER}.part"
    try:
        shutil.copyfile(_WEB / READER, part)
    except FileNotFoundError:
        raise DeliveryFailed("there is no reader yet: run `make build` first") from None
    part.replace(folder / READER)


def build_wheel(folder: Path) -> Path:
    command = [
        *(sys.executable, "-m", "build", "--wheel", "--no-isolation"),
        *("--outdir", str(folder), str(_ROOT / "client")),
    ]
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "315532800"}
    done = subprocess.run(  # noqa: S603 - no shell
        command, capture_output=True, text=True, check=False, env=environment
    )
    if done.returncode:
        raise DeliveryFailed(f"the wheel cannot be built:\n{done.stdout}{done.stderr}")
    return folder / f"tessera_client-{__version__}-py3-none-any.whl"


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")


if __name__ == "__main__":
    main()
