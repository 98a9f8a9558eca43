"""Measures `tess` against rclone crypt and restic on the same three S3 servers and the same data.
Medians of interleaved rounds. `SIZE=full` stores 1 GiB and 10,000 small files. restic is measured
if it is installed: no package registry has it (on Debian: apt install restic).

A pack of `tess` survives the loss of one store. The peers keep one copy in one store, which does
not; rclone is also measured with a copy in each of two stores, which does.
"""

import asyncio
import filecmp
import json
import os
import random
import re
import resource
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from bench.goals import Goal, goal_table
from bench.service import RunningService, running_service
from bench.side_by_side import Server, tessera
from bench.storage_data import new_leader
from bench.stores import ACCESS_KEY, RCLONE, REGION, SECRET, Store, running_stores
from tessera.kit.database import Database
from tessera.kit.workflows import Resources
from tessera_client.vault.profile import Profile, Secrets, StateFolder
from tessera_core.envelopes import new_key
from tests.clouds import provider_types
from tests.factories.warehouses import Warehouses
from tests.storage.client import Device
from tests.storage.packs import ACTIVE

FULL = os.environ.get("SIZE") == "full"
LARGE_BYTES = 2**30 if FULL else 256 * 2**20
SMALL_FILES = 10_000 if FULL else 2_000
ROUNDS = int(os.environ.get("BENCH_ROUNDS", "3"))
LISTED_FILES = 100_000
SPARSE_BYTES = 10 * 2**30
STORES = 3
SPACE = "Bench"
TESS = "from tessera_client.cli import main; main()"
RCLONE_CRYPT = "rclone crypt"
RESTIC = shutil.which("restic")

PUT, PUT_SMALL, AGAIN = "put", "put, small files", "put again, unchanged"
GET, GET_SMALL, GET_DEGRADED = "get", "get, small files", "get, one store missing"


@dataclass(frozen=True)
class Run:
    seconds: float
    processor: float
    """Seconds of processor time of the program."""
    servers: float
    """And of the S3 servers and the service meanwhile."""
    mebibytes: float


@dataclass
class Program:
    """A program to be measured: how it stores and fetches a folder, in a place of its own."""

    name: str
    put: Callable[[Path, str], list[list[str]]]
    get: Callable[[str, str, Path], list[list[str]]]
    """Takes the place, the folder's name and where to write."""
    environment: dict[str, str]
    prepare: Callable[[str], list[list[str]]] = lambda _: []
    survives: bool = False
    servers: tuple[int, ...] = ()
    """Their process ids."""
    runs: dict[str, list[Run]] = field(default_factory=dict)

    def run(self, step: str, commands: list[list[str]], *, kept: bool) -> None:
        """Runs the commands at once; memory is that of the largest."""
        begun, processor, servers = time.perf_counter(), _children_seconds(), self._server_seconds()
        started = [
            subprocess.Popen(
                command, env={**os.environ, **self.environment}, stdout=subprocess.DEVNULL
            )
            for command in commands
        ]
        memory = 0.0
        for command, process in zip(commands, started, strict=True):
            while process.poll() is None:
                memory = max(memory, _peak_memory(process.pid))
                time.sleep(0.01)
            assert process.returncode == 0, (self.name, command)
        if kept:
            run = Run(
                time.perf_counter() - begun,
                _children_seconds() - processor,
                self._server_seconds() - servers,
                memory,
            )
            self.runs.setdefault(step, []).append(run)
            print(f"{self.name}: {step}: {run.seconds:.1f} s", flush=True)

    def _server_seconds(self) -> float:
        return sum(map(process_seconds, self.servers))


def _children_seconds() -> float:
    """Processor time of all programs that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def process_seconds(pid: int) -> float:
    """Processor time of a process that runs."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _peak_memory(pid: int) -> float:
    """In MiB; 0 at the process's end. What `wait4` says includes the process that started it."""
    status = Path(f"/proc/{pid}/status").read_text()
    found = re.search(r"^VmHWM:\s+(\d+) kB$", status, re.MULTILINE)
    return int(found[1]) / 1024 if found else 0.0


def measure() -> str:
    return asyncio.run(_measure())


