"""The folders that are backed up, and those that are watched while the page's server runs."""

import asyncio
import os
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from uuid import UUID

import msgspec
import watchfiles

from tessera_client.errors import ClientError, WrongUsage
from tessera_client.ui.operations import checked_path
from tessera_client.ui.schemas import (
    BackupInfo,
    BackupList,
    BackupPreview,
    Failure,
    LocalFolder,
    Phase,
    State,
)
from tessera_client.ui.session import Session
from tessera_client.ui.transfers import ENDED, Transfer, Transfers
from tessera_client.vault.backups import (
    RETRY_SECONDS,
    WATCH_SECONDS,
    Backup,
    LastRun,
    check_folder,
    load_backups,
    own_state,
    save_backups,
)
from tessera_client.vault.patterns import Patterns
from tessera_client.vault.put import PutOptions, find_changes
from tessera_client.vault.scan import Problem

MAX_FOLDERS = 1000
MAX_SHOWN = 20

# How often the session and the watched folders are looked at.
TICK_SECONDS = 1.0


@dataclass
class Job:
    """One backup, its run that has not ended, and the task that watches its folder."""

    backup: Backup
    run: Transfer | None = None
    watch: asyncio.Task[None] | None = None
    idle: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def folder(self) -> Path:
        return Path(self.backup.folder)

    def info(self) -> BackupInfo:
        run = self.run if self.run and self.run.state not in ENDED else None
        values = msgspec.structs.asdict(self.backup)
        return BackupInfo(**values, name=self.folder.name, state=run.state if run else None)


