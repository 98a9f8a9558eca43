"""Work that one version has begun is stored under the names of its workflows, steps and queues, and
another version goes on with it."""

from pathlib import Path

from upgrade.workflow_names import stored_names

STORED = Path(__file__).parents[3] / "upgrade" / "workflow-names.txt"


def test_stored_names_change_only_by_addition() -> None:
    names = set(stored_names())
    missing = [
        name for name in STORED.read_text(encoding="utf-8").splitlines() if name not in names
    ]
    assert not missing, f"the version before has stored work under: {', '.join(missing)}"
