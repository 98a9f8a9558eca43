"""Creates a company step by step. The result of each step is stored in the registration's row, and
every write at the card provider has an idempotency key, so a step that runs again after a crash
does nothing twice. In the end everything exists, or nothing."""

from dataclasses import dataclass, field

import structlog

from tessera.errors import TesseraError
from tessera.integrations.cards import card_provider
from tessera.integrations.cards.errors import CardProviderError, Refused, Unreachable
from tessera.kit import clock
from tessera.kit.workflows import Resources, current_resources, schedule, step, workflow
from tessera.signup import access_requests, queries
from tessera.signup.create_company import create_company
from tessera.signup.payload import Contents, open_contents
from tessera.signup.transactions import registration_transaction
from tessera.subscription.errors import CardProviderUnavailable, to_api_error
from tessera.subscription.plans import plan_for_sale

log = structlog.get_logger()


@workflow(queue="registrations", concurrency=16)
async def register_company(registration_id: int) -> None:
    try:
        for part in (open_customer, add_card, subscribe, create_company_rows):
            if not await part(registration_id):
                await withdraw(registration_id)
                return
    except Exception:  # noqa: BLE001 - the provider is unreachable: leave nothing behind
        await abandon_registration(registration_id)
        await withdraw(registration_id)


@workflow(queue="registrations", concurrency=16)
async def end_registration(registration_id: int) -> None:
    await abandon_registration(registration_id)
    await withdraw(registration_id)


@step(attempts=6)
async def open_customer(registration_id: int) -> bool:
    resources = current_resources()
    pending = await _begin(resources, registration_id)
    if pending is None or pending.row.customer_id is not None:
        return pending is not None
    try:
        customer_id = await _customer(resources, pending)
    except CardProviderError as error:
        return await _failed(resources, registration_id, error)
    async with registration_transaction(resources.database, registration_id) as connection:
        await queries.set_created(connection, registration_id, "customer_id", customer_id)
    return True


@step(attempts=6)
async def add_card(registration_id: int) -> bool:
    resources = current_resources()
    pending = await _begin(resources, registration_id)
    if pending is None or pending.row.customer_id is None:
        return False
    provider = card_provider(resources.settings, resources.database)
    try:
        card_id = await provider.add_card(
            key=_key(registration_id, "card"),
            customer_id=pending.row.customer_id,
            token=pending.contents.card_token,
        )
        await provider.set_default_card(
            key=_key(registration_id, "default"),
            customer_id=pending.row.customer_id,
            card_id=card_id,
        )
    except CardProviderError as error:
        return await _failed(resources, registration_id, error)
    async with registration_transaction(resources.database, registration_id) as connection:
        await queries.set_created(connection, registration_id, "card_id", card_id)
    return True


@step(attempts=6)
async def subscribe(registration_id: int) -> bool:
    resources = current_resources()
    pending = await _begin(resources, registration_id)
    if (
        pending is None
        or pending.row.customer_id is None
        or pending.row.subscription_id is not None
    ):
        return pending is not None
    provider = card_provider(resources.settings, resources.database)
    try:
        plan = plan_for_sale(resources.settings, pending.contents.plan_id)
        subscription_id = await provider.subscribe(
            key=_key(registration_id, "subscribe"),
            customer_id=pending.row.customer_id,
            price_id=await provider.ensure_price(plan.price),
            trial_days=plan.trial_days,
        )
    except (CardProviderError, TesseraError) as error:
        return await _failed(resources, registration_id, error)
    async with registration_transaction(resources.database, registration_id) as connection:
        await queries.set_created(connection, registration_id, "subscription_id", subscription_id)
    return True


@step(attempts=6)
async def create_company_rows(registration_id: int) -> bool:
    """Reads the account from the provider, then creates all our own data in one transaction."""
    resources = current_resources()
    pending = await _begin(resources, registration_id)
    if pending is None or pending.row.customer_id is None:
        return False
    try:
        account = await card_provider(resources.settings, resources.database).account(
            pending.row.customer_id
        )
        return await create_company(resources, registration_id, pending.contents, account)
    except (CardProviderError, TesseraError) as error:
        return await _failed(resources, registration_id, error)


@step()
async def abandon_registration(registration_id: int) -> None:
    log.error("registration abandoned", registration_id=registration_id)
    async with registration_transaction(
        current_resources().database, registration_id
    ) as connection:
        await queries.set_error(connection, registration_id, CardProviderUnavailable.code, {})


@step(attempts=12)
async def withdraw(registration_id: int) -> None:
    """Deletes the customer with card and subscription, then reports the failure. Once a failure is
    stored, the company is never created, so both cannot happen."""
    resources = current_resources()
    pending = await _begin(resources, registration_id, failed=True)
    if pending is None:
        return
    customer_id = pending.row.customer_id
    if customer_id is None and pending.row.error_code == CardProviderUnavailable.code:
        # The response may have been lost: the same key returns the same customer.
        try:
            customer_id = await _customer(resources, pending)
        except Refused:
            customer_id = None
    if customer_id is not None:
        await card_provider(resources.settings, resources.database).delete_customer(
            key=_key(registration_id, "withdraw"), customer_id=customer_id
        )
    async with registration_transaction(resources.database, registration_id) as connection:
        await queries.fail_registration(connection, registration_id)


@dataclass(frozen=True)
class _Pending:
    row: queries.Registration
    contents: Contents = field(repr=False)


async def _begin(
    resources: Resources, registration_id: int, *, failed: bool = False
) -> _Pending | None:
    """None if it has ended, or if it failed and must not continue."""
    async with registration_transaction(resources.database, registration_id) as connection:
        row = await queries.find_registration(connection, registration_id)
    if row is None or row.state != "pending" or (row.error_code is not None) != failed:
        return None
    return _Pending(row, open_contents(resources.keys, registration_id, row.sealed))


async def _customer(resources: Resources, pending: _Pending) -> str:
    return await card_provider(resources.settings, resources.database).create_customer(
        key=_key(pending.row.id, "customer"),
        company_uuid=str(pending.row.company_uuid),
        name=pending.contents.company_name,
        email=pending.contents.billing_email,
    )


async def _failed(
    resources: Resources, registration_id: int, error: CardProviderError | TesseraError
) -> bool:
    """Stores the reason and returns False. An unreachable provider raises, to retry the step."""
    if isinstance(error, Unreachable):
        raise error
    failure = to_api_error(error) if isinstance(error, CardProviderError) else error
    # The bank's questions belong to a customer that is about to be deleted.
    details = {name: value for name, value in failure.extra.items() if name != "clientSecret"}
    async with registration_transaction(resources.database, registration_id) as connection:
        await queries.set_error(connection, registration_id, failure.code, details)
    return False


def _key(registration_id: int, part: str) -> str:
    return f"registration-{registration_id}-{part}"


@schedule("41 * * * *")
async def sweep_signups() -> None:
    await end_lost_registrations()
    await purge_expired_tickets()
    await tell_admins_of_access_requests()


@step()
async def end_lost_registrations() -> None:
    """Retries registrations given up because the provider was unreachable for too long."""
    async with current_resources().database.without_tenant() as connection:
        for registration_id in await queries.lost_registrations(connection):
            await end_registration.enqueue(
                connection,
                registration_id,
                key=f"registration-{registration_id}-end-{clock.now():%Y%m%d%H}",
            )


@step()
async def purge_expired_tickets() -> None:
    async with current_resources().database.without_tenant() as connection:
        await queries.purge_expired_guests(connection)


@step()
async def tell_admins_of_access_requests() -> None:
    await access_requests.tell_admins(current_resources())
