"""Compares the client and the TypeScript reader; see docs/testing.md."""

import argparse
import sys
import tempfile
from pathlib import Path

from client.tests.format.compare import differences

BATCH = 100

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--spaces", type=int, default=1000)
parser.add_argument("--first", type=int, default=1, help="the first seed")
arguments = parser.parse_args()
end, wrong = arguments.first + arguments.spaces, 0
for start in range(arguments.first, end, BATCH):
    with tempfile.TemporaryDirectory() as folder:
        for difference in differences(Path(folder), range(start, min(start + BATCH, end))):
            wrong += 1
            sys.stdout.write(f"{difference}\n")
sys.stdout.write(f"{arguments.spaces} spaces were read by both, {wrong} of them differently\n")
sys.exit(1 if wrong else 0)
