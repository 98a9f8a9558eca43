"""Does random things on a mounted drive, which sends meanwhile, and in a local folder; then mounts
the drive again, with nothing in its cache, and compares once more.

python -m client.tests.drive.mounted_exerciser --seeds 5 --operations 100000
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from client.tests.drive.conftest import new_vault, shown, wait_until_sent
from tessera_client.drive.opening import cache_folder, open_drives

ROOT = Path(__file__).parents[3]


def run_seed(seed: int, operations: int, folder: Path) -> str:
    """Returns what was done; raises if the two folders ever differ."""
    place, local = folder / "mounted", folder / "local"
    local.mkdir()
    with new_vault(folder / "state") as vault:
        with open_drives(vault, "Designs", print) as mounted:
            with shown(mounted, place):
                done = exercise(place, local, operations, seed)
            wait_until_sent(mounted)
        # The journal, which is beside the cache, has nothing left.
        shutil.rmtree(cache_folder(vault).parent)
        vault.find("Designs").sync()
        with open_drives(vault, "Designs", print) as mounted, shown(mounted, place):
            exercise(place, local, 0, seed)
    return done


def exercise(place: Path, local: Path, operations: int, seed: int) -> str:
    """Another program does it, as Python would wait for itself in some calls."""
    command = [sys.executable, "-m", "client.tests.drive.exerciser", str(place), str(local)]
    command += ["--operations", str(operations), "--seed", str(seed)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--operations", type=int, default=100_000)
    given = parser.parse_args()
    for seed in range(given.first, given.first + given.seeds):
        begun = time.monotonic()
        with tempfile.TemporaryDirectory() as name:
            done = run_seed(seed, given.operations, Path(name))
        sys.stdout.write(f"{done}the same after a remount; {time.monotonic() - begun:.0f} s\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
