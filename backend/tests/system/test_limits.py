"""Limits stand in one module, are listed in the documentation, and are settings."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from pydantic import ValidationError

from tessera import limits
from tessera.limits import LIMITS, SMS, set_limits
from tessera.settings import Settings

ROOT = Path(__file__).parents[3]
SOURCES = [*(ROOT / "backend/tessera").rglob("*.py")]
MODULE = ROOT / "backend/tessera/limits.py"
COUNTERS = ROOT / "backend/tessera/kit/rate_counters.py"


def calls(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    called = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    names = {name.id for name in called if isinstance(name, ast.Name)}
    return names | {name.attr for name in called if isinstance(name, ast.Attribute)}


def test_documented_limits_are_those_of_the_module() -> None:
    document = ROOT / "docs/operations.md"
    before = document.read_text(encoding="utf-8")
    try:
        subprocess.run([sys.executable, "docs/limits.py"], cwd=ROOT, check=True)
        assert document.read_text(encoding="utf-8") == before, "run: python docs/limits.py"
    finally:
        document.write_text(before, encoding="utf-8")


def test_limits_are_declared_in_their_module_alone() -> None:
    assert [path for path in SOURCES if "Limit" in calls(path)] == [MODULE]


def test_counters_are_written_through_limits_alone() -> None:
    naming = [path for path in SOURCES if "INTO counters" in path.read_text(encoding="utf-8")]
    deriving = [path for path in SOURCES if '"counters"' in path.read_text(encoding="utf-8")]
    assert naming == deriving == [COUNTERS]


def test_every_limit_is_used() -> None:
    names = {name for name, value in vars(limits).items() if isinstance(value, limits.Limit)}
    assert len(names) == len(LIMITS)
    used = " ".join(path.read_text(encoding="utf-8") for path in SOURCES if path != MODULE)
    assert [name for name in names if f"limits.{name}" not in used] == []


class TestSetting:
    def test_replaces_numbers_by_name(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("TESSERA_LIMITS", "sms=30000, spaces=2")
        settings = Settings(_env_file=None)
        assert settings.limits == {"sms": 30_000, "spaces": 2}
        try:
            set_limits(settings.limits)
            assert (SMS.maximum, LIMITS["grants"].maximum) == (30_000, 50_000)
        finally:
            set_limits({})
        assert SMS.maximum == 20_000

    @pytest.mark.parametrize("wrong", ["no_such=1", "spaces=0", "spaces=x", "sms=9000", "spaces"])
    def test_unknown_or_impossible_limit_is_refused(
        self, monkeypatch: pytest.MonkeyPatch, wrong: str
    ) -> None:
        monkeypatch.setenv("TESSERA_LIMITS", wrong)
        with pytest.raises((ValidationError, ValueError)):
            Settings(_env_file=None)
