"""One run: a house, people in it, trouble, and the audit once all is quiet."""

import asyncio
import random
from collections import Counter
from dataclasses import dataclass, field

from faults import load
from faults.audit import audit
from faults.between import open_door
from faults.house import open_house
from faults.journal import Journal
from faults.quiet import wait_until_quiet
from faults.trouble import Trouble


@dataclass
class Report:
    seed: int
    seconds: float
    deeds: Counter[str] = field(default_factory=Counter)
    answers: Counter[str] = field(default_factory=Counter)
    attempts: int = 0
    troubles: Counter[str] = field(default_factory=Counter)
    facts: dict[str, int] = field(default_factory=dict)
    findings: list[str] = field(default_factory=list)


async def run(seed: int, seconds: float, *, people: int = 6, clouds: bool = True) -> Report:
    report = Report(seed, seconds)
    async with open_door(seed) as (door, address), open_house(address) as house:
        door.house = house
        journal = Journal(house.folder / "journal.jsonl", seed)
        trouble = Trouble(house, door, random.Random(seed))
        async with asyncio.TaskGroup() as group:
            working = group.create_task(load.work(house, journal, seed, people, seconds))
            group.create_task(trouble.make(seconds, clouds=clouds))
        report.findings += working.result()
        connection = await house.connect()
        try:
            report.findings += await wait_until_quiet(connection)
            report.findings += await audit(house, journal, connection)
        finally:
            await connection.close()
            journal.close()
        if report.findings:
            house.kept = True
            report.findings.append(f"the journal, the log and the database are in {house.folder}")
        report.troubles = trouble.counts + door.faults
    for deed in journal.deeds:
        report.deeds[deed.kind] += 1
        report.answers[deed.answer] += 1
        report.attempts += len(deed.attempts)
    return report
