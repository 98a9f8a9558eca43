"""The licences of what the native program consists of."""

import re
import sys
import sysconfig
from importlib.metadata import Distribution, distribution
from pathlib import Path

from client.delivery.wheels import pinned_requirements

_ROOT = Path(__file__).parents[3]
_RULE = "-" * 79
_LICENCE = re.compile(r"\.dist-info[/\\](.*licen[cs]e|copying|notice)", re.IGNORECASE)


def licence_texts() -> str:
    """Needs the environment in which the program was built."""
    packages = [
        distribution(pinned.requirement.name)
        for pinned in pinned_requirements()
        if pinned.requirement.marker is None or pinned.requirement.marker.evaluate()
    ]
    parts = [
        "tess, the client of Tessera, with Python and the packages below.",
        f"tess: Apache-2.0\n\n{(_ROOT / 'LICENSE').read_text(encoding='utf-8').strip()}",
        f"Python {sys.version.split()[0]}: PSF-2.0\n\n{_python_licence()}",
        *(_describe(package) for package in packages),
    ]
    return f"\n\n{_RULE}\n".join(parts) + "\n"


def _python_licence() -> str:
    path = Path(sysconfig.get_path("stdlib")) / "LICENSE.txt"
    if path.is_file():
        return path.read_text(encoding="utf-8").strip()
    return "https://docs.python.org/3/license.html"


def _describe(package: Distribution) -> str:
    facts = package.metadata
    fields = [name for name in ("License-Expression", "License") if name in facts]
    short = facts[fields[0]] if fields else "see below"
    files = (file for file in package.files or () if _LICENCE.search(str(file)))
    texts = [file.read_text(encoding="utf-8").strip() for file in sorted(files)]
    heading = f"{package.name} {package.version}: {short.splitlines()[0]}"
    return "\n\n".join([heading, *texts])
