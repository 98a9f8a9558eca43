"""What the people of a company do with files while faults are injected."""

import asyncio
from collections.abc import Awaitable, Callable

from chaos.computer import ProgramError
from chaos.file_company import FORMS, UNPAID, FileCompany
from chaos.file_user import FileUser, WrongContent
from chaos.person import Refused, Unanswered

# By weight.
ACTIONS: dict[Callable[[FileUser], Awaitable[None]], int] = {
    FileUser.put: 5,
    FileUser.put_many: 1,
    FileUser.back_up: 2,
    FileUser.get: 4,
    FileUser.move: 2,
    FileUser.remove: 1,
}
LEADING_SHARE = 0.2


async def work(
    company: FileCompany,
    is_over: Callable[[], bool],
    *,
    replacing: bool = False,
    attacked: bool = True,
    leading: bool = True,
) -> list[str]:
    """Returns what must not happen, whatever the faults. With `replacing`, warehouses are replaced
    meanwhile; with `leading`, so are keys, passphrases and recovery kits."""
    findings: list[str] = []
    for user in company.users:
        user.computer.may_be_killed = True
    async with asyncio.TaskGroup() as group:
        for user in company.users:
            leads = leading and user is company.leader
            group.create_task(_one(company, user, is_over, findings, leads=leads))
        if attacked:
            group.create_task(_attack(company, is_over))
        if replacing:
            group.create_task(_replace(company, is_over, findings))
    for user in company.users:
        user.computer.may_be_killed = False
    return findings + company.hostile.findings


async def finish(company: FileCompany) -> list[str]:
    """Without faults: one more of everything, the removal of the hostile member, and all of it in
    the clouds' copies of the log. Now nothing may be left unfinished."""
    findings: list[str] = []
    await _do(company, company.wait_until_paid(), findings, is_calm=True)
    if len(company.clouds) > len(FORMS):
        await _do(company, company.replace_warehouse(), findings, is_calm=True)
    hostile = company.hostile
    # Somebody's access may have been revoked when the faults ended.
    for member in (company.members[-1], hostile.user):
        await _do(company, company.renew_access(member), findings, is_calm=True)
    hostile.findings.clear()
    await hostile.do_all()
    await _do(company, company.revoke(hostile.user), findings, is_calm=True)
    await hostile.try_after_removal()
    findings += hostile.findings
    await _do(company, company.set_aside(), findings, is_calm=True)
    await asyncio.gather(*(_put_and_get(company, user, findings) for user in company.users))
    await _do(company, company.make_kit(), findings, is_calm=True)
    return findings


async def _put_and_get(company: FileCompany, user: FileUser, findings: list[str]) -> None:
    for action in (FileUser.put, FileUser.get):
        await _do(company, action(user), findings, is_calm=True)


async def _one(
    company: FileCompany,
    user: FileUser,
    is_over: Callable[[], bool],
    findings: list[str],
    *,
    leads: bool,
) -> None:
    dice = user.computer.person.dice
    action: Awaitable[None]
    while not is_over():
        if leads and dice.random() < LEADING_SHARE:
            action = dice.choice(LEADING)(company)
        else:
            action = dice.choices(list(ACTIONS), list(ACTIONS.values()))[0](user)
        async with user.is_acting:
            await _do(company, action, findings)


async def _replace(company: FileCompany, is_over: Callable[[], bool], findings: list[str]) -> None:
    while not is_over():
        await _do(company, company.replace_warehouse(), findings)


async def _attack(company: FileCompany, is_over: Callable[[], bool]) -> None:
    while not is_over():
        await company.hostile.act()


async def _renew_access(company: FileCompany) -> None:
    await company.renew_access(company.members[-1])


async def _renew_hostile(company: FileCompany) -> None:
    async with company.hostile.user.is_acting:
        await company.renew_access(company.hostile.user)


LEADING = (_renew_access, _renew_hostile, FileCompany.change_passphrase, FileCompany.set_aside)


async def _do(
    company: FileCompany, action: Awaitable[None], findings: list[str], *, is_calm: bool = False
) -> None:
    try:
        await action
    except Unanswered as error:
        company.counts["actions with files that did not finish"] += 1
        if is_calm:
            findings.append(f"files: did not finish although nothing failed: {error!r}")
    except Refused as error:
        # A month has passed, and the card provider's message about it is late.
        if is_calm or error.code != UNPAID:
            findings.append(f"files: {error!r}")
        company.counts["actions with files that did not finish"] += 1
        await asyncio.sleep(1)
    except (ProgramError, WrongContent) as error:
        findings.append(f"files: {error!r}")
    else:
        company.counts["actions with files"] += 1
