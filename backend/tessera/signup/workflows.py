"""Making a company, step by step. What each step did is written into the registration's row, and
every write at the card provider carries a key of the registration: run again after a crash, a
step does nothing twice. It ends with everything there, or with nothing."""

import structlog

from tessera.errors import TesseraError
from tessera.integrations.cards import card_provider
from tessera.integrations.cards.errors import CardProviderError, Refused, Unreachable
from tessera.kit.workflows import Resources, resources, schedule, step, workflow
from tessera.signup import founding, registration_queries, ticket_queries
from tessera.signup.contents import Contents, open_contents
from tessera.subscription.carrying import understood
from tessera.subscription.deeds import price_of
from tessera.subscription.errors import CardProviderUnavailable
from tessera.subscription.plans import plan_for_sale

log = structlog.get_logger()


@workflow(queue="registrations", concurrency=16)
async def register_company(registration_id: int) -> None:
    try:
        for part in (open_customer, add_card, subscribe, found_company):
            if not await part(registration_id):
                await withdraw(registration_id)
                return
    except Exception:  # noqa: BLE001 - the provider stayed away: nothing is to be left behind
        await give_registration_up(registration_id)
        await withdraw(registration_id)


@step(attempts=6)
async def open_customer(registration_id: int) -> bool:
    house = resources()
    async with house.database.before_tenant() as connection:
        row = await registration_queries.find(connection, registration_id)
    if row is None or row["state"] != "pending":
        return True
    contents = open_contents(house.keys, registration_id, row["sealed"])
    try:
        customer_id = await card_provider(house.settings, house.database).create_customer(
            key=_key(registration_id, "customer"),
            company_uuid=str(row["company_uuid"]),
            name=contents.company_name,
            email=contents.billing_email,
        )
    except CardProviderError as error:
        return await _failed(house, registration_id, error)
    async with house.database.before_tenant() as connection:
        await registration_queries.note_customer(connection, registration_id, customer_id)
    return True


@step(attempts=6)
async def add_card(registration_id: int) -> bool:
    house = resources()
    found = await _pending(house, registration_id)
    if found is None:
        return True
    contents, customer_id = found
    provider = card_provider(house.settings, house.database)
    try:
        card_id = await provider.add_card(
            key=_key(registration_id, "card"), customer_id=customer_id, token=contents.card_token
        )
        await provider.set_default_card(
            key=_key(registration_id, "default"), customer_id=customer_id, card_id=card_id
        )
    except CardProviderError as error:
        return await _failed(house, registration_id, error)
    async with house.database.before_tenant() as connection:
        await registration_queries.note_card(connection, registration_id, card_id)
    return True


@step(attempts=6)
async def subscribe(registration_id: int) -> bool:
    house = resources()
    found = await _pending(house, registration_id)
    if found is None:
        return True
    contents, customer_id = found
    provider = card_provider(house.settings, house.database)
    try:
        plan = plan_for_sale(house.settings, contents.plan_id)
        subscription_id = await provider.subscribe(
            key=_key(registration_id, "subscribe"),
            customer_id=customer_id,
            price_id=await provider.ensure_price(price_of(plan)),
            trial_days=plan.trial_days,
        )
    except (CardProviderError, TesseraError) as error:
        return await _failed(house, registration_id, error)
    async with house.database.before_tenant() as connection:
        await registration_queries.note_subscription(connection, registration_id, subscription_id)
    return True


@step(attempts=6)
async def found_company(registration_id: int) -> bool:
    """Looks at the provider first; then one transaction makes everything that is ours."""
    house = resources()
    found = await _pending(house, registration_id)
    if found is None:
        return True
    contents, customer_id = found
    try:
        account = await card_provider(house.settings, house.database).account(customer_id)
        await founding.found(house, registration_id, contents, account)
    except (CardProviderError, TesseraError) as error:
        return await _failed(house, registration_id, error)
    return True


@step()
async def give_registration_up(registration_id: int) -> None:
    log.error("registration given up", registration_id=registration_id)
    async with resources().database.before_tenant() as connection:
        await registration_queries.note_error(
            connection, registration_id, CardProviderUnavailable.code, {}
        )


@step(attempts=12)
async def withdraw(registration_id: int) -> None:
    """The customer goes, with card and subscription; then the caller is told. What a lost answer
    hid is found by asking for the customer again, with the same key."""
    house = resources()
    async with house.database.before_tenant() as connection:
        row = await registration_queries.find(connection, registration_id)
    if row is None or row["state"] != "pending":
        return
    provider = card_provider(house.settings, house.database)
    customer_id = row["customer_id"]
    if customer_id is None and row["error_code"] == CardProviderUnavailable.code:
        contents = open_contents(house.keys, registration_id, row["sealed"])
        try:
            customer_id = await provider.create_customer(
                key=_key(registration_id, "customer"),
                company_uuid=str(row["company_uuid"]),
                name=contents.company_name,
                email=contents.billing_email,
            )
        except Refused:
            customer_id = None
    if customer_id is not None:
        await provider.delete_customer(
            key=_key(registration_id, "withdraw"), customer_id=customer_id
        )
    async with house.database.before_tenant() as connection:
        await registration_queries.fail(connection, registration_id)


async def _pending(house: Resources, registration_id: int) -> tuple[Contents, str] | None:
    """None when it has ended: a repeated step finds its work done."""
    async with house.database.before_tenant() as connection:
        row = await registration_queries.find(connection, registration_id)
    if row is None or row["state"] != "pending":
        return None
    return open_contents(house.keys, registration_id, row["sealed"]), row["customer_id"]


async def _failed(
    house: Resources, registration_id: int, error: CardProviderError | TesseraError
) -> bool:
    """Says no, and why. While the provider cannot be reached the step is tried again instead."""
    if isinstance(error, Unreachable):
        raise error
    failure = understood(error) if isinstance(error, CardProviderError) else error
    # The bank's questions belong to a customer who is about to go.
    details = {name: value for name, value in failure.extra.items() if name != "clientSecret"}
    async with house.database.before_tenant() as connection:
        await registration_queries.note_error(connection, registration_id, failure.code, details)
    return False


def _key(registration_id: int, part: str) -> str:
    return f"registration-{registration_id}-{part}"


@schedule("41 * * * *")
async def sweep_signups(*_: object) -> None:
    await forget_old_tickets()


@step()
async def forget_old_tickets() -> None:
    async with resources().database.before_tenant() as connection:
        await ticket_queries.forget_old(connection)
