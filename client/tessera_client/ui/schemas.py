"""What the page is told. The types that it is checked with are generated from these."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Literal, Self
from uuid import UUID

import msgspec
from msgspec import Meta

from tessera_client.errors import ClientError
from tessera_client.texts import Language
from tessera_client.transfer.answers import Health, Usage
from tessera_client.vault.backups import MAX_REMIND_DAYS, TIME, Backup, Every
from tessera_client.vault.connected_folders import ConnectedFolder
from tessera_client.vault.connected_folders import State as FolderState
from tessera_client.vault.disk_names import Renamed
from tessera_client.vault.members import Member

Positive = Annotated[int, Meta(ge=1)]
Count = Annotated[int, Meta(ge=0, le=0xFFFF)]

# The last one that a browser can show.
_MAX_TIME = 8_640_000_000_000_000


class Schema(msgspec.Struct, rename="camel"):
    pass


class Failure(Schema):
    code: str
    message: str

    @classmethod
    def of(cls, error: ClientError | None) -> "Failure | None":
        return cls(error.code, str(error)) if error else None


def shown_time(milliseconds: int) -> int:
    """Whoever writes an entry says when it was, which may be any number."""
    return min(milliseconds, _MAX_TIME)


# Files


class Row(Schema):
    path: str
    name: str
    type: Literal["file", "folder", "link"]
    size: int
    modified: int
    """Milliseconds since 1970; of a folder, of the newest file in it; in the trash, when it was
    removed."""
    files: int = 0
    """Of a folder: how many files are in it."""
    versions: int = 1


class RowPage(Schema):
    rows: list[Row]
    offset: int
    total: int


class Moment(Schema):
    """A change of a space, and what it did."""

    sequence: int
    time: int
    author: str | None
    stored: int
    removed: int
    bytes: int


class MomentPage(Schema):
    rows: list[Moment]
    total: int


class Restored(Schema):
    """How many items a restore brings back and moves to the trash."""

    restored: int
    removed: int
    blocked: list[str]
    """The first of those that stay in the trash, because something else is there now."""


class FileVersion(Schema):
    sequence: int
    time: int
    author: str | None
    size: int
    is_conflict: bool


class Pieces(Schema):
    packs: int
    held: dict[int, int]
    """How many pieces each warehouse holds."""
    missing: int
    needed: int


class Protection(Schema):
    stored: int
    total: int
    spare: int
    """How many more pieces may be lost."""


class KeepRules(Schema):
    """For how long earlier versions are kept: all of some days, and the last one of each of so many
    periods. Nothing given stands for the default."""

    all_days: Count = 0
    daily: Count = 0
    weekly: Count = 0
    monthly: Count = 0
    yearly: Count = 0


class SpaceSettings(Schema):
    is_leader: bool
    """Whether this user can change them."""
    is_compressed: bool
    keep: KeepRules


class Freed(Schema):
    """What is deleted for good by the rules."""

    versions: int
    packs: int
    bytes: int


class MemberShare(Schema):
    name: str | None
    files: int
    bytes: int


class SpaceStatistics(Schema):
    files: int
    bytes: int
    kept: int
    """With earlier versions."""
    stored: int
    saved_by_deduplication: int
    saved_by_compression: int
    members: list[MemberShare]


# Jobs


class State(StrEnum):
    WAITING = "waiting"
    RUNNING = "running"
    PAUSED = "paused"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


class TransferInfo(Schema):
    id: int
    kind: Literal["upload", "download", "backup"]
    space: UUID
    path: str
    target: str | None
    size: int
    done: int
    state: State
    message: str
    code: str
    """Why it failed; empty otherwise."""
    is_safe: bool
    renamed: list[Renamed]
    """What a download has written under other names."""


class BackupRules(Schema):
    """What can be changed of a backup."""

    exclude: list[str]
    is_watched: bool
    every: Every | None = None
    at: Annotated[str, Meta(pattern=TIME)] = ""
    remind_after: Annotated[int, Meta(ge=1, le=MAX_REMIND_DAYS)] | None = None


class BackupInfo(Backup, kw_only=True):
    name: str
    state: State | None
    """None while no run waits or is under way."""
    next_run: int | None
    """Milliseconds since 1970; None without a schedule."""


class BackupList(Schema):
    problem: Failure | None
    rows: list[BackupInfo]


class BackupPreview(Schema):
    """What the next run would store."""

    files: list[str]
    count: int
    bytes: int
    unchanged: int
    failed: int
    problems: list[str]


class LocalFolder(Schema):
    path: str
    parent: str | None
    folders: list[str]


class FolderInfo(ConnectedFolder, kw_only=True):
    name: str
    subfolders: list[str]
    """Of what is left out, the folders right below; patterns are the rest."""
    patterns: list[str]
    state: FolderState | Literal["stopped"]
    """Stopped if no program keeps it connected."""
    waiting: int
    """Files that are not sent yet."""
    conflicts: int
    problem: Failure | None
    at: int | None
    """When the state was found, in milliseconds since 1970; None if it has not run yet."""


ServiceState = Literal["running", "stopped", "missing"]


class FolderList(Schema):
    problem: Failure | None
    service: ServiceState
    """The program that keeps the folders connected."""
    rows: list[FolderInfo]


class ConflictSide(Schema):
    path: str
    type: Literal["file", "folder", "link"]
    size: int
    files: int
    time: int
    author: str | None
    sequence: int
    """The change that it was read at."""


class ConflictInfo(Schema):
    space: UUID
    current: ConflictSide
    other: ConflictSide


class ConflictPage(Schema):
    rows: list[ConflictInfo]
    total: int


class ConflictPreview(Schema):
    """Neither text nor picture of anything else."""

    text: str | None = None
    is_cut: bool = False
    picture: bytes | None = None


class UnreadableFile(Schema):
    space: UUID
    path: str


class VerificationInfo(Schema):
    state: State
    done: int = 0
    size: int = 0
    time: int = 0
    """When it ended."""
    code: str = ""
    message: str = ""
    packs: int = 0
    degraded: int = 0
    affected: int = 0
    """How many files cannot be read; the first of them are named."""
    files: list[UnreadableFile] = []


# The account and the team


class Phase(StrEnum):
    LOGGED_OUT = "loggedOut"
    LOCKED = "locked"
    STARTING = "starting"
    WAITING = "waiting"
    """Logged in, but not let into a space yet, or the leader's words were not compared."""
    READY = "ready"


