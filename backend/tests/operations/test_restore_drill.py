"""A short run of `make restore-drill`."""

import pytest

from restore_drill.run import run

pytestmark = [pytest.mark.extended, pytest.mark.timeout(900)]

SEED = 38
SECONDS, ARCHIVE_SECONDS = 8, 3


async def test_spaces_lose_nothing_with_the_disk() -> None:
    report = await run(SEED, SECONDS, people=2, archive_seconds=ARCHIVE_SECONDS)
    assert not report.findings, "\n".join(report.findings)
    assert report.files
    assert report.entries > report.restored_entries
