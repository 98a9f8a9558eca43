"""axe on every screen in every language and theme."""

from collections.abc import Sequence

from figures.stage import stage
from look import Look
from screens.screen import Screen
from screens.table import GROUPS, LOOKS, SCREENS
from screens.walk import walk


def measure() -> str:
    found: dict[tuple[Look, str], str] = {}
    with stage() as (server, browser):
        for look in LOOKS:
            for screen, visitor in walk(browser, server, look, SCREENS):
                found[look, screen.name] = visitor.violations()
    names = " | ".join(f"{look.language} {look.theme}" for look in LOOKS)
    rows = [_row(title, group, found) for title, group in GROUPS.items()]
    reports = [
        f"\n{name}, {look.language} {look.theme}:\n\n```\n{report}\n```"
        for (look, name), report in found.items()
        if report
    ]
    return "\n".join(
        [
            "## Accessibility",
            "",
            "Screens on which axe finds something, of all screens of the group.",
            "",
            f"| group | {names} |",
            "|---" + "|--:" * len(LOOKS) + "|",
            *rows,
            *reports,
        ]
    )


def _row(title: str, group: Sequence[Screen], found: dict[tuple[Look, str], str]) -> str:
    counts = (sum(bool(found[look, screen.name]) for screen in group) for look in LOOKS)
    return f"| {title} | " + " | ".join(f"{count} of {len(group)}" for count in counts) + " |"
