import re
import subprocess
import sys
from pathlib import Path

import pytest

import tessera

SCHEDULED = re.compile(r"^@schedule\(.*\)\nasync def (\w+)", re.MULTILINE)


@pytest.mark.extended
def test_every_scheduled_round_is_registered_by_the_service() -> None:
    package = Path(tessera.__file__).parent
    declared = {
        f"{'.'.join(path.relative_to(package.parent).with_suffix('').parts)}.{name}"
        for path in package.rglob("*.py")
        for name in SCHEDULED.findall(path.read_text(encoding="utf-8"))
    }
    script = (
        "import tessera.main; from tessera.kit import workflows;"
        "print(*(name for name, *_ in workflows.SCHEDULES))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert "tessera.auth.workflows.sweep" in declared
    assert set(done.stdout.split()) == declared
