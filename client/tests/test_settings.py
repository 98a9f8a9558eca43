"""The settings of a space: whether it is compressed, and which versions its rules keep."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from typer.testing import CliRunner

from client.tests.conftest import Computer
from client.tests.service import Service
from tessera_client.cli import app
from tessera_client.vault import retention
from tessera_client.vault.retention import keeping
from tessera_core.entries import KeepRule, KeepUnit

NOW = datetime(2026, 11, 18, 12, tzinfo=UTC)  # a Wednesday


def at(text: str) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


def stored_bytes(service: Service) -> int:
    (log,) = service.spaces.values()
    return sum(pack.record.coding.length for pack in log.state.packs.values())


class TestCompression:
    def test_files_are_compressed_and_come_back(
        self, service: Service, leader: Computer, member: Computer, tmp_path: Path
    ) -> None:
        text = b"the same sentence again and again. " * 100_000
        (tmp_path / "long.txt").write_bytes(text)
        leader.ok("put", tmp_path / "long.txt", "Designs:/")
        assert stored_bytes(service) < len(text) / 10
        member.ok("get", "Designs:/long.txt", tmp_path / "out")
        assert (tmp_path / "out").read_bytes() == text
        assert leader.ok("verify", "Designs", "--full")["files"] == []

    def test_a_space_that_says_so_is_not_compressed_by_anybody(
        self, service: Service, leader: Computer, member: Computer, tmp_path: Path
    ) -> None:
        leader.ok("settings", "Designs", "--no-compress")
        text = b"the same sentence again and again. " * 10_000
        (tmp_path / "long.txt").write_bytes(text)
        member.ok("put", tmp_path / "long.txt", "Designs:/")
        assert stored_bytes(service) > len(text)
        leader.ok("settings", "Designs", "--compress")
        assert leader.ok("settings", "Designs")["compress"] is True


class TestRules:
    def test_leader_sets_rules_that_everybody_sees(
        self, leader: Computer, member: Computer
    ) -> None:
        assert leader.ok("settings", "Designs")["keep"] == {}
        leader.ok("settings", "Designs", "--keep-daily", "7", "--keep-yearly", "2")
        leader.ok("settings", "Designs", "--keep-monthly", "3", "--keep-yearly", "0")
        assert member.ok("settings", "Designs")["keep"] == {"daily": 7, "monthly": 3}
        leader.ok("settings", "Designs", "--keep-default")
        assert member.ok("settings", "Designs")["keep"] == {}

    def test_rules_by_a_member_are_refused(self, member: Computer) -> None:
        exit_code, answer = member.run("settings", "Designs", "--keep-daily", "7")
        assert (exit_code, answer["error"]) == (1, "forbidden")

    @pytest.mark.parametrize("count", ["-1", "70000", "x"])
    def test_rules_out_of_range_are_wrong_usage(self, count: str) -> None:
        result = CliRunner().invoke(app, ["settings", "Designs", "--keep-daily", count])
        assert result.exit_code == 2

    def test_dropping_all_rules_and_setting_one_is_wrong_usage(self, leader: Computer) -> None:
        exit_code, answer = leader.run("settings", "Designs", "--keep-default", "--keep-daily", "1")
        assert (exit_code, answer["error"]) == (2, "keep_default_with_rules")

    def test_prune_follows_the_rules(
        self, leader: Computer, member: Computer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        note = tmp_path / "note.txt"
        for text in ("first", "second", "third"):
            note.write_text(text)
            leader.ok("put", note, "Designs:/")
        monkeypatch.setattr(retention, "KEPT_DAYS", -1)
        leader.ok("settings", "Designs", "--keep-all-days", "1")
        assert leader.ok("prune", "Designs", "--dry-run")["versions"] == 0
        leader.ok("settings", "Designs", "--keep-default")
        assert leader.ok("prune", "Designs", "--yes")["versions"] == 2
        assert len(member.ok("versions", "Designs:/note.txt")["versions"]) == 1


@pytest.mark.parametrize(
    ("unit", "count", "begin", "end", "is_kept"),
    [
        (KeepUnit.ALL_DAYS, 2, "2026-11-01", "2026-11-16T12:00", True),
        (KeepUnit.ALL_DAYS, 2, "2026-11-01", "2026-11-16T11:59", False),
        (KeepUnit.DAILY, 1, "2026-11-17T10:00", "2026-11-18T00:00", True),
        (KeepUnit.DAILY, 1, "2026-11-17T10:00", "2026-11-17T23:59", False),
        (KeepUnit.DAILY, 1, "2026-11-18T00:00", "2026-11-18T11:00", False),
        (KeepUnit.DAILY, 7, "2026-11-11T10:00", "2026-11-12T01:00", True),
        (KeepUnit.DAILY, 7, "2026-11-10T10:00", "2026-11-11T01:00", False),
        (KeepUnit.WEEKLY, 1, "2026-11-15T23:00", "2026-11-16T01:00", True),
        (KeepUnit.WEEKLY, 1, "2026-11-16T00:00", "2026-11-18T01:00", False),
        (KeepUnit.WEEKLY, 2, "2026-11-08T23:00", "2026-11-09T01:00", True),
        (KeepUnit.MONTHLY, 1, "2026-10-31T23:00", "2026-11-01T01:00", True),
        (KeepUnit.MONTHLY, 12, "2025-11-30T23:00", "2025-12-01T01:00", True),
        (KeepUnit.MONTHLY, 12, "2025-10-31T23:00", "2025-11-01T01:00", False),
        (KeepUnit.YEARLY, 1, "2025-12-31T23:00", "2026-01-01T01:00", True),
        (KeepUnit.YEARLY, 60_000, "1971-12-31T23:00", "1972-01-01T01:00", True),
    ],
)
def test_rule_keeps_what_was_current_at_the_end_of_its_periods(
    unit: KeepUnit, count: int, begin: str, end: str, is_kept: bool
) -> None:
    keeps = keeping([KeepRule(unit, count)], NOW)
    assert keeps(at(begin), at(end)) == is_kept


def test_without_rules_everything_of_some_days_is_kept() -> None:
    keeps = keeping([], NOW)
    assert keeps(0, at("2026-10-19T12:00"))
    assert not keeps(0, at("2026-10-19T11:59"))
