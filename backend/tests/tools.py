"""System programs that some tests need; `make tools` installs those of tools.txt."""

import os
import shutil

import pytest


def tool(name: str) -> str:
    """The program's path. Without it the test is skipped; in CI, which installs all, it fails."""
    path = shutil.which(name)
    if path:
        return path
    message = f"{name} is not installed: run make tools as root"
    if os.environ.get("TEST_TOOLS") == "required":
        pytest.fail(message)
    pytest.skip(message)
