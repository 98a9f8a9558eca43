"""The reader of the recovery kit, opened from disk without a network, and copies for it to read."""

import random
import shutil
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Download, Page, expect

from client.tests.copies import CODE, Space, write_copies
from client.tests.service import PASSPHRASE
from tessera_core.bodies import MAX_INLINE_BYTES
from tessera_core.changes import ChangeBody
from tessera_core.chunks import CHUNK_BYTES
from tessera_core.recovery import code_to_text

READER = Path(__file__).parents[1] / "client/tessera_client/ui/web/kit.html"

_PACK_BYTES = 16 * 1024 * 1024 - 64 * 1024
_PACK_CHUNKS = 1000


def fill_space(space: Space, folder: Path, *, files: int, size: int, seed: int) -> None:
    """Random files of a total size, in the space and, to compare, in a folder."""
    source = random.Random(seed)
    folder.mkdir(parents=True)
    waiting: list[tuple[str, bytes]] = []
    for number in range(files):
        path = f"folder {number % 20}/{number:06}.bin"
        # A few large files and many small ones.
        length = size // 4 if number == 0 else size * 3 // 4 // max(files - 1, 1)
        content = source.randbytes(length)
        target = folder / path
        target.parent.mkdir(exist_ok=True)
        target.write_bytes(content)
        waiting.append((path, content))
        if sum(len(each) for _, each in waiting) > _PACK_BYTES // 2 or len(waiting) == _PACK_CHUNKS:
            _store(space, waiting)
            waiting = []
    _store(space, waiting)


def _store(space: Space, files: list[tuple[str, bytes]]) -> None:
    chunks = [
        content[at : at + CHUNK_BYTES]
        for _, content in files
        for at in range(0, len(content), CHUNK_BYTES)
    ]
    is_large = any(len(chunk) > CHUNK_BYTES // 2 for chunk in chunks)
    per_pack = _PACK_BYTES // CHUNK_BYTES if is_large else _PACK_CHUNKS
    packs = [space.pack(chunks[at : at + per_pack]) for at in range(0, len(chunks), per_pack)]
    operations = [space.file(path, content) for path, content in files]
    if not operations:
        return
    body = ChangeBody(tuple(pack.contents for pack in packs), tuple(operations))
    space.change(operations, packs, stored=len(body.encode()) > MAX_INLINE_BYTES)


def two_copies(folder: Path, spaces: list[Space]) -> list[Path]:
    """Two of three clouds; the third is lost."""
    *kept, lost = write_copies(folder, spaces)
    shutil.rmtree(lost)
    return kept


@contextmanager
def opened_reader(browser: Browser) -> Iterator[Page]:
    """A tab without a network that fails on any error and any request beyond the page itself."""
    context = browser.new_context(offline=True, accept_downloads=True)
    page = context.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda text: problems.append(text.text) if text.type == "error" else None)
    page.on(
        "request",
        lambda request: (
            problems.append(request.url)
            if not request.url.startswith(("blob:", "data:", READER.as_uri()))
            else None
        ),
    )
    page.goto(READER.as_uri())
    yield page
    context.close()
    assert problems == []


def open_copies(page: Page, copies: list[Path], code: str | None = None) -> None:
    for copy in copies:
        page.set_input_files("[name=folders]", copy)
    page.fill("[name=passphrase]", PASSPHRASE)
    page.fill("[name=code]", code or code_to_text(CODE))
    page.click("[type=submit]")


def restore(page: Page, to: Path) -> str:
    """Restores everything as ZIP files and unpacks them; returns the verdict."""
    verdict, archives = restore_archives(page)
    unpack(archives, to)
    return verdict


def restore_archives(page: Page, *, timeout: float = 60) -> tuple[str, list[Download]]:
    downloads: list[Download] = []
    page.on("download", lambda download: downloads.append(download))  # noqa: PLW0108 - Playwright marks it
    page.click("[data-action=restore-all]")
    verdict = page.locator("[data-result]")
    expect(verdict).to_be_visible(timeout=timeout * 1000)
    # A download is announced a moment after it was started.
    page.wait_for_timeout(500)
    return verdict.get_attribute("data-result") or "", downloads


def unpack(archives: list[Download], to: Path) -> None:
    for download in archives:
        with zipfile.ZipFile(download.path()) as archive:
            assert archive.testzip() is None
            archive.extractall(to)


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }
