"""Opens one screen after the other on one device, with one session per account."""

import json
from collections.abc import Iterable, Iterator
from itertools import groupby

from playwright.sync_api import Browser, BrowserContext

from accounts import Account
from device import Device, new_context
from screens.screen import Screen
from server import Server
from user import User


def walk(
    browser: Browser, server: Server, device: Device, screens: Iterable[Screen]
) -> Iterator[tuple[Screen, User]]:
    """Yields each screen, opened in its own tab."""
    by_account = sorted(screens, key=_email)
    for _, group in groupby(by_account, key=_email):
        context = new_context(browser, server.address, device)
        seen = list(group)
        if account := seen[0].account:
            _sign_in(context, server, account)
        for screen in seen:
            user = User(context.new_page(), server, device.language)
            screen.open(user)
            yield screen, user
            user.page.unroute_all(behavior="ignoreErrors")
            user.page.close()
        context.close()


def _sign_in(context: BrowserContext, server: Server, account: Account) -> None:
    """Sets the token in every tab, also after one in which the session ended."""
    token = json.dumps(server.factory.token(account))
    context.add_init_script(f"if (window === top) localStorage.setItem('tessera.token', {token})")


def _email(screen: Screen) -> str:
    return screen.account.email if screen.account else ""
