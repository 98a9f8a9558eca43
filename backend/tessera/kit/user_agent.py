"""Short browser and system names from the user agent. The order matters: most browsers also call
themselves Chrome and Safari."""

import re
from dataclasses import dataclass

from tessera.kit.versions import is_version

_BROWSERS = (
    ("Edge", r"\b(?:Edg|EdgA|EdgiOS|Edge)/"),
    ("Opera", r"\b(?:OPR|OPiOS|Opera)/"),
    ("Samsung Internet", r"\bSamsungBrowser/"),
    ("Firefox", r"\b(?:Firefox|FxiOS)/"),
    ("Chrome", r"\b(?:Chrome|Chromium|CriOS|HeadlessChrome)/"),
    ("Safari", r"\bVersion/.*\bSafari/"),
)
_SYSTEMS = (
    ("iPhone", r"\biPhone\b"),
    ("iPad", r"\biPad\b"),
    ("Android", r"\bAndroid\b"),
    ("Windows", r"\bWindows\b"),
    ("ChromeOS", r"\bCrOS\b"),
    ("macOS", r"\bMac OS X\b|\bMacintosh\b"),
    ("Linux", r"\bLinux\b|\bX11\b"),
)


@dataclass(frozen=True)
class Device:
    """Fields are empty if nothing is recognised."""

    browser: str
    system: str

    def __str__(self) -> str:
        return ", ".join(part for part in (self.browser, self.system) if part)


def device_of(user_agent: str) -> Device:
    return Device(_first(_BROWSERS, user_agent), _first(_SYSTEMS, user_agent))


def _first(names: tuple[tuple[str, str], ...], user_agent: str) -> str:
    return next((name for name, sign in names if re.search(sign, user_agent)), "")


def client_version_of(user_agent: str) -> str | None:
    """What the client program says of itself; None if it is something else."""
    found = re.fullmatch(r"tess/([0-9.]{1,19})", user_agent, re.ASCII)
    return found[1] if found and is_version(found[1]) else None
