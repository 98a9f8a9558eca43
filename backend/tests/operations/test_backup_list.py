"""What `tessera backup` believes of Barman's answers, and of the archive's."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tessera.maintenance.base_backups import Archive, BackupUnusable, write_recovery
from tessera.maintenance.queries import ArchivedWal, RestoredState
from tessera.maintenance.restored_copy import compare

COMPLETE = {
    "backup_id": "20260501T020000",
    "end_time_iso": "2026-05-01T02:10:00+00:00",
    "status": "DONE",
    "version": 170006,
    "tablespaces": None,
}


def archive(folder: Path, answer: str, code: int = 0) -> Archive:
    program = folder / "barman-cloud-backup-list"
    program.write_text(f"#!/bin/sh\ncat {folder / 'answer'}\nexit {code}\n")
    program.chmod(0o755)
    (folder / "answer").write_text(answer)
    return Archive(folder, "s3://backups/it's 100%", "main", ("--aws-profile", "b"), {})


def listed(*backups: dict[str, Any]) -> str:
    return json.dumps({"backups_list": backups})


class TestLastBackup:
    def test_newest_complete_one_is_chosen(self, tmp_path: Path) -> None:
        late = COMPLETE | {
            "backup_id": "20260502T020000",
            "end_time_iso": "2026-05-02T02:10:00+00:00",
        }
        failed = late | {"backup_id": "20260503T020000", "status": "FAILED", "end_time_iso": None}
        found = archive(tmp_path, listed(late, COMPLETE, failed)).last_backup()
        assert (found.id, found.postgres_version) == ("20260502T020000", 17)

    def test_only_one_that_ended_before_the_moment_leads_there(self, tmp_path: Path) -> None:
        source = archive(tmp_path, listed(COMPLETE))
        assert source.last_backup(datetime(2026, 5, 1, 2, 10, tzinfo=UTC)).id == "20260501T020000"
        with pytest.raises(BackupUnusable, match="ended before 2026-05-01 02:09:59 UTC"):
            source.last_backup(datetime(2026, 5, 1, 2, 9, 59, tzinfo=UTC))

    @pytest.mark.parametrize("identifier", ["--target-tli", "../20260501T020000", ""])
    def test_identifier_that_is_none_is_not_passed_on(
        self, tmp_path: Path, identifier: str
    ) -> None:
        with pytest.raises(BackupUnusable, match="no complete base backup"):
            archive(tmp_path, listed(COMPLETE | {"backup_id": identifier})).last_backup()

    @pytest.mark.parametrize(
        "answer",
        [
            "",
            "[]",
            "{}",
            '{"backups_list": 1}',
            '{"backups_list": [1]}',
            listed(COMPLETE | {"end_time_iso": None}),
            listed(COMPLETE | {"backup_id": None}),
            listed(COMPLETE | {"version": None}),
        ],
    )
    def test_unreadable_answer_is_refused(self, tmp_path: Path, answer: str) -> None:
        with pytest.raises(BackupUnusable, match="unreadable"):
            archive(tmp_path, answer).last_backup(datetime(2026, 6, 1, tzinfo=UTC))

    def test_failure_of_barman_is_told(self, tmp_path: Path) -> None:
        with pytest.raises(BackupUnusable, match="ended with 2: no such bucket"):
            archive(tmp_path, "no such bucket", 2).last_backup()
        with pytest.raises(BackupUnusable, match="cannot be run: No such file"):
            Archive(tmp_path / "nowhere", "s3://backups", "main", (), {}).last_backup()

    def test_tablespaces_are_not_written_over_those_of_the_primary(self, tmp_path: Path) -> None:
        source = archive(tmp_path, listed(COMPLETE | {"tablespaces": [["fast", 1, "/fast"]]}))
        (tmp_path / "data").mkdir()
        with pytest.raises(BackupUnusable, match="tablespaces"):
            source.download(source.last_backup(), tmp_path / "data")

    def test_folder_with_something_in_it_is_left_alone(self, tmp_path: Path) -> None:
        source = archive(tmp_path, listed(COMPLETE))
        with pytest.raises(BackupUnusable, match="is not empty"):
            source.download(source.last_backup(), tmp_path)


class TestRecovery:
    def test_settings_of_an_earlier_restore_do_not_count(self, tmp_path: Path) -> None:
        settings = tmp_path / "postgresql.auto.conf"
        settings.write_text("recovery_target_time = '2026-01-01'\n")
        command = archive(tmp_path, "").restore_command
        write_recovery(tmp_path, command, None)
        lines = settings.read_text().splitlines()
        assert [line for line in lines if "target_time =" in line][-1].endswith("= ''")
        assert (tmp_path / "recovery.signal").exists()

    def test_command_is_quoted_for_shell_and_settings(self, tmp_path: Path) -> None:
        write_recovery(tmp_path, archive(tmp_path, "").restore_command, None)
        [line] = [
            line
            for line in (tmp_path / "postgresql.auto.conf").read_text().splitlines()
            if line.startswith("restore_command")
        ]
        assert line == (
            f"restore_command = '{tmp_path}/barman-cloud-wal-restore --aws-profile b"
            " ''s3://backups/it''\"''\"''s 100%%'' main %f %p'"
        )


STATE = RestoredState(
    system_identifier=7,
    segment_bytes=16 << 20,
    has_checksums=True,
    replayed_to="1/5000000",
    replayed_bytes=(1 << 32) + (5 << 24),
    committed_at=None,
    companies=1,
)


class TestCompare:
    @pytest.mark.parametrize(
        "last_wal",
        [
            "000000010000000100000004",
            # On another timeline, as after a failover.
            "000000020000000100000004",
            "000000010000000000000090",
            "000000010000000100000004.00000028.backup",
            "00000002.history",
        ],
    )
    def test_replay_reached_what_was_archived(self, last_wal: str) -> None:
        compare(STATE, ArchivedWal(7, last_wal))

    @pytest.mark.parametrize("last_wal", ["000000010000000100000005", "000000010000000200000000"])
    def test_segment_beyond_the_end_is_missing(self, last_wal: str) -> None:
        with pytest.raises(BackupUnusable, match="ends at 1/5000000, before the segment"):
            compare(STATE, ArchivedWal(7, last_wal))

    def test_backup_of_another_cluster_is_none(self) -> None:
        with pytest.raises(BackupUnusable, match="another cluster"):
            compare(STATE, ArchivedWal(8, "000000010000000100000004"))

    def test_primary_that_has_archived_nothing_has_no_backup(self) -> None:
        with pytest.raises(BackupUnusable, match="has archived no WAL"):
            compare(STATE, ArchivedWal(7, None))
