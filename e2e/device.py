"""Browser options of a test: language, theme, window size and the name of the server."""

from dataclasses import dataclass
from typing import Literal

from playwright.sync_api import Browser, BrowserContext, expect

LOCALES = {"en": "en-US", "tr": "tr-TR", "ar": "ar-EG"}
Theme = Literal["light", "dark"]
THEMES: tuple[Theme, ...] = ("light", "dark")


@dataclass(frozen=True)
class Device:
    language: str = "en"
    theme: Theme = "light"
    phone: bool = False
    # Passkeys need `localhost`, because browsers bind them to names only.
    host: str = "127.0.0.1"


def new_context(browser: Browser, address: str, device: Device) -> BrowserContext:
    """A fresh browser profile for the server at this address."""
    context = browser.new_context(
        base_url=address.replace("127.0.0.1", device.host),
        locale=LOCALES[device.language],
        color_scheme=device.theme,
        viewport={"width": 390, "height": 844} if device.phone else {"width": 1280, "height": 860},
        reduced_motion="reduce",
    )
    context.set_default_timeout(40_000)
    expect.set_options(timeout=20_000)
    return context
