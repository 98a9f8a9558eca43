"""A progress bar on stderr, when somebody looks at it."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from tessera_client.commands.output import output
from tessera_client.vault.progress import Advance


@contextmanager
def progress(label: str, total: int) -> Iterator[Advance]:
    """Yields a function that reports how many bytes were handled."""
    if output.as_json or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich import progress as bars  # noqa: PLC0415 - slow to import, and rarely needed
    from rich.console import Console  # noqa: PLC0415

    columns = (
        bars.TextColumn("{task.description}", markup=False),
        bars.BarColumn(),
        bars.DownloadColumn(),
        bars.TransferSpeedColumn(),
        bars.TimeRemainingColumn(),
    )
    with bars.Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        # Of standard input nobody knows how much it will be.
        task = shown.add_task(label, total=total or None)
        yield lambda size: shown.advance(task, size)
