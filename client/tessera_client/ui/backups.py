"""The folders that are backed up, and those that are watched while the page's server runs."""

import asyncio
import os
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from uuid import UUID

import msgspec
import watchfiles

from tessera_client.errors import ClientError
from tessera_client.ui.local_folders import LocalFolders
from tessera_client.ui.operations import checked_path
from tessera_client.ui.schemas import (
    BackupInfo,
    BackupList,
    BackupPreview,
    BackupRules,
    Failure,
    Phase,
    State,
)
from tessera_client.ui.session import Session
from tessera_client.ui.transfers import BUSY, ENDED, Transfer, Transfers
from tessera_client.vault.backup_runs import claimed, note_run, run_patterns, set_reminder
from tessera_client.vault.backups import (
    MAX_SHOWN,
    RETRY_SECONDS,
    WATCH_SECONDS,
    Backup,
    LastRun,
    check_folder,
    describe_problems,
    edited_backups,
    find_backup,
    list_stamp,
    load_backups,
    now,
)
from tessera_client.vault.put import PutOptions, find_changes
from tessera_client.vault.schedule import RETRY_MS, following_time, is_due, next_run

# How often the session and the watched folders are looked at.
TICK_SECONDS = 1.0
_UNREAD = object()


@dataclass
class Job:
    """One backup, its run that has not ended, and the task that watches its folder."""

    backup: Backup
    run: Transfer | None = None
    skipped_until: int = 0
    """A scheduled run that was cancelled is not repeated before this time."""
    watch: asyncio.Task[None] | None = None
    idle: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def folder(self) -> Path:
        return Path(self.backup.folder)

    def info(self) -> BackupInfo:
        due = next_run(self.backup, now())
        return BackupInfo(
            **msgspec.structs.asdict(self.backup),
            name=self.folder.name,
            state=self.run.state if self.run and self.is_running else None,
            next_run=max(due, self.skipped_until) if due else None,
        )

    @property
    def is_running(self) -> bool:
        return self.run is not None and self.run.state not in ENDED


