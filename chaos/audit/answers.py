"""Compares responses with the activity log: a success is recorded once, a refusal never, and a call
without a response at most once."""

from collections import Counter

from chaos.journal import Attempt, Journal, Operation
from tessera.kit.database import Connection

# A repeated request is recorded under another name.
SAME_OPERATION = {"invite.resent": "members.invited"}
# Caused by `tess`, whose calls are not in the journal. They are compared with the spaces' logs.
OF_TESS = {
    "session.started",
    "session.verified",
    "passphrase.revealed",
    "storage.restoreClosed",
}
OF_TESS_PREFIXES = ("storageKeys.", "recoveryKeys.", "recoveryKit.", "space.")


async def compare_answers(connection: Connection, journal: Journal) -> list[str]:
    rows = await connection.fetch("SELECT request_id, action FROM activity WHERE request_id <> ''")
    recorded = Counter(
        (row["request_id"], SAME_OPERATION.get(row["action"], row["action"])) for row in rows
    )
    ids = Counter(row["request_id"] for row in rows)
    known = {attempt.request_id for _, attempt in journal.attempts()}
    by_tess = {row["request_id"] for row in rows if _is_of_tess(row["action"])}
    unknown = ids.keys() - known - by_tess
    findings = [f"recorded, and nobody asked for it: {each}" for each in unknown]
    # The record of a deleted company is deleted with it.
    deleted = {
        row["uuid"]
        for row in await connection.fetch(
            "SELECT details ->> 'uuid' AS uuid FROM activity WHERE action = 'company.deleted'"
        )
    }
    for operation in journal.operations:
        if operation.company not in deleted:
            findings += _judge(operation, recorded)
    return findings


def _is_of_tess(action: str) -> bool:
    return action in OF_TESS or action.startswith(OF_TESS_PREFIXES)


def _judge(operation: Operation, recorded: Counter[tuple[str, str]]) -> list[str]:
    first = operation.attempts[0].request_id if operation.attempts else operation.number
    name = f"{operation.kind} ({first})"
    findings = []
    for attempt in operation.attempts:
        count = recorded[attempt.request_id, operation.action]
        if count > 1:
            findings.append(f"{name}: asked once, done {count} times")
        if attempt.answer == "no" and count:
            findings.append(f"{name}: answered {attempt.status} {attempt.code}, and done")
        if attempt.answer == "yes" and operation.repeats and not count:
            findings.append(f"{name}: answered yes, and not done")
    if not operation.repeats:
        findings += _judge_once(
            operation, name, _total(operation.attempts, operation.action, recorded)
        )
    return findings


def _judge_once(operation: Operation, name: str, total: int) -> list[str]:
    if total > 1:
        return [f"{name}: done {total} times in {len(operation.attempts)} attempts"]
    if operation.answer == "yes" and total == 0:
        return [f"{name}: answered yes, and not done"]
    return []


def _total(attempts: list[Attempt], action: str, recorded: Counter[tuple[str, str]]) -> int:
    return sum(recorded[attempt.request_id, action] for attempt in attempts)
