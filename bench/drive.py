"""Measures the mounted drive against `rclone mount` over rclone crypt, on the same S3 servers and
the same data. Medians of interleaved rounds; `SIZE=full` uses 1 GiB and 10,000 entries.

Both keep what is written on this computer first and send it later, as programs expect of a folder
(`--vfs-cache-mode full`); `tess` keeps it sealed. What is read is not in any cache."""

import asyncio
import os
import random
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from bench.goals import Goal, goal_table
from bench.service import running_service
from bench.storage import (
    STORES,
    TESS,
    Program,
    create_leader,
    rclone_config,
    service_with_stores,
    tess_program,
)
from bench.stores import RCLONE, running_stores

FULL = os.environ.get("SIZE") == "full"
LARGE_BYTES = 2**30 if FULL else 256 * 2**20
ENTRIES = 10_000 if FULL else 3_000
SMALL_FILES = 2_000
ROUNDS = int(os.environ.get("BENCH_ROUNDS", "3"))
SPACE = "Bench"
WAIT_SECONDS = 120

COPY_SMALL, WRITE, READ = "copy in 2,000 small files", "write", "read"
LIST, FIRST_BYTE = "open a folder", "first byte of the large file"


@dataclass
class Mount:
    name: str
    command: list[str]
    environment: dict[str, str]
    folder: Path
    cache: Path
    listing: list[str] = field(default_factory=list)
    """Prints what is stored, a line each, for a program that ends before it has sent everything."""
    seconds: dict[str, list[float]] = field(default_factory=dict)
    mebibytes: float = 0

    @contextmanager
    def mounted(self, *, is_empty: bool = False) -> Iterator[None]:
        if is_empty:
            shutil.rmtree(self.cache, ignore_errors=True)
        self.folder.mkdir(exist_ok=True)
        process = subprocess.Popen(
            self.command,
            env={**os.environ, **self.environment},
            stdout=subprocess.DEVNULL,
        )
        try:
            _wait(lambda: os.path.ismount(self.folder))
            yield
            self.mebibytes = max(self.mebibytes, _memory(process.pid))
            if self.listing:
                _wait(self._has_sent)
        finally:
            subprocess.run(["fusermount3", "-u", self.folder], check=True)
            process.wait(300)

    def _has_sent(self) -> bool:
        listed = subprocess.run(self.listing, check=True, capture_output=True, text=True).stdout
        return len(listed.splitlines()) == sum(path.is_file() for path in self.folder.rglob("*"))

    @contextmanager
    def measured(self, step: str, *, kept: bool) -> Iterator[None]:
        begun = time.perf_counter()
        yield
        if kept:
            self.seconds.setdefault(step, []).append(time.perf_counter() - begun)
            print(f"{self.name}: {step}: {self.seconds[step][-1]:.2f} s", flush=True)


def measure() -> str:
    return asyncio.run(_measure())


async def _measure() -> str:
    async with running_service() as place:
        folder = place.folder / "client"
        folder.mkdir()
        small, large = _make_files(folder)
        with (
            running_stores(folder, STORES) as stores,
            service_with_stores(place, stores) as service,
        ):
            leader = await create_leader(place, service.address, stores)
            trusted = {"SSL_CERT_FILE": str(stores[0].certificate)}
            program = tess_program(folder, leader, service.address, stores, trusted)
            mounts = await asyncio.to_thread(
                _mounts, folder, program, rclone_config(folder, stores), trusted
            )
            for number in range(ROUNDS + 1):
                for mount in mounts:
                    await asyncio.to_thread(_round, mount, number, small, large)
        return _text(mounts)


def _mounts(folder: Path, program: Program, config: Path, trusted: dict[str, str]) -> list[Mount]:
    for command in program.prepare(SPACE):
        subprocess.run(command, env={**os.environ, **program.environment}, check=True)
    own, other, cache = (folder / name for name in ("tess-mount", "rclone-mount", "rclone-cache"))
    tess = [sys.executable, "-c", TESS, "mount", SPACE, str(own)]
    rclone = [
        *(str(RCLONE), "--config", str(config), "--ca-cert", trusted["SSL_CERT_FILE"]),
    ]
    mount = ["mount", "crypt0:drive", str(other), "--vfs-cache-mode", "full", "--cache-dir"]
    listing = [*rclone, "lsf", "-R", "--files-only", "crypt0:drive"]
    state = Path(program.environment["TESSERA_CLIENT_DIR"])
    return [
        Mount("tess", tess, program.environment, own, _tess_cache(state)),
        Mount("rclone mount, crypt", [*rclone, *mount, str(cache)], {}, other, cache, listing),
    ]


