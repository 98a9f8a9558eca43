"""Wheels of the client's dependencies for every target, as pinned in requirements.txt."""

import hashlib
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name, parse_wheel_filename

from client.delivery.targets import Target

REQUIREMENTS = Path(__file__).parents[1] / "requirements.txt"
_DOWNLOADS_AT_ONCE = 4
# Only wsgidav's own command needs them, and PyYAML has no wheels for the newest Python.
_LEFT_OUT = {"json5", "passlib", "pyyaml"}


class DeliveryFailed(Exception):
    """The message says what to do."""


@dataclass(frozen=True)
class Pinned:
    """One line of requirements.txt."""

    requirement: Requirement
    hashes: frozenset[str]

    @property
    def name(self) -> str:
        """Name and version, as in `known`."""
        return f"{canonicalize_name(self.requirement.name)}{self.requirement.specifier}"

    def line(self) -> str:
        """The marker is left out: pip would evaluate it for this computer, not for the target."""
        hashes = " ".join(f"--hash=sha256:{digest}" for digest in sorted(self.hashes))
        return f"{self.name} {hashes}"


def read_pinned(text: str) -> list[Pinned]:
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    pinned = []
    for logical in "\n".join(lines).replace("\\\n", " ").splitlines():
        requirement, *hashes = logical.split("--hash=sha256:")
        if requirement.strip():
            digests = frozenset(digest.strip() for digest in hashes)
            pinned.append(Pinned(Requirement(requirement.strip()), digests))
    return pinned


def pinned_requirements() -> list[Pinned]:
    """What the client brings along."""
    return [
        each
        for each in read_pinned(REQUIREMENTS.read_text(encoding="utf-8"))
        if canonicalize_name(each.requirement.name) not in _LEFT_OUT
    ]


def collect_wheels(
    targets: Iterable[Target], folder: Path, report: Callable[[int, int], None]
) -> dict[Target, list[Path]]:
    """Returns each target's wheels; downloads to `folder` what is not there yet. `report` is told
    how many downloads of how many are done."""
    folder.mkdir(parents=True, exist_ok=True)
    pinned = pinned_requirements()
    targets = list(targets)
    # One Python per platform first: most wheels fit the others, and need no second download.
    first = {target.platform: target for target in reversed(targets)}.values()
    total, done = len(first) + len(targets), 0
    for batch in (list(first), targets):
        known = _known_wheels(pinned, folder)
        download = partial(_download, pinned, known, folder)
        with ThreadPoolExecutor(_DOWNLOADS_AT_ONCE) as pool:
            for _ in pool.map(download, batch):
                done += 1
                report(done, total)
    known = _known_wheels(pinned, folder)
    return {target: list(_select(pinned, known, target).values()) for target in targets}


def _known_wheels(pinned: Iterable[Pinned], folder: Path) -> dict[str, list[Path]]:
    """Wheels by name and version, without those whose bytes are not the pinned ones."""
    digests = {digest for each in pinned for digest in each.hashes}
    wheels: dict[str, list[Path]] = {}
    for path in sorted(folder.glob("*.whl")):
        if hashlib.sha256(path.read_bytes()).hexdigest() in digests:
            name, version, _, _ = parse_wheel_filename(path.name)
            wheels.setdefault(f"{name}=={version}", []).append(path)
    return wheels


def _select(
    pinned: Iterable[Pinned], known: dict[str, list[Path]], target: Target
) -> dict[str, Path]:
    selected = {}
    for pin in pinned:
        fitting = (
            path
            for path in known.get(pin.name, [])
            if not parse_wheel_filename(path.name)[3].isdisjoint(target.tags)
        )
        if target.needs(pin.requirement) and (path := next(fitting, None)):
            selected[pin.name] = path
    return selected


def _download(
    pinned: Iterable[Pinned], known: dict[str, list[Path]], folder: Path, target: Target
) -> None:
    present = _select(pinned, known, target)
    missing = [pin for pin in pinned if target.needs(pin.requirement) and pin.name not in present]
    if not missing:
        return
    with tempfile.TemporaryDirectory(prefix=".part-", dir=folder) as part:
        listed = Path(part) / "requirements.txt"
        listed.write_text("\n".join(pin.line() for pin in missing) + "\n", encoding="utf-8")
        platforms = [f"--platform={platform}" for platform in target.wheel_platforms]
        command = [
            *(sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"),
            *("--no-deps", "--only-binary=:all:", "--require-hashes", "--dest", part),
            *("--implementation=cp", f"--python-version={target.python}", *platforms),
            *("-r", str(listed)),
        ]
        done = subprocess.run(  # noqa: S603 - no shell
            command, capture_output=True, text=True, check=False
        )
        if done.returncode:
            reason = done.stderr.strip().splitlines()[-1:] or ["pip gave no reason"]
            names = ", ".join(pin.name for pin in missing)
            raise DeliveryFailed(
                f"The registry has no wheels for {target.name} ({names}): {reason[0]}"
            )
        for path in Path(part).glob("*.whl"):
            path.replace(folder / path.name)
