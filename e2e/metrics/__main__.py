"""`make web-metrics` measures the console and the client's page, and writes frontend/metrics.md;
`ONLY=lighthouse` measures only that part again and keeps the others."""

import sys
from pathlib import Path

from metrics import accessibility, client, interactions, javascript, lighthouse
from report import measure

FILE = Path(__file__).parents[2] / "frontend" / "metrics.md"
MEASURES = {
    "javascript": javascript.measure,
    "lighthouse": lighthouse.measure,
    "interactions": interactions.measure,
    "accessibility": accessibility.measure,
    "client": client.measure,
}
HEAD = """# Figures of the console

Written by `make web-metrics`, measured on the built console as the sandbox serves it, and on the
client's page as `tess ui` serves it.
"""


if __name__ == "__main__":
    measure(FILE, HEAD, MEASURES, sys.argv[1:])
