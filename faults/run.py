"""One run: a house, people in it, trouble, and the audit once all is quiet."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from faults import load
from faults.audit import audit
from faults.between import open_door
from faults.house import House, open_house
from faults.journal import Journal
from faults.quiet import wait_until_quiet
from faults.trouble import Trouble
from tessera.kit.database import Connection


@dataclass
class Report:
    seed: int
    seconds: float
    deeds: Counter[str] = field(default_factory=Counter)
    answers: Counter[str] = field(default_factory=Counter)
    attempts: int = 0
    troubles: Counter[str] = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)


@dataclass
class Aftermath:
    """The house as it stands when all is over, and what was found."""

    house: House
    journal: Journal
    connection: Connection
    report: Report


@asynccontextmanager
async def after_trouble(
    seed: int, seconds: float, *, people: int = 6, clouds: bool = True, tour: bool = False
) -> AsyncIterator[Aftermath]:
    """With a `tour`, somebody does one of everything when the trouble is over."""
    async with open_door(seed) as (door, address), open_house(address) as house:
        door.house = house
        journal = Journal(house.folder / "journal.jsonl", seed)
        report = Report(seed, seconds)
        trouble = Trouble(house, door, seed)
        async with asyncio.TaskGroup() as group:
            working = group.create_task(load.work(house, journal, seed, people, seconds))
            group.create_task(trouble.make(seconds, clouds=clouds))
        report.troubles = trouble.counts + door.faults
        report.findings += working.result()
        if tour:
            report.findings += await load.tour(house, journal, seed)
        connection = await house.connect()
        try:
            report.findings += await wait_until_quiet(connection)
            report.findings += await audit(house, journal, connection)
            _count(journal, report)
            yield Aftermath(house, journal, connection, report)
        finally:
            await connection.close()
            journal.close()
            house.kept = bool(report.findings)


def _count(journal: Journal, report: Report) -> None:
    for deed in journal.deeds:
        report.deeds[deed.kind] += 1
        report.answers[deed.answer] += 1
        report.attempts += len(deed.attempts)


async def run(seed: int, seconds: float) -> Report:
    async with after_trouble(seed, seconds) as aftermath:
        report = aftermath.report
        if report.findings:
            place = aftermath.house.folder
            report.findings.append(f"the journal, the log and the database are kept in {place}")
    return report
