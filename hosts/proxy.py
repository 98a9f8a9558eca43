"""Caddy with the sample of deploy/, in front of the machines and on one of its own."""

import json
import subprocess
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from hosts.network import Namespace

SAMPLE = Path(__file__).parents[1] / "deploy" / "Caddyfile"
PORT = 80


@dataclass
class Proxy:
    address: str
    log: Path

    def statuses(self, begun: float, ended: float) -> Counter[int]:
        """Of calls that were answered in this time, in seconds since 1970."""
        counts: Counter[int] = Counter()
        for line in self.log.read_text().splitlines():
            record = json.loads(line)
            if "status" in record and begun <= record["ts"] < ended:
                counts[record["status"]] += 1
        return counts


@contextmanager
def open_proxy(
    namespace: Namespace, machines: Sequence[Namespace], folder: Path
) -> Iterator[Proxy]:
    folder.mkdir()
    text = SAMPLE.read_text()
    # Needs no port on this machine, and no certificate.
    (folder / "Caddyfile").write_text(text.replace("\n{\n", "\n{\n\tadmin off\n", 1))
    address = f"http://{namespace.address}:{PORT}"
    proxy = Proxy(address, folder / "proxy.log")
    environment = {
        "PATH": "/usr/bin:/bin",
        "HOME": str(folder),
        "CONSOLE_HOST": address,
        "CARD_HOST": f"http://{namespace.address}:{PORT + 1}",
        "MACHINES": " ".join(f"{each.address}:8000" for each in machines),
        "CARD_MACHINES": " ".join(f"{each.address}:8001" for each in machines),
    }
    command = ["caddy", "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]
    with proxy.log.open("wb") as log:
        process = subprocess.Popen(
            namespace.command(*command), env=environment, cwd=folder, stdout=log, stderr=log
        )
    try:
        yield proxy
    finally:
        process.terminate()
        process.wait(30)
