"""A full rescue by the recovery kit's reader, with its speed and memory: `python -m kit_rescue`.

Memory is that of all processes of the browser (proportional set size), above an empty tab. A run of
1 GB or more is written to bench/results.md.
"""

import argparse
import os
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

from browser import FLAGS, system_browser
from client.tests.copies import Space
from kit_reader import (
    contents,
    fill_space,
    open_copies,
    opened_reader,
    restore_archives,
    two_copies,
    unpack,
)
from report import write_part

RESULTS = Path(__file__).parents[1] / "bench" / "results.md"
MIN_SPEED, MAX_MEMORY = 40, 600
_SECONDS = 3600


@dataclass
class Rescue:
    files: int
    megabytes: int
    opened: float
    restored: float
    verdict: str
    is_same: bool
    empty: int
    peak: int

    @property
    def speed(self) -> float:
        return self.megabytes / self.restored

    @property
    def memory(self) -> float:
        return (self.peak - self.empty) / 1e6

    @property
    def findings(self) -> list[str]:
        found = {
            f"The reader said: {self.verdict}.": self.verdict != "complete",
            "Other bytes came back.": not self.is_same,
            f"Slower than {MIN_SPEED} MB/s.": self.speed < MIN_SPEED,
            f"More memory than {MAX_MEMORY} MB.": self.memory > MAX_MEMORY,
            "The browser's memory was not measured.": self.empty == 0,
        }
        return [text for text, is_wrong in found.items() if is_wrong]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m kit_rescue")
    parser.add_argument("--megabytes", type=int, default=1000)
    parser.add_argument("--files", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tessera-kit-") as folder:
        rescue = run(Path(folder), arguments.files, arguments.megabytes, arguments.seed)
    if rescue.megabytes >= 1000:
        write_part(RESULTS, f"kit_rescue_{rescue.files}", section(rescue))
    else:
        _say(section(rescue))
    for finding in rescue.findings:
        _say(f"- {finding}")
    sys.exit(1 if rescue.findings else 0)


def run(work: Path, files: int, megabytes: int, seed: int) -> Rescue:
    space = Space()
    source, out = work / "source", work / "out"
    fill_space(space, source / "Designs", files=files, size=megabytes * 1_000_000, seed=seed)
    copies = two_copies(work, [space])
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=system_browser(), args=list(FLAGS))
        browser.new_context().new_page().goto("about:blank")
        memory = Memory()
        empty = memory.sample()
        memory.start()
        with opened_reader(browser) as page:
            started = time.monotonic()
            open_copies(page, copies)
            expect(page.locator(".space")).to_be_visible(timeout=_SECONDS * 1000)
            opened = time.monotonic()
            verdict, archives = restore_archives(page, timeout=_SECONDS)
            ended = time.monotonic()
            peak = memory.stop()
            unpack(archives, out)
        browser.close()
    is_same = contents(out) == contents(source)
    return Rescue(files, megabytes, opened - started, ended - opened, verdict, is_same, empty, peak)


def section(rescue: Rescue) -> str:
    loads = " ".join(f"{load:.1f}" for load in os.getloadavg())
    return "\n".join(
        [
            f"## Recovery kit: {rescue.files:,} files",
            "",
            "Written by `python -m kit_rescue`. The kit's reader, opened from disk in headless"
            f" Chromium without a network, restores {rescue.megabytes:,} MB from two of three"
            " clouds as ZIP files. Opening derives the keys and reads the log. Memory is that of"
            " all processes of the browser.",
            "",
            "| what | |",
            "|---|---|",
            f"| opened | {rescue.opened:.1f} s |",
            f"| restored | {rescue.restored:.1f} s |",
            f"| speed of the restore | {rescue.speed:.0f} MB/s |",
            f"| memory of an empty tab | {rescue.empty / 1e6:.0f} MB |",
            f"| most memory above an empty tab | {rescue.memory:.0f} MB |",
            f"| verdict of the reader | {rescue.verdict} |",
            f"| the same bytes came back | {'yes' if rescue.is_same else 'no'} |",
            "",
            f"Load of the machine at the end (1, 5, 15 minutes): {loads}.",
        ]
    )


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

    def is_browser(name: str) -> bool:
        return "chrom" in name or "headless_shell" in name

    return [Path("/proc") / each for each in parents if is_browser(names[each]) and is_ours(each)]


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
