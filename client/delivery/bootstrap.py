"""Start of the .pyz: unpacks the wheels that fit this computer once, and runs the client.

Only the standard library is available here, and the first lines have to run on old Pythons.
"""

import contextlib
import hashlib
import json
import os
import platform
import shutil
import stat
import sys
import tempfile
import zipfile
from pathlib import Path

INDEX = "index.json"
_SYSTEMS = {"linux": "linux", "darwin": "macos", "win32": "windows"}
_MACHINES = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64"}


def main() -> None:
    archive = Path(sys.argv[0]).resolve()
    with zipfile.ZipFile(archive) as pyz:
        index = json.loads(pyz.read(INDEX))
        target = target_name()
        if target not in index["targets"]:
            known = ", ".join(sorted(index["targets"]))
            sys.exit(f"tess: this file has no parts for {target}. It has: {known}.")
        folder = unpack(pyz, index["targets"][target], index["sha256"], cache_folder())
    sys.path.insert(0, str(folder))
    from tessera_client.cli import main as run  # noqa: PLC0415 - importable from here on

    run()


def target_name() -> str:
    system = _SYSTEMS.get(sys.platform, sys.platform)
    if system == "linux" and platform.libc_ver()[0] != "glibc":
        system = "linux-musl"
    machine = platform.machine().lower()
    version = f"{sys.version_info[0]}.{sys.version_info[1]}"
    return f"{system}-{_MACHINES.get(machine, machine)}-{version}"


def cache_folder() -> Path:
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "tessera" / "client"


def unpack(
    pyz: zipfile.ZipFile, names: "list[str]", digests: "dict[str, str]", cache: Path
) -> Path:
    """Returns the folder with the wheels' content. Two first starts at once are harmless."""
    key = hashlib.sha256("".join(digests[name] for name in names).encode()).hexdigest()[:32]
    cache.mkdir(mode=0o700, parents=True, exist_ok=True)
    _require_private(cache)
    folder = cache / key
    if folder.is_dir():
        _require_private(folder)
        return folder
    part = Path(tempfile.mkdtemp(prefix=".part-", dir=cache))  # mode 0700
    try:
        for name in names:
            wheel = pyz.read(f"wheels/{name}")
            if hashlib.sha256(wheel).hexdigest() != digests[name]:
                sys.exit("tess: this file is damaged. Download it again.")
            path = part / name
            path.write_bytes(wheel)
            with zipfile.ZipFile(path) as content:
                content.extractall(part)
            path.unlink()
        with contextlib.suppress(OSError):  # another start was faster
            part.rename(folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return folder


def _require_private(folder: Path) -> None:
    """Code is run from here: nobody else may have written it."""
    if sys.platform == "win32":
        return
    facts = folder.lstat()
    is_own = stat.S_ISDIR(facts.st_mode) and facts.st_uid == os.getuid()
    if not is_own or facts.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        sys.exit(f"tess: {folder} may be changed by others. Remove it and start again.")


if __name__ == "__main__":
    if sys.version_info < (3, 11):  # noqa: UP036 - others start it with what they have
        sys.exit(f"tess: needs Python 3.11 or newer; this is {platform.python_version()}.")
    main()
