"""Says in words what is wrong with a chain."""

from collections.abc import Mapping
from typing import Any

from tessera.kit.i18n import Language, translate


def problem_text(problem: Mapping[str, Any], language: Language) -> str:
    first, last = problem["first"], problem["last"]
    kind = problem["kind"]
    # One of several in a row, or one alone.
    if kind in {"links_missing", "end_missing", "kept_end_missing"}:
        kind = f"{kind}_{'one' if first == last else 'many'}"
    return translate(
        f"audit.problems.{kind}",
        language,
        first=first,
        last=last,
        activity=problem["activity_id"],
    )