class Backups:
    def __init__(self, session: Session, transfers: Transfers, local: LocalFolders) -> None:
        self._session = session
        self._transfers = transfers
        self._folder = session.worker.folder
        self._local = local
        self._user: UUID | None = None
        self._jobs: dict[str, Job] = {}
        self._problem: ClientError | None = None
        self._stamp: object = _UNREAD
        self._is_held = False

    def info(self) -> BackupList | None:
        """None while the keys are locked, or nobody is logged in."""
        if self._user is None:
            return None
        return BackupList(Failure.of(self._problem), [job.info() for job in self._jobs.values()])

    async def follow(self) -> None:
        """Opens and closes the list with the session, and runs what is due."""
        while True:
            user = self._ready_user()
            if user != self._user:
                self._close()
                self._user = user
            if user:
                self._read(user)
                for job in self._jobs.values():
                    if is_due(job.backup, now()) and job.skipped_until <= now():
                        self._start(job, is_scheduled=True)
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

    def _read(self, user: UUID) -> None:
        """Takes over what this or another process has stored."""
        stamp = list_stamp(self._folder, user)
        if stamp == self._stamp:
            return
        self._stamp, self._problem, backups = stamp, None, []
        try:
            backups = load_backups(self._folder, user)
        except ClientError as error:
            self._problem = error
        for identifier in self._jobs.keys() - {backup.id for backup in backups}:
            self._drop(identifier)
        for backup in backups:
            job = self._jobs.setdefault(backup.id, Job(backup))
            rules = job.backup.exclude, job.backup.is_watched
            job.backup = backup
            if job.watch is None or rules != (backup.exclude, backup.is_watched):
                _stop_watching(job)
                self._follow_folder(job)

    def _drop(self, identifier: str) -> None:
        job = self._jobs.pop(identifier)
        if job.run:
            self._transfers.cancel(job.run.id)
        _stop_watching(job)

    def _close(self) -> None:
        for job in self._jobs.values():
            _stop_watching(job)
        self._jobs, self._user, self._stamp = {}, None, _UNREAD

    @contextmanager
    def _edited(self) -> Iterator[list[Backup]]:
        user = self._ready_user()
        if user is None:
            raise ClientError.from_code("backup_not_found")
        with edited_backups(self._folder, user) as backups:
            yield backups
        self._read(user)

    def _find(self, backup: str) -> Job:
        job = self._jobs.get(backup)
        if job is None:
            raise ClientError.from_code("backup_not_found")
        return job

    # Calls of the page

    async def add(self, folder: str, space: str, path: str, rules: BackupRules) -> None:
        if self._problem:
            raise self._problem
        local = self._local.find(folder)
        listing = self._session.listing(space)
        target = checked_path(path.strip("/") or local.name)
        backup = Backup(secrets.token_hex(8), str(local), listing.space.id, target, [], False)
        if any(backup.place == job.backup.place for job in self._jobs.values()):
            raise ClientError.from_code("backup_exists")
        await self._set_reminder(backup, rules.remind_after)
        with self._edited() as backups:
            backups.append(backup)
            _apply(rules, backup)

    async def change(self, identifier: str, rules: BackupRules) -> None:
        await self._set_reminder(self._find(identifier).backup, rules.remind_after)
        with self._edited() as backups:
            _apply(rules, find_backup(backups, identifier))

    async def remove(self, identifier: str) -> None:
        """What is stored stays."""
        await self._set_reminder(self._find(identifier).backup, None)
        with self._edited() as backups:
            backups.remove(find_backup(backups, identifier))

    async def _set_reminder(self, backup: Backup, days: int | None) -> None:
        """Before the list is changed: nobody else could change it while the service answers."""
        use = self._session.worker.use
        await use(lambda vault: set_reminder(vault.account.api, backup, days))

    def start(self, backup: str) -> None:
        self._start(self._find(backup))

    async def preview(self, identifier: str) -> BackupPreview:
        job = self._find(identifier)
        backup, folder = job.backup, job.folder
        check_folder(folder)
        space = await self._session.worker.use(lambda vault: vault.find(str(backup.space)))
        pairs, options = [(folder, backup.path)], PutOptions(run_patterns(self._folder, backup))
        changes = await asyncio.to_thread(find_changes, space, pairs, options)
        return BackupPreview(
            files=changes.listed[:MAX_SHOWN],
            count=len(changes.listed),
            bytes=changes.bytes,
            unchanged=len(changes.unchanged),
            failed=len(changes.failed),
            problems=describe_problems(changes.failed),
        )

    # Running and watching

    def _start(self, job: Job, *, is_scheduled: bool = False) -> None:
        """Queues a run, unless one waits or runs already."""
        if job.is_running or self._user is None:
            return
        backup = job.backup
        claim = partial(claimed, self._folder, self._user, backup.id)

        def on_ended(run: Transfer) -> None:
            if run.backup:
                job.backup.last_run = run.backup.last_run
            job.skipped_until = _skipped_until(job.backup, run)
            if run.code == BUSY:
                self._transfers.forget(run.id)
            job.idle.set()

        if job.run:
            self._transfers.forget(job.run.id)
        job.idle.clear()
        job.run = self._transfers.add(
            "backup",
            backup.space,
            backup.path,
            job.folder,
            claim=claim,
            is_scheduled=is_scheduled,
            on_ended=on_ended,
        )

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
                await self._note_failure(job, error.code, str(error))
            except (OSError, RuntimeError) as error:
                await self._note_failure(job, "folder_not_watched", str(error))
                await asyncio.sleep(RETRY_SECONDS)
            await asyncio.sleep(TICK_SECONDS)

    async def _note_failure(self, job: Job, code: str, message: str) -> None:
        last = job.backup.last_run
        if self._user and (last is None or last.code != code):
            failure = LastRun.failure(ClientError(message, code=code), now())
            await asyncio.to_thread(note_run, self._folder, self._user, job.backup, failure)

    async def _watch_folder(self, job: Job) -> None:
        folder, state = job.folder, f"{self._folder.path.resolve()}{os.sep}"
        step = int(WATCH_SECONDS * 1000)
        should_run = True  # Something may have changed while nobody watched.
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
            if not (should_run or changes or _should_retry(job)):
                continue
            begun = time.monotonic()
            self._start(job)
            await job.idle.wait()
            should_run = job.run is not None and job.run.code == BUSY
            await asyncio.sleep(max(0.0, WATCH_SECONDS - (time.monotonic() - begun)))


def _should_retry(job: Job) -> bool:
    last = job.backup.last_run
    return bool(last and last.code) and now() - (last.time if last else 0) > RETRY_SECONDS * 1000


def _stop_watching(job: Job) -> None:
    if job.watch:
        job.watch.cancel()
        job.watch = None


def _skipped_until(backup: Backup, run: Transfer) -> int:
    if run.code == BUSY:
        return now() + RETRY_SECONDS * 1000
    if run.state is State.CANCELLED:
        return following_time(backup, now())
    return now() + RETRY_MS if run.state is State.FAILED else 0


def _apply(rules: BackupRules, backup: Backup) -> None:
    backup.exclude, backup.is_watched = _patterns(rules.exclude), rules.is_watched
    backup.every, backup.at, backup.remind_after = rules.every, rules.at, rules.remind_after


def _patterns(lines: list[str]) -> list[str]:
    return [*dict.fromkeys(text for line in lines if (text := line.strip()))]