def _round(mount: Mount, number: int, small: Path, large: Path) -> None:
    kept, at = number > 0, mount.folder / f"round-{number}"
    with mount.mounted():
        at.mkdir()
        with mount.measured(COPY_SMALL, kept=kept):
            subprocess.run(["cp", "-r", small, at / "small"], check=True)
        with mount.measured(WRITE, kept=kept):
            subprocess.run(["cp", large, at / "large"], check=True)
        many = at / "many"
        many.mkdir()
        for each in range(ENTRIES if number == 0 else 10):
            (many / f"{each:06}").touch()
    with mount.mounted(is_empty=True):
        with mount.measured(FIRST_BYTE, kept=kept), (at / "large").open("rb", buffering=0) as file:
            file.read(1)
        with mount.measured(LIST, kept=kept):
            subprocess.run(
                ["ls", "-l", mount.folder / "round-0" / "many"],
                stdout=subprocess.DEVNULL,
                check=True,
            )
    with mount.mounted(is_empty=True):
        with mount.measured(READ, kept=kept):
            subprocess.run(["cat", at / "large"], stdout=subprocess.DEVNULL, check=True)
        subprocess.run(["cmp", large, at / "large"], check=True)


def _make_files(folder: Path) -> tuple[Path, Path]:
    small, large = folder / "small", folder / "large.bin"
    for number in range(SMALL_FILES):
        path = small / f"{number // 100:03}" / f"{number:05}.bin"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(random.randbytes(random.randint(1024, 16 * 1024)))
    with large.open("wb") as file:
        for _ in range(LARGE_BYTES // 2**20):
            file.write(random.randbytes(2**20))
    return small, large


def _tess_cache(state: Path) -> Path:
    (user,) = (path for path in state.iterdir() if path.is_dir())
    return user / "drive" / "cache"


def _wait(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + WAIT_SECONDS
    while not condition():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.05)


def _memory(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1024


def _text(mounts: list[Mount]) -> str:
    peer = mounts[1]
    reached = {
        step: statistics.median(peer.seconds[step]) / statistics.median(mounts[0].seconds[step])
        for step in _WANTED
    }
    lines = [
        "## Drive",
        "",
        f"Mounted by FUSE; a file of {LARGE_BYTES // 2**20} MiB, {SMALL_FILES:,} files of 1 to 16"
        f" KiB, a folder of {ENTRIES:,} entries; {ROUNDS} interleaved rounds, medians. Ratios of"
        f" `{peer.name}`'s time: above 1 is faster.",
        "",
        "| step | tess, rclone = 1 | tess, seconds | rclone, seconds |",
        "|---|---|---|---|",
    ]
    for step, ratio in reached.items():
        own, other = (statistics.median(mount.seconds[step]) for mount in mounts)
        lines.append(f"| {step} | {ratio:.2f} | {own:.3f} | {other:.3f} |")
    memory = ", ".join(f"{mount.name} {mount.mebibytes:.0f} MiB" for mount in mounts)
    goals = [Goal(step, wanted, reached[step]) for step, wanted in _WANTED.items()]
    goals.append(Goal("memory of tess, MiB", 300, mounts[0].mebibytes, is_limit=True))
    lines += ["", f"Memory at most: {memory}.", "", *goal_table(goals), ""]
    lines.append(_PROFILE.read_text("utf-8").rstrip())
    return "\n".join(lines)


_PROFILE = Path(__file__).with_name("drive_profile.md")
_WANTED = {COPY_SMALL: 2.0, WRITE: 1.0, READ: 1.0, LIST: 1.0, FIRST_BYTE: 1.0}
