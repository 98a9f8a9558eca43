"""What clients find after the restore: each runs `tess` again, the leader closes the restore, and
everything is compared with what was answered before the loss."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Iterable

from chaos.audit.answers import compare_answers
from chaos.audit.companies import compare_companies
from chaos.audit.files import compare_fetched, compare_rescued, compare_stored
from chaos.audit.messages import compare_messages
from chaos.audit.provider import compare_provider
from chaos.computer import ProgramError
from chaos.file_company import SPACE
from chaos.file_user import WrongContent
from chaos.person import Unanswered
from chaos.wait_idle import wait_until_idle
from restore_drill.drill import Drill, log_end
from tessera.kit.database import Connection

# In which a segment of the write-ahead log is sent to the archive.
MAX_SENDING_SECONDS = 60


async def audit(drill: Drill) -> list[str]:
    files = drill.files
    drill.report.files = sum(len(user.known()) for user in files.users)
    connection = await drill.deployment.connect()
    try:
        findings = await _bring_back(drill, connection)
        await drill.back_up()
        return [
            *findings,
            *await compare_fetched(files),
            *await _close(drill),
            *await _store_again(drill),
            *await wait_until_idle(connection),
            *await compare_stored(connection, files),
            *await compare_rescued(files),
            *await _compare_answers(drill, connection),
            *await compare_companies(connection),
            *await compare_messages(connection),
            *await compare_provider(connection),
        ]
    finally:
        await connection.close()


async def _bring_back(drill: Drill, connection: Connection) -> list[str]:
    """Everybody uses `tess` as ever, until nobody misses what they have seen."""
    users = [*drill.files.users, drill.files.hostile.user]
    findings = await _all(user.computer.run("ls", f"{SPACE}:/") for user in users)
    drill.note("clients read their spaces again")
    drill.report.entries = await log_end(connection)
    return findings


async def _close(drill: Drill) -> list[str]:
    files = drill.files
    closing = files.leader.computer.with_code("reopen", accepted=frozenset({"not_restoring"}))
    findings = await _all([closing])
    drill.note("the leader has closed the restore")
    for user in files.users:
        drill.report.said[user.computer.email] = Counter(user.computer.said)
    return findings


async def _store_again(drill: Drill) -> list[str]:
    users = drill.files.users
    return [
        *await _all(user.put() for user in users),
        *await _all(user.get() for user in users),
        *await _all([drill.files.make_kit()]),
    ]


async def _all(actions: Iterable[Awaitable[object]]) -> list[str]:
    """Those of different people at the same time. Returns what must not happen."""
    return [
        finding
        for found in await asyncio.gather(*(_finding(action) for action in actions))
        for finding in found
    ]


async def _finding(action: Awaitable[object]) -> list[str]:
    try:
        await action
    except (ProgramError, WrongContent, Unanswered) as error:
        return [f"files: {error!r}"]
    return []


async def _compare_answers(drill: Drill, connection: Connection) -> list[str]:
    """What was answered after the last commit that came back is lost, and nothing else."""
    report = drill.report
    late = {
        f"{operation.kind} ({operation.attempts[0].request_id}): answered yes, and not done"
        for operation in drill.journal.operations
        if any(attempt.is_done_after(report.committed_at) for attempt in operation.attempts)
    }
    found = set(await compare_answers(connection, drill.journal))
    report.operations = sum(each.answer == "yes" for each in drill.journal.operations)
    report.lost_operations = sorted(found & late)
    findings = sorted(found - late)
    if report.lost_seconds > report.archive_seconds + MAX_SENDING_SECONDS:
        findings.append(f"{report.lost_seconds:.0f} seconds of data are lost")
    return findings
