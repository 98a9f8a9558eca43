"""Checks of the chain that the leader asked for."""

from dataclasses import asdict
from typing import Any

from tessera.audit import check_queries
from tessera.audit.check_queries import Check
from tessera.audit.queries import Link
from tessera.audit.schemas import ActivityCheck, Problem
from tessera.audit.verification import Verification, verify
from tessera.audit.wording import problem_text
from tessera.kit.data_keys import key_ring
from tessera.kit.i18n import Language
from tessera.kit.workflows import Resources


async def run(resources: Resources, company_id: int, check_id: int) -> None:
    async with resources.database.tenant(company_id) as connection:
        check = await check_queries.find(connection, company_id, check_id)
    if check is None or check.finished_at is not None:
        return
    kept = None
    if check.kept_sequence is not None and check.kept_hash is not None:
        kept = Link(check.kept_sequence, check.kept_hash)
    found = await verify(resources.database, key_ring(resources), company_id, kept)
    async with resources.database.tenant(company_id) as connection:
        await check_queries.finish(connection, company_id, check_id, _stored(found))


def _stored(found: Verification) -> dict[str, Any]:
    return {
        "checked": found.checked,
        "removed_until": found.removed_until,
        "head_too_old": found.kept_too_old,
        "problems": [asdict(problem) for problem in found.problems],
        "more_problems": found.more_problems,
    }


def to_read(check: Check, language: Language) -> ActivityCheck:
    stored = check.read_result()
    problems = [
        Problem(**problem, text=problem_text(problem, language))
        for problem in stored.pop("problems")
    ]
    head = None
    if check.kept_sequence is not None and check.kept_hash is not None:
        head = f"{check.kept_sequence}:{check.kept_hash.hex()}"
    return ActivityCheck(
        asked_at=check.asked_at,
        finished_at=check.finished_at,
        head=head,
        problems=problems,
        **stored,
    )
