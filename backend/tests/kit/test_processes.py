"""What a process's connection says of it."""

from datetime import UTC, datetime, timedelta

import pytest

from tessera.kit.processes import connection_name, read_connection_name
from tessera_core.version import __version__


@pytest.mark.parametrize("commit", ["", "0123456789abcdef0123456789abcdef01234567"])
def test_connection_name_tells_version_commit_and_start(commit: str) -> None:
    text = connection_name(commit)
    # PostgreSQL cuts longer names.
    assert len(text.encode()) < 64
    name = read_connection_name(text)
    assert name is not None
    assert (name.version, name.commit) == (__version__, commit[:12] or None)
    assert abs(datetime.now(UTC) - name.started_at) < timedelta(minutes=1)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "tessera",
        "psql",
        "tessera-serve 0.8.0",
        "tessera-serve 0.8.0 - soon",
        "tessera-serve 0.8.0 - -5",
        "tessera-serve 0.8.0 - ١٢",
        "tessera-serve 0.8.0 - 999999999999999",
        "another 0.8.0 - 1763500000",
    ],
)
def test_connection_name_of_another_form_tells_nothing(name: str) -> None:
    assert read_connection_name(name) is None
