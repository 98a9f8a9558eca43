"""Start of the .pyz: unpacks what fits this computer's Python once, and runs the client.

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
import time
import zipfile
from pathlib import Path
from typing import IO, Any

if sys.platform != "win32":
    import fcntl

INDEX = "index.json"
_LOCK = ".lock"
_ABANDONED_SECONDS = 24 * 3600
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
        cache = cache_folder()
        folder, _lock = claim(pyz, index["targets"][target], index["files"], cache)
    remove_older(cache, folder)
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


def claim(
    pyz: zipfile.ZipFile, paths: "dict[str, int]", files: "list[list[Any]]", cache: Path
) -> "tuple[Path, IO[str]]":
    """Unpacks, and holds a lock that keeps newer versions from removing the folder meanwhile."""
    while True:
        folder = unpack(pyz, paths, files, cache)
        with contextlib.suppress(OSError):  # removed since
            lock = (folder / _LOCK).open("a", encoding="utf-8")
            if sys.platform != "win32":
                fcntl.flock(lock, fcntl.LOCK_SH)
            if (folder / _LOCK).exists():
                return folder, lock
            lock.close()


def remove_older(cache: Path, own: Path) -> None:
    """Removes what older versions have unpacked, unless they are running."""
    for folder in cache.iterdir():
        with contextlib.suppress(OSError):
            if folder.name.startswith("."):
                if folder.stat().st_mtime < time.time() - _ABANDONED_SECONDS:
                    shutil.rmtree(folder, ignore_errors=True)
            elif _version(folder) < _version(own):
                _remove_unused(folder)


def _version(folder: Path) -> "tuple[int, ...]":
    """The client's version in a folder; of folders without one, nothing is known."""
    found = next(folder.glob("tessera_client-*.dist-info"), None)
    if found is None:
        raise FileNotFoundError(folder)
    numbers = found.name[len("tessera_client-") : -len(".dist-info")].split(".")
    return tuple(int(number) for number in numbers if number.isdigit())


def _remove_unused(folder: Path) -> None:
    """The rename fails on Windows, and the lock elsewhere, while a program runs from the folder."""
    doomed = folder.with_name(f".old-{folder.name}")
    with (folder / _LOCK).open("a", encoding="utf-8") as lock:
        if sys.platform != "win32":
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            folder.rename(doomed)
    if sys.platform == "win32":
        folder.rename(doomed)
    shutil.rmtree(doomed, ignore_errors=True)


def unpack(
    pyz: zipfile.ZipFile, paths: "dict[str, int]", files: "list[list[Any]]", cache: Path
) -> Path:
    """Returns the folder with the wheels' content. Two first starts at once are harmless.

    `paths` says which file lies where, `files` has the SHA-256 and the size of each."""
    wanted = sorted((path, files[number][0]) for path, number in paths.items())
    key = hashlib.sha256(json.dumps(wanted).encode()).hexdigest()[:32]
    cache.mkdir(mode=0o700, parents=True, exist_ok=True)
    _require_private(cache)
    folder = cache / key
    if folder.is_dir():
        _require_private(folder)
        return folder
    part = Path(tempfile.mkdtemp(prefix=".part-", dir=cache))  # mode 0700
    try:
        _write_files(pyz, paths, files, part)
        with contextlib.suppress(OSError):  # another start was faster
            part.rename(folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return folder


def _write_files(
    pyz: zipfile.ZipFile, paths: "dict[str, int]", files: "list[list[Any]]", folder: Path
) -> None:
    try:
        import lzma  # noqa: PLC0415 - some that build their own Python leave it out
    except ImportError:
        sys.exit("tess: this Python was built without lzma (liblzma-dev). Use another one.")
    places: dict[int, list[str]] = {}
    for path, number in paths.items():
        places.setdefault(number, []).append(path)
    with pyz.open("files.xz") as packed, lzma.open(packed) as unpacked:
        for number, (digest, size) in enumerate(files):
            content = unpacked.read(size)
            for path in places.get(number, ()):
                if hashlib.sha256(content).hexdigest() != digest:
                    sys.exit("tess: this file is damaged. Download it again.")
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / path).write_bytes(content)


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
