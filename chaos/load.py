"""Generates load: several people at once, each with their own company, then with the next."""

import asyncio
import random
from collections.abc import Awaitable, Callable

from chaos import account, billing_actions, team, warehouse_actions
from chaos.company_client import CompanyClient, sign_up
from chaos.journal import Journal
from chaos.person import Person, Refused, Unanswered
from chaos.platform_admin import delete_company

# Operations by weight.
OPERATIONS: dict[Callable[[CompanyClient], Awaitable[None]], int] = {
    account.log_in: 2,
    account.log_out: 1,
    account.change_password: 2,
    account.reset_password: 2,
    account.change_passphrase: 2,
    account.use_authenticator: 1,
    team.invite: 4,
    team.cancel_invite: 2,
    team.accept_invite: 4,
    team.rename_member: 2,
    team.switch_member: 2,
    team.remove_member: 1,
    team.transfer_leadership: 2,
    billing_actions.add_card: 3,
    billing_actions.change_card: 3,
    billing_actions.change_subscription: 5,
    warehouse_actions.change_warehouses: 8,
}
A_COMPANY = 20
DELETED_SHARE = 0.3


async def work(
    admin: CompanyClient, journal: Journal, seed: int, people: int, is_over: Callable[[], bool]
) -> list[str]:
    """Returns the unexpected refusals."""
    surprises: list[str] = []
    deployment, http = admin.person.deployment, admin.person.http
    async with asyncio.TaskGroup() as group:
        for number in range(people):
            person = Person(deployment, journal, http, random.Random(f"{seed}-{number}"))
            group.create_task(_one(person, admin, is_over, surprises))
    return surprises


async def tour(admin: CompanyClient, journal: Journal, seed: int) -> list[str]:
    """Performs every operation once, one after the other."""
    surprises: list[str] = []
    dice = random.Random(f"{seed}-tour")
    person = Person(admin.person.deployment, journal, admin.person.http, dice)
    try:
        await delete_company(admin, await sign_up(person))
        client = await sign_up(person)
        for operation in (
            *OPERATIONS,
            team.invite,
            team.accept_invite,
            team.rename_member,
            team.transfer_leadership,
            team.invite,
            billing_actions.add_good_card,
            warehouse_actions.add,
            warehouse_actions.edit_one,
        ):
            await operation(client)
    except (Refused, Unanswered) as error:
        surprises.append(f"refused, or not answered, without trouble: {error!r}")
    return surprises


async def _one(
    person: Person, admin: CompanyClient, is_over: Callable[[], bool], surprises: list[str]
) -> None:  # fmt: skip
    while not is_over():
        try:
            client = await sign_up(person)
            for operation in person.dice.choices(
                list(OPERATIONS), list(OPERATIONS.values()), k=A_COMPANY
            ):
                if not is_over():
                    await _do(client, operation)
            if person.dice.random() < DELETED_SHARE:
                await delete_company(admin, client)
        except Unanswered:
            # With an unknown outcome, the results of later operations could not be judged.
            continue
        except Refused as refusal:
            surprises.append(f"refused without a reason: {refusal}")


async def _do(client: CompanyClient, operation: Callable[[CompanyClient], Awaitable[None]]) -> None:
    try:
        await operation(client)
    except Refused as refusal:
        if refusal.code != "subscription_required":
            raise
        await billing_actions.pay(client)
