"""The commit that this program was made from."""

import subprocess
from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).parent
# Written by `make wheel`.
_BUILT_FROM = _PACKAGE / "commit.txt"
_CHECKOUT = _PACKAGE.parents[1]


@cache
def source_commit() -> str:
    """Empty if neither a build nor a checkout tells."""
    if _BUILT_FROM.exists():
        return _BUILT_FROM.read_text(encoding="ascii").strip()
    if not (_CHECKOUT / ".git").exists():
        return ""
    try:
        head = subprocess.run(  # noqa: S603
            ["git", "-C", _CHECKOUT, "rev-parse", "HEAD"],  # noqa: S607 - where it is installed
            check=True, capture_output=True, text=True,
        )  # fmt: skip
    except (OSError, subprocess.CalledProcessError):
        return ""
    return head.stdout.strip()
