"""From screen to screen in one look, signing in once for each account."""

import json
from collections.abc import Iterable, Iterator
from itertools import groupby

from playwright.sync_api import Browser

from look import Look, new_context
from screens.screen import Screen
from visitor import Account, Visitor

# A walk signs in once, and may take longer than an entered code lasts.
PATIENT = {"TESSERA_VERIFIED_SECONDS": "3600"}


def walk(
    browser: Browser, address: str, look: Look, screens: Iterable[Screen]
) -> Iterator[tuple[Screen, Visitor]]:
    """Each screen as it stands open, in a tab of its own."""
    by_account = sorted(screens, key=_email)
    for _, group in groupby(by_account, key=_email):
        context = new_context(browser, address, look)
        seen = list(group)
        if account := seen[0].account:
            _sign_in(Visitor(context.new_page(), address, look.language), account)
        for screen in seen:
            visitor = Visitor(context.new_page(), address, look.language)
            screen.open(visitor)
            yield screen, visitor
            visitor.page.unroute_all(behavior="ignoreErrors")
            visitor.page.close()
        context.close()


def _sign_in(visitor: Visitor, account: Account) -> None:
    """For every later tab too, also after one in which the session was said to be over."""
    visitor.sign_in(account)
    token = visitor.page.evaluate("localStorage.getItem('tessera.token')")
    kept = f"localStorage.setItem('tessera.token', {json.dumps(token)})"
    visitor.page.context.add_init_script(f"if (window === top) {kept}")
    visitor.page.close()


def _email(screen: Screen) -> str:
    return screen.account.email if screen.account else ""
