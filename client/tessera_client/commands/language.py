"""Which language the commands speak."""

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from tessera_client.texts import Language
from tessera_client.vault.profile import StateFolder


def choose_language(arguments: Sequence[str]) -> Language:
    """From --lang, TESS_LANG, the page's settings or the system. JSON is always English."""
    given = list(arguments[: arguments.index("--")] if "--" in arguments else arguments)
    if "--json" in given:
        return Language.EN
    for tag in _candidates(given):
        if language := match(tag):
            return language
    return Language.EN


def match(tag: str) -> Language | None:
    """Reads tags such as tr, tr-TR and tr_TR.UTF-8."""
    code = tag.replace("_", "-").split("-")[0].split(".")[0].lower()
    return Language(code) if code in {*Language} else None


def _candidates(arguments: Sequence[str]) -> Iterator[str]:
    for at, argument in enumerate(arguments):
        if argument == "--lang":
            yield from arguments[at + 1 : at + 2]
        elif argument.startswith("--lang="):
            yield argument.removeprefix("--lang=")
    yield os.environ.get("TESS_LANG", "")
    yield StateFolder.from_environment().load_language() or ""
    yield _system_tag()


def _system_tag() -> str:
    """The first variable that is set decides, as it does for other programs."""
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if tag := os.environ.get(variable):
            return tag
    if sys.platform == "win32":
        import ctypes  # noqa: PLC0415 - only here
        import locale  # noqa: PLC0415

        number = ctypes.windll.kernel32.GetUserDefaultUILanguage()
        return locale.windows_locale.get(number, "")
    if sys.platform == "darwin":
        return _mac_tag(Path.home() / "Library" / "Preferences" / ".GlobalPreferences.plist")
    return ""


def _mac_tag(preferences: Path) -> str:
    import plistlib  # noqa: PLC0415 - only here

    try:
        languages = plistlib.loads(preferences.read_bytes())["AppleLanguages"]
        return str(languages[0])
    except (OSError, ValueError, LookupError, TypeError):
        return ""
