"""A space's settings and statistics, on the page."""

from dataclasses import replace
from datetime import UTC, datetime

import msgspec

from tessera_client.errors import ClientError
from tessera_client.texts import translate
from tessera_client.ui.schemas import Freed, KeepRules, MemberShare, SpaceSettings, SpaceStatistics
from tessera_client.vault.members import list_members
from tessera_client.vault.membership import change_settings
from tessera_client.vault.prune import PrunePlan, plan_prune, prune_space
from tessera_client.vault.retention import keeping
from tessera_client.vault.spaces import Space
from tessera_client.vault.statistics import count_space
from tessera_client.vault.vault import Vault
from tessera_core.entries import KeepRule, KeepUnit
from tessera_core.tree import Keeps


def space_settings(vault: Vault, space: str) -> SpaceSettings:
    return _settings(vault.find(space))


def change_space_settings(
    vault: Vault, space: str, is_compressed: bool, keep: KeepRules
) -> SpaceSettings:
    target = _find_led(vault, space)
    new_settings = replace(target.state.settings, uncompressed=not is_compressed, keep=_rules(keep))
    if new_settings != target.state.settings:
        change_settings(target, new_settings)
    return _settings(target)


def preview_prune(vault: Vault, space: str, keep: KeepRules) -> Freed:
    """What the rules would delete now, before they are the space's."""
    found = vault.find(space)
    return _freed(plan_prune(found, _keeps(keep)))


def prune(vault: Vault, space: str) -> Freed:
    found = _find_led(vault, space)
    return _freed(prune_space(vault, found, _keeps(_settings(found).keep)))


def statistics(vault: Vault, space: str) -> SpaceStatistics:
    counted = count_space(vault.find(space))
    names = {member.user: member.name for member in list_members(vault.account)}
    return SpaceStatistics(
        files=counted.files,
        bytes=counted.bytes,
        kept=counted.kept,
        stored=counted.stored,
        saved_by_deduplication=counted.saved_by_deduplication,
        saved_by_compression=counted.saved_by_compression,
        members=[
            MemberShare(names.get(author), files, size)
            for author, (files, size) in counted.authors.items()
        ],
    )


def _find_led(vault: Vault, space: str) -> Space:
    found = vault.find(space)
    if not found.is_led:
        raise ClientError(translate("errors.settings_forbidden"), code="forbidden")
    return found


def _settings(space: Space) -> SpaceSettings:
    settings = space.state.settings
    counts = {KeepUnit(rule.unit).name.lower(): rule.count for rule in settings.keep}
    return SpaceSettings(space.is_led, not settings.uncompressed, KeepRules(**counts))


def _rules(keep: KeepRules) -> tuple[KeepRule, ...]:
    counts = msgspec.structs.asdict(keep)
    return tuple(
        KeepRule(unit, counts[unit.name.lower()]) for unit in KeepUnit if counts[unit.name.lower()]
    )


def _keeps(keep: KeepRules) -> Keeps:
    return keeping(_rules(keep), datetime.now(UTC))


def _freed(plan: PrunePlan) -> Freed:
    return Freed(plan.versions, len(plan.packs), plan.bytes)
