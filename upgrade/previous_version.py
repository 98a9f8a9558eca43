"""The version before, taken from the history of the repository."""

import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from tests.fixtures.process import OtherVersion

ROOT = Path(__file__).parents[1]
NAMED_IN = Path(__file__).parent / "previous-version.txt"
REQUIREMENTS = "requirements.txt"
# What the build makes and the client needs: the recovery kit's reader. Of this version.
BUILT = "client/tessera_client/ui/web"
PACKAGES = ("backend/tessera", "client/tessera_client", "core/tessera_core")


class CommitMissing(Exception):
    """A shallow clone, or sources without a history."""


@dataclass(frozen=True)
class Release:
    version: str
    commit: str

    def read(self, path: str) -> bytes:
        return _git("show", f"{self.commit}:{path}")


def previous_release() -> Release:
    version, commit = NAMED_IN.read_text(encoding="utf-8").split()
    try:
        _git("cat-file", "-e", f"{commit}^{{commit}}")
    except (OSError, subprocess.CalledProcessError):
        raise CommitMissing(
            f"Version {version} (commit {commit}) is not in this clone:"
            " fetch the whole history with `git fetch --unshallow`."
        ) from None
    return Release(version, commit)


@contextmanager
def checked_out(release: Release) -> Iterator[OtherVersion]:
    with tempfile.TemporaryDirectory(prefix="tessera-previous-") as name:
        folder = Path(name)
        archive = _git("archive", release.commit, *PACKAGES, REQUIREMENTS)
        with tarfile.open(fileobj=BytesIO(archive)) as files:
            files.extractall(folder, filter="data")
        shutil.copytree(ROOT / BUILT, folder / BUILT)
        yield OtherVersion(folder, _python_for(folder))


def _python_for(folder: Path) -> str:
    """This interpreter if it has what the version requires, else one of its own."""
    if (folder / REQUIREMENTS).read_bytes() == (ROOT / REQUIREMENTS).read_bytes():
        return sys.executable
    environment = folder / "venv"
    subprocess.run([sys.executable, "-m", "venv", environment], check=True)
    python = str(environment / "bin" / "python")
    install = (python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    subprocess.run([*install, "--require-hashes", "-r", folder / REQUIREMENTS], check=True)
    return python


def _git(*arguments: str) -> bytes:
    return subprocess.run(
        ["git", *arguments], cwd=ROOT, check=True, capture_output=True
    ).stdout  # fmt: skip
