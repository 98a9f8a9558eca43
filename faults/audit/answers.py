"""What people were answered, against the record of activity: yes is there once, no is not there,
and what was never answered is there once or not at all."""

from collections import Counter

from faults.journal import Attempt, Deed, Journal
from tessera.kit.database import Connection


async def compare_answers(connection: Connection, journal: Journal) -> list[str]:
    rows = await connection.fetch("SELECT request_id, action FROM activity WHERE request_id <> ''")
    recorded = Counter((row["request_id"], row["action"]) for row in rows)
    ids = Counter(row["request_id"] for row in rows)
    known = {attempt.request_id for _, attempt in journal.attempts()}
    findings = [f"recorded, and nobody asked for it: {each}" for each in ids.keys() - known]
    for deed in journal.deeds:
        findings += _judge(deed, recorded)
    return findings


def _judge(deed: Deed, recorded: Counter[tuple[str, str]]) -> list[str]:
    name = f"{deed.kind} ({deed.attempts[0].request_id if deed.attempts else deed.number})"
    findings = []
    for attempt in deed.attempts:
        count = recorded[attempt.request_id, deed.action]
        if count > 1:
            findings.append(f"{name}: asked once, done {count} times")
        if attempt.answer == "no" and count:
            findings.append(f"{name}: answered {attempt.status} {attempt.code}, and done")
        if attempt.answer == "yes" and deed.repeats and not count:
            findings.append(f"{name}: answered yes, and not done")
    if not deed.repeats:
        findings += _judge_once(deed, name, _total(deed.attempts, deed.action, recorded))
    return findings


def _judge_once(deed: Deed, name: str, total: int) -> list[str]:
    if total > 1:
        return [f"{name}: done {total} times in {len(deed.attempts)} attempts"]
    if deed.answer == "yes" and total == 0:
        return [f"{name}: answered yes, and not done"]
    return []


def _total(attempts: list[Attempt], action: str, recorded: Counter[tuple[str, str]]) -> int:
    return sum(recorded[attempt.request_id, action] for attempt in attempts)
