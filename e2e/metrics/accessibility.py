"""Runs axe on every screen in every language and theme."""

from collections.abc import Sequence

from device import Device
from metrics.stage import stage
from screens.screen import Screen
from screens.table import DEVICES, GROUPS, SCREENS
from screens.walk import walk


def measure() -> str:
    found: dict[tuple[Device, str], str] = {}
    with stage() as (server, browser):
        for device in DEVICES:
            for screen, user in walk(browser, server, device, SCREENS):
                found[device, screen.name] = user.violations()
    names = " | ".join(f"{device.language} {device.theme}" for device in DEVICES)
    rows = [_row(title, group, found) for title, group in GROUPS.items()]
    reports = [
        f"\n{name}, {device.language} {device.theme}:\n\n```\n{report}\n```"
        for (device, name), report in found.items()
        if report
    ]
    return "\n".join(
        [
            "## Accessibility",
            "",
            "Screens on which axe finds something, of all screens of the group.",
            "",
            f"| group | {names} |",
            "|---" + "|--:" * len(DEVICES) + "|",
            *rows,
            *reports,
        ]
    )


def _row(title: str, group: Sequence[Screen], found: dict[tuple[Device, str], str]) -> str:
    counts = (sum(bool(found[device, screen.name]) for screen in group) for device in DEVICES)
    return f"| {title} | " + " | ".join(f"{count} of {len(group)}" for count in counts) + " |"