class Backups:
    def __init__(self, session: Session, transfers: Transfers, home: Path) -> None:
        self._session = session
        self._transfers = transfers
        self._folder = session.worker.folder
        self._home = home.resolve()
        self._user: UUID | None = None
        self._jobs: dict[str, Job] = {}
        self._problem: ClientError | None = None
        self._is_held = False

    def info(self) -> BackupList | None:
        """None while the keys are locked, or nobody is logged in."""
        if self._user is None:
            return None
        return BackupList(Failure.of(self._problem), [job.info() for job in self._jobs.values()])

    async def follow(self) -> None:
        """Opens and closes the list with the session."""
        while True:
            user = self._ready_user()
            if user != self._user:
                self._close()
                self._open(user)
            await asyncio.sleep(TICK_SECONDS)

    def _ready_user(self) -> UUID | None:
        if self._session.phase is not Phase.READY or self._is_held:
            return None
        try:
            return self._folder.load_profile().user
        except ClientError:
            return None

    @contextmanager
    def held(self) -> Iterator[None]:
        """Starts no run while the account is being closed."""
        self._is_held = True
        self._close()
        try:
            yield
        finally:
            self._is_held = False

    def _open(self, user: UUID | None) -> None:
        self._user, self._problem = user, None
        try:
            backups = load_backups(self._folder, user) if user else []
        except ClientError as error:
            self._problem, backups = error, []
        for backup in backups:
            self._jobs[backup.id] = job = Job(backup)
            self._follow_folder(job)

    def _close(self) -> None:
        for job in self._jobs.values():
            _stop_watching(job)
        self._jobs, self._user = {}, None

    def _save(self) -> None:
        if self._user:
            save_backups(self._folder, self._user, [job.backup for job in self._jobs.values()])

    def _find(self, backup: str) -> Job:
        job = self._jobs.get(backup)
        if job is None:
            raise ClientError.from_code("backup_not_found")
        return job

    # Calls of the page

    def add(self, folder: str, space: str, path: str, exclude: list[str], *, watch: bool) -> None:
        if self._problem:
            raise self._problem
        local = self._in_home(folder)
        listing = self._session.listing(space)
        target = checked_path(path.strip("/") or local.name)
        place = (str(local), listing.space.id, target)
        for job in self._jobs.values():
            if (job.backup.folder, job.backup.space, job.backup.path) == place:
                raise ClientError.from_code("backup_exists")
        backup = Backup(secrets.token_hex(8), *place, _patterns(exclude), watch, None)
        self._jobs[backup.id] = job = Job(backup)
        self._save()
        self._follow_folder(job)

    def change(self, backup: str, exclude: list[str], *, watch: bool) -> None:
        job = self._find(backup)
        job.backup.exclude, job.backup.is_watched = _patterns(exclude), watch
        self._save()
        _stop_watching(job)
        self._follow_folder(job)

    def remove(self, backup: str) -> None:
        """What is stored stays."""
        job = self._find(backup)
        if job.run:
            self._transfers.cancel(job.run.id)
        _stop_watching(job)
        del self._jobs[backup]
        self._save()

    def start(self, backup: str) -> None:
        self._start(self._find(backup))

    async def preview(self, identifier: str) -> BackupPreview:
        job = self._find(identifier)
        backup, folder = job.backup, job.folder
        check_folder(folder)
        space = await self._session.worker.use(lambda vault: vault.find(str(backup.space)))
        pairs, options = [(folder, backup.path)], PutOptions(Patterns(self._exclude(job)))
        changes = await asyncio.to_thread(find_changes, space, pairs, options)
        return BackupPreview(
            files=[file.path for file in changes.files[:MAX_SHOWN]],
            count=len(changes.files),
            bytes=changes.bytes,
            unchanged=len(changes.unchanged),
            failed=len(changes.failed),
            problems=_problems(changes.failed),
        )

    def local_folders(self, path: str) -> LocalFolder:
        """The folders in a folder of this computer, below the user's own."""
        folder = self._in_home(path or str(self._home))
        with os.scandir(folder) as entries:
            names = sorted(
                entry.name
                for entry in entries
                if not entry.name.startswith(".")
                and entry.is_dir(follow_symlinks=False)
                and os.access(entry.path, os.R_OK | os.X_OK)
            )
        parent = str(folder.parent) if folder != self._home else None
        return LocalFolder(str(folder), parent, names[:MAX_FOLDERS])

    def _in_home(self, path: str) -> Path:
        folder, state = Path(path).resolve(), self._folder.path.resolve()
        if not folder.is_relative_to(self._home) or folder.is_relative_to(state):
            raise WrongUsage.from_code("folder_outside")
        check_folder(folder)
        return folder

    # Running and watching

    def _exclude(self, job: Job) -> tuple[str, ...]:
        own = own_state(self._folder.path, job.folder)
        return (*job.backup.exclude, *own)

    def _start(self, job: Job) -> None:
        """Queues a run, unless one waits or runs already."""
        if job.run and job.run.state not in ENDED:
            return
        backup = job.backup

        def on_ended(run: Transfer) -> None:
            if run.state is not State.CANCELLED:
                self._note(job, _last_run(run))
            job.idle.set()

        if job.run:
            self._transfers.forget(job.run.id)
        job.idle.clear()
        job.run = self._transfers.add(
            "backup",
            backup.space,
            backup.path,
            job.folder,
            exclude=self._exclude(job),
            on_ended=on_ended,
        )

    def _note(self, job: Job, last: LastRun) -> None:
        job.backup.last_run = last
        if self._jobs.get(job.backup.id) is job:
            # The result is still shown if the disk is full.
            with suppress(OSError):
                self._save()

    def _follow_folder(self, job: Job) -> None:
        if job.backup.is_watched:
            job.watch = asyncio.create_task(self._watch(job))

    async def _watch(self, job: Job) -> None:
        """Backs up at every change, and tries again when the folder cannot be watched."""
        while True:
            try:
                check_folder(job.folder)
                await self._watch_folder(job)
            except ClientError as error:
                self._note_failure(job, error.code, str(error))
            except (OSError, RuntimeError) as error:
                self._note_failure(job, "folder_not_watched", str(error))
                await asyncio.sleep(RETRY_SECONDS)
            await asyncio.sleep(TICK_SECONDS)

    def _note_failure(self, job: Job, code: str, message: str) -> None:
        last = job.backup.last_run
        if last is None or last.code != code:
            self._note(job, LastRun(_now(), code=code, message=message))

    async def _watch_folder(self, job: Job) -> None:
        folder, state = job.folder, f"{self._folder.path.resolve()}{os.sep}"
        step = int(WATCH_SECONDS * 1000)
        is_due = True  # Something may have changed while nobody watched.
        async for changes in watchfiles.awatch(
            folder,
            watch_filter=lambda _, path: not path.startswith(state),
            debounce=step,
            step=max(1, step // 10),
            rust_timeout=int(TICK_SECONDS * 1000),
            yield_on_timeout=True,
            ignore_permission_denied=True,
        ):
            check_folder(folder)
            if not (is_due or changes or _should_retry(job)):
                continue
            is_due, begun = False, time.monotonic()
            self._start(job)
            await job.idle.wait()
            await asyncio.sleep(max(0.0, WATCH_SECONDS - (time.monotonic() - begun)))


def _should_retry(job: Job) -> bool:
    last = job.backup.last_run
    return bool(last and last.code) and _now() - (last.time if last else 0) > RETRY_SECONDS * 1000


def _stop_watching(job: Job) -> None:
    if job.watch:
        job.watch.cancel()
        job.watch = None


def _last_run(run: Transfer) -> LastRun:
    summary = run.summary
    if summary is None:
        return LastRun(_now(), code=run.code, message=run.message)
    return LastRun(
        _now(),
        stored=len(summary.stored),
        unchanged=summary.unchanged,
        bytes=summary.bytes,
        not_safe=len(summary.not_safe),
        failed=len(summary.failed) + len(summary.conflicts) + len(summary.outdated),
        problems=[*_problems(summary.failed), *summary.remarks()][:MAX_SHOWN],
    )


def _problems(failed: list[Problem]) -> list[str]:
    return [f"{problem.path}: {problem.message}" for problem in failed[:MAX_SHOWN]]


def _patterns(lines: list[str]) -> list[str]:
    return [*dict.fromkeys(text for line in lines if (text := line.strip()))]


def _now() -> int:
    return int(time.time() * 1000)
