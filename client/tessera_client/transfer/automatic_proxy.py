"""Automatic configuration of proxies (PAC) is a program for browsers. It is only recognised, to say
that it is not supported."""

import os
import re
import subprocess
import sys
from contextlib import suppress
from urllib.parse import urlsplit

_WINDOWS_SETTINGS = r"Software\Microsoft\Windows\CurrentVersion\Internet Settings"
_ENABLED = re.compile(r"ProxyAuto(?:ConfigEnable|DiscoveryEnable) : 1")
_ADDRESS = re.compile(r"ProxyAutoConfigURLString : (\S+)")


def automatic_address(url: str) -> str | None:
    """An address that is one of a PAC file, and not of a proxy; without a password."""
    parts = urlsplit(url)
    if not parts.path.lower().endswith((".pac", "/wpad.dat")):
        return None
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="").geturl()


def automatic_configuration() -> str | None:
    """What the system's settings name in place of a proxy."""
    with suppress(OSError, subprocess.SubprocessError):
        if sys.platform == "win32":
            return _by_windows()
        if sys.platform == "darwin":
            return _by_macos()
    return os.environ.get("auto_proxy") or None  # noqa: SIM112 - as browsers read it


def _by_windows() -> str | None:
    import winreg  # noqa: PLC0415 - only Windows has it

    with winreg.OpenKey(winreg.HKEY_CURRENT_USER, _WINDOWS_SETTINGS) as settings:  # type: ignore[attr-defined,unused-ignore]
        address = winreg.QueryValueEx(settings, "AutoConfigURL")[0]  # type: ignore[attr-defined,unused-ignore]
    return str(address) or None


def _by_macos() -> str | None:
    command = ["/usr/sbin/scutil", "--proxy"]
    done = subprocess.run(  # noqa: S603
        command, capture_output=True, text=True, check=True, timeout=5
    )
    if not _ENABLED.search(done.stdout):
        return None
    address = _ADDRESS.search(done.stdout)
    return address[1] if address else "WPAD"
