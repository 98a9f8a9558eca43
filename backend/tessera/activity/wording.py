"""Says in words what happened and what changed, for the console and for exports."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic.alias_generators import to_camel

from tessera.kit.i18n import Language, catalogue, fill, translate
from tessera_core.provider import Text
from tessera_core.providers import connectable

Details = Mapping[str, Any]

# Details that get their own line; the others are for programs.
_NOTES = ("reason", "left", "version", "keyVersion", "members", "warehouses")


def action_text(action: str, details: Details, language: Language) -> str:
    count = details.get("count", 1)
    key = "members.invitedMany" if action == "members.invited" and count != 1 else action
    text = _texts(language).get(key)
    return fill(text, {"count": count}) if text else _readable(action)


def actor_text(name: str, api_token_id: int | None, language: Language) -> str:
    """Says so if it is a token: its name is free."""
    return name if api_token_id is None else translate("activity.apiToken", language, name=name)


def known_actions(language: Language) -> dict[str, str]:
    """Texts by action, in the order of the catalogue."""
    texts = _texts(language).items()
    return {action: text for action, text in texts if action != "members.invitedMany"}


def _texts(language: Language) -> Mapping[str, str]:
    texts: Mapping[str, str] = catalogue(language)["activity"]["actions"]
    return texts


def change_texts(action: str, target: str, details: Details, language: Language) -> list[str]:
    lines = [_change_text(change, language) for change in _changes(action, target, details)]
    if details.get("cause"):
        lines.append(translate(f"warehouses.failures.{details['cause']}", language))
    return lines + [
        translate(f"activity.note.{name}", language, value=details[name])
        for name in _NOTES
        if details.get(name)
    ]


def _changes(action: str, target: str, details: Details) -> Iterator[Details]:
    yield from details.get("changes", ())
    # Some actions have their own details, which other code reads.
    if action == "warehouse.statusChanged":
        yield {"field": "status", "from": details.get("from"), "to": details.get("to")}
    elif action == "leadership.reassigned":
        yield {"field": "teamLeader", "from": details.get("from"), "to": target}
    elif action == "subscription.planChanged":
        yield {"field": "plan", "from": details.get("from"), "to": details.get("planId")}


def _change_text(change: Details, language: Language) -> str:
    name = str(change["field"])
    path = f"activity.fields.{name}"
    label = translate(path, language)
    if label == path:
        described = _provider_labels().get(name)
        label = described.read(language) if described else _readable(name).capitalize()
    before = _value(name, change.get("from"), language)
    after = _value(name, change.get("to"), language)
    if before and after:
        kind = "fromTo"
    elif after:
        kind = "set"
    else:
        kind = "removed" if before else "secret"
    return translate(f"activity.change.{kind}", language, field=label, before=before, after=after)


def _provider_labels() -> dict[str, Text]:
    """The labels of the connect form, by the name of the field on the wire."""
    return {
        to_camel(field.name): field.label
        for provider in reversed(connectable())
        for field in provider.fields
    }


def _value(field: str, value: object, language: Language) -> str:
    if value is None or value == "":
        return ""
    path = f"activity.values.{field}.{value}"
    text = translate(path, language)
    return str(value) if text == path else text


def _readable(code: str) -> str:
    """`warehouse.keyRotated` becomes `warehouse key rotated`: a code without a text."""
    words = re.sub(r"([a-z])([A-Z])", r"\1 \2", code)
    return re.sub(r"[._-]+", " ", words).lower().strip()
