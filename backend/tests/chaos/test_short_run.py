"""A short run of `make chaos`, and a test of the audit on the data that it leaves."""

import shutil
from collections.abc import Awaitable, Callable, Mapping

import pytest

from chaos.audit import clouds, companies, files, messages, provider
from chaos.audit.answers import compare_answers
from chaos.audit.clouds import compare_clouds
from chaos.audit.companies import compare_companies
from chaos.audit.files import compare_stored, differences, fetched
from chaos.audit.hostile import compare_set_aside
from chaos.audit.messages import compare_messages
from chaos.audit.provider import compare_provider
from chaos.audit.replay import compare_replay
from chaos.audit.secrets import look_for_secrets
from chaos.audit.stream import compare_stream
from chaos.file_company import FileCompany
from chaos.hostile_moves import FORBIDDEN, SENSELESS
from chaos.journal import Attempt, Operation
from chaos.run import RunResult, after_faults
from chaos.stream_receiver import FAULTS
from chaos.wait_idle import UNDER_WAY, wait_until_idle
from tests.chaos import planted_faults, planted_lies

pytestmark = [pytest.mark.extended, pytest.mark.timeout(900)]

# Services die from the second second on, the database crashes after six, and from the third on half
# of all calls to the card provider fail.
SEED = 1654
SECONDS, PACE = 13.0, 2.5


async def test_nothing_is_lost_and_the_auditor_would_have_seen_it() -> None:
    async with after_faults(SEED, SECONDS, people=4, clouds=False, tour=True, pace=PACE) as result:
        report = result.report
        assert not report.findings, "\n".join(report.findings)
        assert report.faults["kills"] >= 2
        assert report.faults["database restarts"] + report.faults["database crashes"] >= 1
        assert any(name.startswith("card call") for name in report.faults)
        assert report.faults["stream taken"]
        assert any(report.faults[f"stream {fault}"] for fault in FAULTS)
        assert report.faults["actions with files"] >= 6
        assert report.faults["hostile, set aside"] >= len(SENSELESS)
        assert all(report.faults[f"hostile: {name}"] for name in FORBIDDEN)
        await every_plant_is_found(result)
        await answers_are_believed_by_nobody(result)
        await lies_of_the_stream_are_found(result)
        a_changed_file_is_found(result.files)
        await an_entry_that_counts_is_found(result.files)
        await secrets_are_found(result)


async def every_plant_is_found(after: RunResult) -> None:
    connection, deployment, journal = after.connection, after.deployment, after.journal
    await found(
        after, planted_faults.PROVIDER, lambda: compare_provider(connection), provider.QUERIES
    )
    await found(
        after, planted_faults.TABLES, lambda: compare_companies(connection), companies.QUERIES
    )
    await found(
        after, planted_faults.MESSAGES, lambda: compare_messages(connection), messages.QUERIES
    )
    whole = {**planted_faults.CLOUDS, **planted_faults.HEALTH_FILES}
    queries = {**clouds.QUERIES, **dict.fromkeys(planted_faults.HEALTH_FILES, "")}
    await found(after, whole, lambda: compare_clouds(deployment, connection, journal), queries)
    whole = {**planted_faults.STORED_FILES, **planted_faults.OBJECTS}
    queries = {**files.QUERIES, **dict.fromkeys(planted_faults.OBJECTS, "")}
    await found(after, whole, lambda: compare_stored(connection, after.files), queries)
    await found(
        after,
        planted_faults.REPLAY,
        lambda: compare_replay(connection, journal),
        planted_faults.REPLAY,
    )
    await found(
        after,
        planted_faults.ACTIVITY,
        lambda: compare_stream(connection, after.stream),
        planted_faults.ACTIVITY,
    )
    await found(after, planted_faults.NOT_IDLE, lambda: wait_until_idle(connection, 0), UNDER_WAY)


async def found(
    after: RunResult,
    planted: Mapping[str, str],
    compare: Callable[[], Awaitable[list[str]]],
    compared: Mapping[str, str],
) -> None:
    """Checks that nothing is found before, that each discrepancy is found by its name, and that
    every check has one."""
    assert planted.keys() == compared.keys()
    assert await compare() == []
    for name, statement in planted.items():
        undo = after.connection.transaction()
        await undo.start()
        await after.connection.execute(statement)
        findings = await compare()
        await undo.rollback()
        assert any(name in finding for finding in findings), f"{name}: {findings}"


