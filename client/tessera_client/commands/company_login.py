"""Asking for a login to be confirmed in a browser."""

import os
import sys
import webbrowser

from tessera_client.commands.output import notice
from tessera_client.texts import translate
from tessera_client.transfer.api import Api
from tessera_client.vault.company_login import CompanyLogin, ConfirmedLogin, start_company_login
from tessera_client.vault.loopback import Loopback


def confirm_in_browser(
    api: Api, email: str, device: str, *, browser: bool
) -> ConfirmedLogin | None:
    """None if the company has no provider, so that password and code are asked for."""
    if browser and _has_display():
        with Loopback() as loopback:
            login = start_company_login(api, email, device, loopback)
            if login is None:
                return None
            if webbrowser.open(login.address):
                _say("notices.confirm_in_browser", login)
                return login.wait()
    login = start_company_login(api, email, device, None)
    if login is None:
        return None
    _say("notices.confirm_elsewhere", login)
    return login.wait()


def _say(text: str, login: CompanyLogin) -> None:
    notice(translate(text, address=login.address, code=login.started.device_code))


def _has_display() -> bool:
    """Without one, a browser would take the terminal."""
    if sys.platform in {"win32", "darwin"}:
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
