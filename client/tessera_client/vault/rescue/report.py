"""What a rescue says in the end. Nothing is repaired or left out silently."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

import msgspec

from tessera_client.vault.disk_names import Renamed
from tessera_client.vault.rescue.copies import Cloud
from tessera_client.vault.scan import Problem


@dataclass(frozen=True)
class Finding:
    """Something to know about a space."""

    code: str
    message: str
    is_loss: bool = False
    """Something is missing, or may be: what cannot be disproved counts."""
    details: Mapping[str, object] = field(default_factory=dict)

    def as_json(self) -> dict[str, object]:
        return {
            "code": self.code,
            "message": self.message,
            "lost": self.is_loss,
            **self.details,
        }


class ListedFile(msgspec.Struct):
    path: str
    size: int
    modified: str | None


@dataclass
class HistoryReport:
    """One history of a space, and what was restored of it."""

    folder: str | None = None
    """Below the target folder; none if nothing could be opened."""
    sequence: int = 0
    hash: bytes = b""
    time: int = 0
    """How far the log was read."""
    files: int = 0
    bytes: int = 0
    failed: list[Problem] = field(default_factory=list)
    renamed: list[Renamed] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    listed: list[ListedFile] = field(default_factory=list)
    """What is there, where nothing is written."""

    @property
    def is_complete(self) -> bool:
        return not self.failed and not any(finding.is_loss for finding in self.findings)

    def as_json(self) -> dict[str, object]:
        return {
            "folder": self.folder,
            "readTo": {
                "sequence": self.sequence,
                "hash": self.hash.hex(),
                "time": timestamp(self.time),
            },
            "complete": self.is_complete,
            "files": self.files,
            "bytes": self.bytes,
            "failed": self.failed,
            "renamed": self.renamed,
            "findings": [finding.as_json() for finding in self.findings],
            "listed": self.listed,
        }


@dataclass(kw_only=True)
class SpaceReport(HistoryReport):
    id: UUID
    name: str = ""
    others: list[HistoryReport] = field(default_factory=list)

    def as_json(self) -> dict[str, object]:
        return {
            "id": str(self.id),
            "name": self.name,
            **super().as_json(),
            "otherHistories": [history.as_json() for history in self.others],
        }


@dataclass
class Report:
    target: Path | None
    """None if it only says what is there."""
    clouds: list[Cloud]
    spaces: list[SpaceReport] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    """What concerns no space that was found."""
    kits: list[int] = field(default_factory=list)
    """Counters of the recovery kits that were opened."""
    corrected: int = 0
    """Pieces that were damaged or false, and were made up for by others."""

    @property
    def histories(self) -> list[HistoryReport]:
        return [history for space in self.spaces for history in (space, *space.others)]

    @property
    def losses(self) -> int:
        reports: list[Report | HistoryReport] = [self, *self.histories]
        failed = sum(len(history.failed) for history in self.histories)
        return failed + sum(finding.is_loss for report in reports for finding in report.findings)

    @property
    def faulty_clouds(self) -> list[Cloud]:
        return [cloud for cloud in self.clouds if cloud.faults]

    def as_json(self) -> dict[str, object]:
        return {
            "complete": not self.losses,
            "files": sum(history.files for history in self.histories),
            "bytes": sum(history.bytes for history in self.histories),
            "failed": [
                {"path": f"{history.folder}/{problem.path}", "message": problem.message}
                for history in self.histories
                for problem in history.failed
            ],
            "losses": self.losses,
            "corrected": self.corrected,
            "kits": self.kits,
            "findings": [finding.as_json() for finding in self.findings],
            "spaces": [space.as_json() for space in self.spaces],
            "clouds": [
                {
                    "folder": str(cloud.folder),
                    "objects": cloud.objects,
                    "faults": dict(cloud.faults),
                    "examples": dict(cloud.examples),
                }
                for cloud in self.clouds
            ],
        }


def timestamp(milliseconds: int) -> str | None:
    """None for times that no calendar has: they come from others."""
    try:
        moment = datetime.fromtimestamp(milliseconds / 1000, UTC)
    except (OverflowError, ValueError, OSError):
        return None
    return moment.isoformat(timespec="seconds")