async def answers_are_believed_by_nobody(after: RunResult) -> None:
    connection, journal = after.connection, after.journal
    operation = next(
        operation for operation in journal.operations if operation.kind == "rename member"
    )
    attempt = operation.attempts[-1]
    company = await connection.fetchval(
        "SELECT company_id FROM activity WHERE request_id = $1", attempt.request_id
    )
    record = "INSERT INTO activity (company_id, action, request_id) VALUES ($1, $2, $3)"
    undo = connection.transaction()

    await undo.start()
    await connection.execute(record, company, operation.action, attempt.request_id)
    assert "asked once, done 2 times" in (await compare_answers(connection, journal))[0]
    await undo.rollback()

    undo = connection.transaction()
    await undo.start()
    await connection.execute(record, company, operation.action, "fault-of-nobody")
    assert await compare_answers(connection, journal) == [
        "recorded, and nobody asked for it: fault-of-nobody"
    ]
    operation.attempts.append(Attempt("fault-of-nobody"))
    assert "done 2 times in" in (await compare_answers(connection, journal))[0]
    operation.attempts.pop()
    await undo.rollback()

    attempt.status, attempt.code = 409, "busy"
    assert "answered 409 busy, and done" in (await compare_answers(connection, journal))[0]
    attempt.status, attempt.code = 200, ""

    for repeats in (True, False):
        never = Operation(
            0, "nothing", "", "nothing.done", repeats, attempts=[Attempt("never", 200)]
        )
        journal.operations.append(never)
        assert "answered yes, and not done" in (await compare_answers(connection, journal))[0]
        journal.operations.pop()
    assert await compare_answers(connection, journal) == []


async def lies_of_the_stream_are_found(after: RunResult) -> None:
    """What a service would send that keeps records back, or tells something else than it knows."""
    stream = after.stream
    arrivals, folder = list(stream.receiver.arrivals), stream.files
    assert await compare_stream(after.connection, stream) == []
    for number, (name, lie) in enumerate(planted_lies.STREAM.items()):
        stream.receiver.arrivals = list(arrivals)
        stream.files = after.deployment.folder / f"files-{number}"
        shutil.copytree(folder, stream.files)
        lie(stream)
        findings = await compare_stream(after.connection, stream)
        assert any(name in finding for finding in findings), f"{name}: {findings}"
    stream.receiver.arrivals, stream.files = arrivals, folder


def a_changed_file_is_found(company: FileCompany) -> None:
    expected = company.leader.expected
    path = company.leader.known()[0]
    digests = expected[path]
    expected[path] = frozenset({"another"})
    findings = differences(company, fetched(company.leader))
    assert any(f"another content of 0/{path}" in finding for finding in findings)
    del expected[path]
    findings = differences(company, fetched(company.leader))
    assert any(f"nobody has put in 0/{path}" in finding for finding in findings)
    expected[path] = digests


async def an_entry_that_counts_is_found(company: FileCompany) -> None:
    company.hostile.senseless[1] = "genesis"
    findings = await compare_set_aside(company)
    assert any("genesis (entry 1) is not set aside" in finding for finding in findings)
    del company.hostile.senseless[1]


async def secrets_are_found(after: RunResult) -> None:
    connection, deployment, journal = after.connection, after.deployment, after.journal
    secret = next(
        operation.values["secret"]
        for operation in journal.operations[::-1]
        if "secret" in operation.values
    )
    undo = connection.transaction()
    await undo.start()
    await connection.execute("UPDATE companies SET name = $1", secret)
    findings = await look_for_secrets(deployment, connection, journal)
    await undo.rollback()
    assert any("in public.companies" in finding for finding in findings)
    with (deployment.folder / "service.log").open("a") as log:
        log.write(f"\n{secret}\n")
    findings = await look_for_secrets(deployment, connection, journal)
    assert any("in the log" in finding for finding in findings)
