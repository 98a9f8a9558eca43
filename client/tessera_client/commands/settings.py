"""How a space is written and pruned."""

from dataclasses import replace
from typing import Annotated

import typer

from tessera_client.commands.output import Result
from tessera_client.commands.people import Code, SpaceName
from tessera_client.commands.prompts import vault, with_verification
from tessera_client.errors import ClientError, WrongUsage
from tessera_client.texts import translate
from tessera_client.vault.membership import change_settings
from tessera_core.entries import KeepRule, KeepUnit, Settings

MAX_COUNT = 0xFFFF

Count = Annotated[
    int | None, typer.Option(min=0, max=MAX_COUNT, help="options.keep", metavar="NUMBER")
]
# The name in JSON, and the text.
_RULES: dict[int, tuple[str, str]] = {
    KeepUnit.ALL_DAYS: ("allDays", "settings.keep.allDays"),
    KeepUnit.DAILY: ("daily", "settings.keep.daily"),
    KeepUnit.WEEKLY: ("weekly", "settings.keep.weekly"),
    KeepUnit.MONTHLY: ("monthly", "settings.keep.monthly"),
    KeepUnit.YEARLY: ("yearly", "settings.keep.yearly"),
}


def settings(
    space: SpaceName,
    compress: Annotated[
        bool | None, typer.Option("--compress/--no-compress", help="options.compress")
    ] = None,
    keep_all_days: Annotated[
        int | None, typer.Option(min=0, max=MAX_COUNT, help="options.keep_all_days", metavar="DAYS")
    ] = None,
    keep_daily: Count = None,
    keep_weekly: Count = None,
    keep_monthly: Count = None,
    keep_yearly: Count = None,
    keep_default: Annotated[
        bool, typer.Option("--keep-default", help="options.keep_default")
    ] = False,
    code: Code = None,
) -> Result:
    """Shows how a space is written and pruned, or changes it."""
    counts = (keep_all_days, keep_daily, keep_weekly, keep_monthly, keep_yearly)
    rules = {unit: count for unit, count in zip(_RULES, counts, strict=True) if count is not None}
    if keep_default and rules:
        raise WrongUsage.from_code("keep_default_with_rules")
    with vault() as opened:
        target = opened.find(space)
        new_settings = _changed(target.state.settings, compress, rules, drop=keep_default)
        if new_settings != target.state.settings:
            if not target.is_led:
                raise ClientError(translate("errors.settings_forbidden"), code="forbidden")
            with_verification(
                opened.account.api, code, lambda: change_settings(target, new_settings)
            )
    return _shown(target.label, new_settings)


def _changed(
    settings: Settings, compress: bool | None, given: dict[int, int], *, drop: bool
) -> Settings:
    rules = {} if drop else {rule.unit: rule.count for rule in settings.keep}
    rules |= given
    keep = tuple(KeepRule(unit, count) for unit, count in sorted(rules.items()) if count)
    if compress is not None:
        settings = replace(settings, uncompressed=not compress)
    return replace(settings, keep=keep)


def _shown(space: str, settings: Settings) -> Result:
    rules = [(*_RULES[rule.unit], rule.count) for rule in settings.keep]
    lines = [translate("settings.uncompressed" if settings.uncompressed else "settings.compressed")]
    lines += [translate(text, count=count) for _, text, count in rules]
    if not rules:
        lines.append(translate("settings.keep_default"))
    keep = {name: count for name, _, count in rules}
    data = {"space": space, "compress": not settings.uncompressed, "keep": keep}
    return Result(data, "\n".join(lines))