async def _measure() -> str:
    async with running_service() as place:
        folder = place.folder / "client"
        folder.mkdir()
        large, small = _make_files(folder)
        with (
            running_stores(folder, STORES) as stores,
            service_with_stores(place, stores) as service,
        ):
            leader = await create_leader(place, service.address, stores)
            programs = _programs(folder, leader, service.address, stores)
            servers = (service.process.pid, *(store.pid for store in stores))
            for program in programs:
                program.servers = servers
            for number in range(ROUNDS + 1):
                for program in programs:
                    await asyncio.to_thread(_round, program, number, folder, (large, small), stores)
            tess = programs[0]
            await asyncio.to_thread(_list_many, tess, folder)
            await asyncio.to_thread(_store_sparse, tess, folder)
        return _text(programs)


@contextmanager
def service_with_stores(place: RunningService, stores: list[Store]) -> Iterator[Server]:
    """The service, whose clouds are these stores."""
    environment = {
        "BENCH_STORES": json.dumps({store.bucket: store.url for store in stores}),
        "SSL_CERT_FILE": str(stores[0].certificate),
    }
    with tessera(
        place, workers=1, module="bench.peers.live_clouds", environment=environment
    ) as service:
        yield service


def _make_files(folder: Path) -> tuple[Path, Path]:
    large, small = folder / "large", folder / "small"
    large.mkdir()
    with (large / "file.bin").open("wb") as file:
        for _ in range(LARGE_BYTES // 2**20):
            file.write(random.randbytes(2**20))
    for number in range(SMALL_FILES):
        path = small / f"{number // 100:03}" / f"{number:05}.bin"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(random.randbytes(random.randint(1024, 16 * 1024)))
    return large, small


async def create_leader(place: RunningService, address: str, stores: list[Store]) -> Device:
    _, leader = await new_leader(place, address)
    await leader.http.aclose()
    async with Database(place.settings) as database:
        resources = Resources(place.settings, database, place.keys)
        warehouses = Warehouses(place.owner, resources)
        for store in stores:
            form = {
                "bucket_name": store.bucket,
                "account_key": ACCESS_KEY,
                "secret": SECRET,
                "region": REGION,
                "path": "tessera",
            }
            await warehouses.add(leader.user.company.id, form, provider_types.S3, **ACTIVE)
    return leader


def _programs(folder: Path, leader: Device, address: str, stores: list[Store]) -> list[Program]:
    certificate = str(stores[0].certificate)
    config = rclone_config(folder, stores)
    trusted = {"SSL_CERT_FILE": certificate}
    found = [tess_program(folder, leader, address, stores, trusted)]

    def rclone(source: str, target: str) -> list[str]:
        return [str(RCLONE), "--config", str(config), "--ca-cert", certificate, "-q", "copy",
                source, target]  # fmt: skip

    def put(remotes: list[str], source: Path, at: str) -> list[list[str]]:
        return [rclone(str(source), f"{remote}:{at}/{source.name}") for remote in remotes]

    for name, remotes in ((RCLONE_CRYPT, ["crypt0"]), (f"{RCLONE_CRYPT}, 2 copies",
                                                       ["crypt0", "crypt1"])):  # fmt: skip
        found.append(
            Program(
                name,
                partial(put, remotes),
                lambda at, what, out: [rclone(f"crypt0:{at}/{what}", str(out / what))],
                {},
            )
        )
    if RESTIC:
        found.append(_restic(stores[0]))
    return found


def tess_program(
    folder: Path,
    leader: Device,
    address: str,
    stores: list[Store],
    trusted: dict[str, str],
) -> Program:
    """On a computer of its own, logged in as the leader."""
    state = StateFolder(folder / "tess", use_keyring=False)
    user = leader.user
    state.save_profile(
        Profile(
            origin=address,
            email=user.email,
            device="Bench",
            user=user.uuid,
            company=user.company.uuid,
            company_name="Bench",
            name="Bench",
            salt="",
            sealed_user_key="",
            allowed_hosts=tuple(urlsplit(store.url).netloc for store in stores),
        )
    )
    token = leader.headers["Authorization"].removeprefix("Bearer ")
    state.save_secrets(Secrets(token, _USER_KEY))
    environment = {
        "TESSERA_CLIENT_DIR": str(state.path),
        "TESS_NO_KEYRING": "1",
        # As an installed program, it is compiled once, in the round that does not count.
        "PYTHONDONTWRITEBYTECODE": "",
        "PYTHONPYCACHEPREFIX": str(folder / "bytecode"),
        **trusted,
    }
    tess = [sys.executable, "-c", TESS]
    return Program(
        "tess",
        lambda source, at: [[*tess, "put", str(source), f"{at}:/"]],
        lambda at, what, out: [[*tess, "get", f"{at}:/{what}", str(out)]],
        environment,
        lambda at: [[*tess, "spaces", "create", at]],
        survives=True,
    )


_USER_KEY = new_key()


def rclone_config(folder: Path, stores: list[Store]) -> Path:
    config = folder / "rclone.conf"
    secret = _output(str(RCLONE), "obscure", "a password of the benchmark")
    config.write_text(
        "\n".join(
            f"[s3{number}]\ntype = s3\nprovider = Rclone\nendpoint = {store.url}\n"
            f"access_key_id = {ACCESS_KEY}\nsecret_access_key = {SECRET}\n"
            f"[crypt{number}]\ntype = crypt\nremote = s3{number}:{store.bucket}/rclone\n"
            f"password = {secret}\n"
            for number, store in enumerate(stores)
        )
    )
    return config


def _restic(store: Store) -> Program:
    def restic(at: str, *arguments: str) -> list[str]:
        address = f"s3:{store.url}/{store.bucket}/restic/{at}"
        certificate = str(store.certificate)
        return [str(RESTIC), "-q", "-r", address, "--cacert", certificate, *arguments]

    return Program(
        "restic",
        lambda source, at: [restic(at, "backup", str(source))],
        lambda at, what, out: [
            restic(at, "restore", "latest", "--path", str(out.parent / what), "--target", str(out))
        ],
        {
            "AWS_ACCESS_KEY_ID": ACCESS_KEY,
            "AWS_SECRET_ACCESS_KEY": SECRET,
            "RESTIC_PASSWORD": "a password of the benchmark",
            "RESTIC_CACHE_DIR": str(store.folder / "restic-cache"),
        },
        lambda at: [restic(at, "init")],
    )


def _round(
    program: Program, number: int, folder: Path, files: tuple[Path, Path], stores: list[Store]
) -> None:
    large, small = files
    kept = number > 0
    at = f"{program.name.replace(', ', '-').replace(' ', '-')}-{number}"
    program.run("prepare", program.prepare(at), kept=False)
    program.run(PUT, program.put(large, at), kept=kept)
    program.run(PUT_SMALL, program.put(small, at), kept=kept)
    program.run(AGAIN, program.put(small, at), kept=kept)
    steps: list[tuple[str, Path, list[Store]]] = [(GET, large, []), (GET_SMALL, small, [])]
    if program.survives:
        steps.append((GET_DEGRADED, large, stores[:1]))
    for step, source, lost in steps:
        out = folder / f"out-{at}-{source.name}-{len(lost)}"
        out.mkdir()
        with ExitStack() as stack:
            for store in lost:
                stack.enter_context(store.missing())
            program.run(step, program.get(at, source.name, out), kept=kept)
        _check_same(source, out)
        if source == large:
            # Small files stay: for minutes, ext4 tries every inode that was freed before it makes
            # a file, so that whoever is measured next would pay for it.
            shutil.rmtree(out)
    for store in stores:
        store.remove_large_objects()


def _check_same(source: Path, out: Path) -> None:
    name = next(path for path in sorted(source.rglob("*")) if path.is_file()).name
    (found,) = out.rglob(name)
    original = next(source.rglob(name))
    assert filecmp.cmp(original, found, shallow=False)


def _list_many(tess: Program, folder: Path) -> None:
    source = folder / "many"
    for number in range(LISTED_FILES):
        path = source / f"{number // 1000:03}" / f"{number:06}"
        if number % 1000 == 0:
            path.parent.mkdir(parents=True)
        path.write_bytes(b"%d" % number)
    tess.run("prepare", tess.prepare("Listed"), kept=False)
    tess.run("prepare", tess.put(source, "Listed"), kept=False)
    (command,) = tess.get("Listed", "many", Path())
    command = [*command[: command.index("get")], "ls", "Listed:/many/001"]
    for _ in range(ROUNDS):
        tess.run("ls", [command], kept=True)


def _store_sparse(tess: Program, folder: Path) -> None:
    source = folder / "sparse"
    source.mkdir()
    with (source / "disk.img").open("wb") as file:
        file.write(b"begin")
        file.seek(SPARSE_BYTES - 3)
        file.write(b"end")
    tess.run("prepare", tess.prepare("Sparse"), kept=False)
    tess.run("put, sparse", tess.put(source, "Sparse"), kept=True)
    out = folder / "out-sparse"
    out.mkdir()
    tess.run("get, sparse", tess.get("Sparse", "sparse", out), kept=True)
    _check_same(source, out)


def _output(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def _text(programs: list[Program]) -> str:
    version = _output(str(RCLONE), "version").splitlines()[0]
    peers = f"{version}, {_output(RESTIC, 'version') if RESTIC else 'restic was not installed'}"
    lines = [
        "## Client",
        "",
        f"A file of {LARGE_BYTES // 2**20} MiB of random bytes and {SMALL_FILES:,} files of 1 to 16"
        f" KiB, on {STORES} `rclone serve s3` with TLS, {ROUNDS} interleaved rounds, medians."
        f" Ratios of {RCLONE_CRYPT}'s time with one copy in one store; `tess` stores so that one"
        f" store may be lost. ({peers}.)",
        "",
        f"| step | program | {RCLONE_CRYPT} = 1 | by processor time | seconds"
        " | its processor time | the servers' | memory, MiB |",
        "|---|---|---|---|---|---|---|---|",
    ]
    base = {program.name: program.runs for program in programs}[RCLONE_CRYPT]
    for step in (PUT, PUT_SMALL, AGAIN, GET, GET_SMALL, GET_DEGRADED):
        compared = base[GET if step == GET_DEGRADED else step]
        for program in programs:
            if step in program.runs:
                runs = program.runs[step]
                ratio = _seconds(compared) / _seconds(runs)
                share = _processor(compared) / _processor(runs)
                own = statistics.median(run.processor for run in runs)
                servers = statistics.median(run.servers for run in runs)
                memory = max(run.mebibytes for run in runs)
                lines.append(
                    f"| {step} | {program.name} | {ratio:.2f} | {share:.2f}"
                    f" | {_seconds(runs):.1f} | {own:.2f} | {servers:.2f} | {memory:.0f} |"
                )
    tess = programs[0].runs
    lines += [
        "",
        f"`tess ls` of a folder in a space of {LISTED_FILES:,} files: {_seconds(tess['ls']):.1f} s."
        f" A sparse file of {SPARSE_BYTES // 2**30} GiB: stored in"
        f" {_seconds(tess['put, sparse']):.0f} s with {tess['put, sparse'][0].mebibytes:.0f} MiB,"
        f" fetched in {_seconds(tess['get, sparse']):.0f} s with"
        f" {tess['get, sparse'][0].mebibytes:.0f} MiB.",
        "",
        f"The goals, on a processor {'with' if _hashes_in_hardware() else 'without'} instructions"
        " for SHA-256 (times as fast as the peer):",
        "",
        *goal_table(_goals(programs)),
        "",
        _PROFILE.read_text("utf-8").rstrip(),
    ]
    return "\n".join(lines)


def _goals(programs: list[Program]) -> Iterator[Goal]:
    peers = {program.name: program.runs for program in programs}
    tess = peers["tess"]
    for peer, steps in _WANTED.items():
        for step, wanted in steps.items() if peer in peers else ():
            reached = _seconds(peers[peer][step]) / _seconds(tess[step])
            yield Goal(f"{step}, of {peer}", wanted, reached)
    memory = max(run.mebibytes for runs in tess.values() for run in runs)
    yield Goal("memory of `tess`, MiB", 200, memory, is_limit=True)


_PROFILE = Path(__file__).with_name("storage_profile.md")
_WANTED = {
    "restic": {PUT: 1.2, GET: 1.2, PUT_SMALL: 1.0, GET_SMALL: 1.0, AGAIN: 2.0},
    RCLONE_CRYPT: {PUT: 2.0, GET: 1.2},
}


def _hashes_in_hardware() -> bool:
    """Intel calls it sha_ni, ARM sha2."""
    return re.search(r"\b(sha_ni|sha2)\b", Path("/proc/cpuinfo").read_text()) is not None


def _seconds(runs: list[Run]) -> float:
    return statistics.median(run.seconds for run in runs)


def _processor(runs: list[Run]) -> float:
    """Of the program and the servers: what decides on a machine whose cores are all busy."""
    return statistics.median(run.processor + run.servers for run in runs)
