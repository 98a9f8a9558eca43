"""Tessera's client: encrypts files on the user's computer and stores them over several clouds."""

import sys

# The command line of httpx, which nobody uses here, imports rich, pygments and click: 0.1 s.
sys.modules.setdefault("httpx._main", None)  # type: ignore[arg-type]