class FormerAddress(Schema):
    """What the company's directory replaced, while the owner has not confirmed the new one."""

    email: str
    replaced_at: datetime

    @classmethod
    def of(cls, member: Member) -> Self | None:
        if member.former_email is None or member.email_changed_at is None:
            return None
        return cls(member.former_email, member.email_changed_at)


class Leader(Schema):
    name: str
    email: str | None
    former_address: FormerAddress | None = None


class AccountInfo(Schema):
    origin: str
    email: str
    name: str
    company: str
    device: str
    is_leader: bool = False
    words: list[str] = []
    leader: Leader | None = None
    is_leader_trusted: bool = False


class SpaceInfo(Schema):
    id: UUID
    name: str
    revision: int
    """Changes with the content."""
    is_leader: bool
    members: int
    files: int
    bytes: int


class SpaceCreated(Schema):
    id: UUID


class TeamMember(Schema):
    name: str
    email: str | None
    is_leader: bool
    is_active: bool
    is_you: bool
    spaces: list[UUID]
    former_address: FormerAddress | None


class KitInfo(Schema):
    code: str
    counter: int
    page: str
    text: str


class Settings(Schema):
    bandwidth: Positive | None = None
    """Most bytes per second."""
    lock_after: Positive | None = None
    """Minutes without a call of the page."""
    theme: Literal["system", "light", "dark"] | None = None
    notifications: bool = True
    language: Language | None = None
    """Kept apart from the others: the commands speak it too."""


# Share links


class ShareRules(Schema):
    """What the team leader allows, and a new password for the next link."""

    is_allowed: bool
    max_days: int
    max_downloads: int
    password: str


class ShareInfo(Schema):
    id: UUID
    author: str
    """Empty if the member was removed."""
    is_own: bool
    state: str
    bytes: int
    downloads: int
    max_downloads: int
    created: int
    expires: int


class ShareMade(Schema):
    """The link is kept nowhere: whoever does not copy it makes another one."""

    link: str
    expires: int
    files: int
    bytes: int
    left_out: list[str]


class GuestProgress(Schema):
    done: int
    size: int


# Requests for files


class RequestRules(Schema):
    """What the team leader and the format allow."""

    is_allowed: bool
    max_days: int
    max_files: int
    max_bytes: int


class RequestPlace(Schema):
    """Where files of a request go."""

    space: UUID
    name: str
    folder: str


class ArrivalInfo(Schema):
    """An upload from outside. What it holds is seen when it is accepted."""

    id: UUID
    bytes: int
    arrived: int


class RequestInfo(Schema):
    id: UUID
    title: str | None
    """None if the user has no access to its space."""
    place: RequestPlace | None
    link: str | None
    """None if nobody can send files by it."""
    author: str
    """Empty if the member was removed."""
    is_own: bool
    state: str
    is_forged: bool
    """Made without the keys of its space."""
    accepted: int
    expires: int
    arrivals: list[ArrivalInfo]


class RequestMade(Schema):
    link: str
    expires: int


class NotStored(Schema):
    path: str
    reason: str


class ArrivalAccepted(Schema):
    """Where the files are now. If some could not be stored, the upload goes on waiting."""

    paths: list[str]
    failed: list[NotStored]


class PageState(Schema):
    phase: Phase
    problem: Failure | None
    version: str
    device: str
    account: AccountInfo | None
    spaces: list[SpaceInfo]
    usage: Usage | None
    health: Health | None
    notes: list[str]
    """Spaces that do not open, and changes that were left out, in words."""
    transfers: list[TransferInfo]
    is_paused: bool
    backups: BackupList | None
    """None until the list is read."""
    folders: FolderList | None
    """None until the list is read."""
    verification: VerificationInfo | None
    sharing: GuestProgress | None
    """The link that is being made."""
    receiving: GuestProgress | None
    """What came from outside and is being stored."""
    settings: Settings
