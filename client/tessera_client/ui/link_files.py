"""Files that lead a browser to the page.

A one-time link must not stand on a command line, which every user of the computer can read. The
browser is given a file instead that only this user can read, and that leads to the link.
"""

import hashlib
import html
import time
from contextlib import suppress
from pathlib import Path

from tessera_client.vault.profile import StateFolder

UNUSED_SECONDS = 60

_PREFIX, _SUFFIX = "open-", ".html"


def write_link_file(folder: StateFolder, url: str) -> Path:
    name = _name(url)
    address = html.escape(url)
    folder.write(
        name,
        f"""<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0;url={address}">
<title>Tessera</title>
<a href="{address}">Tessera</a>
""",
    )
    return folder.path / name


def remove_link_file(folder: StateFolder, url: str) -> None:
    with suppress(OSError):
        (folder.path / _name(url)).unlink(missing_ok=True)


def remove_old_link_files(folder: StateFolder) -> None:
    """Removes the files of links that nobody has used for a minute."""
    for path in folder.path.glob(f"{_PREFIX}*{_SUFFIX}"):
        with suppress(OSError):
            if time.time() - path.stat().st_mtime >= UNUSED_SECONDS:
                path.unlink()


def _name(url: str) -> str:
    """Does not tell the link."""
    return f"{_PREFIX}{hashlib.sha256(url.encode()).hexdigest()[:16]}{_SUFFIX}"
