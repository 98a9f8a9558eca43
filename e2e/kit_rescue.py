"""A full rescue by the recovery kit's reader, with its speed and memory: `python -m kit_rescue`.

Memory is that of all processes of the browser (proportional set size), above an empty tab.
"""

import argparse
import sys
import tempfile
import threading
import time
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

from browser import FLAGS, system_browser
from client.tests.copies import Space
from kit_reader import contents, fill_space, open_copies, opened_reader, restore, two_copies

_SECONDS = 3600


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m kit_rescue")
    parser.add_argument("--megabytes", type=int, default=1000)
    parser.add_argument("--files", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    size = arguments.megabytes * 1_000_000
    with tempfile.TemporaryDirectory(prefix="tessera-kit-") as folder, sync_playwright() as play:
        work = Path(folder)
        space = Space()
        source = work / "source"
        fill_space(space, source / "Designs", files=arguments.files, size=size, seed=arguments.seed)
        copies = two_copies(work, [space])
        browser = play.chromium.launch(executable_path=system_browser(), args=list(FLAGS))
        context = browser.new_context()
        context.new_page().goto("about:blank")
        memory = Memory()
        empty = memory.sample()
        memory.start()
        with opened_reader(browser) as page:
            started = time.monotonic()
            open_copies(page, copies)
            expect(page.locator(".space")).to_be_visible(timeout=_SECONDS * 1000)
            opened = time.monotonic()
            verdict = restore(page, work / "out", timeout=_SECONDS)
            text = page.locator("section", has=page.locator("[data-result]")).inner_text()
        peak = memory.stop()
        browser.close()
        same = contents(work / "out") == contents(source)
    _say(f"opened in {opened - started:.1f} s; {verdict}; {' '.join(text.split())}")
    _say(f"peak above an empty tab: {(peak - empty) / 1e6:.0f} MB; the same bytes: {same}")
    sys.exit(0 if same and verdict == "complete" else 1)


class Memory:
    """Watches all processes that this one has started."""

    def __init__(self) -> None:
        self._peak = 0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> int:
        self._ended.set()
        self._thread.join()
        return self._peak

    def sample(self) -> int:
        return sum(map(_proportional_bytes, _browser_processes()))

    def _watch(self) -> None:
        while not self._ended.wait(0.5):
            self._peak = max(self._peak, self.sample())


def _browser_processes() -> list[Path]:
    parents: dict[str, str] = {}
    names: dict[str, str] = {}
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            lines = dict(
                line.split(":\t", 1) for line in status.read_text().splitlines() if ":\t" in line
            )
        except OSError:
            continue
        parents[status.parent.name], names[status.parent.name] = lines["PPid"], lines["Name"]
    own = str(Path("/proc/self").resolve().name)

    def is_ours(process: str) -> bool:
        while process in parents:
            if process == own:
                return True
            process = parents[process]
        return False

    return [Path("/proc") / each for each in parents if "chrom" in names[each] and is_ours(each)]


def _proportional_bytes(process: Path) -> int:
    try:
        lines = (process / "smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")


if __name__ == "__main__":
    main()
