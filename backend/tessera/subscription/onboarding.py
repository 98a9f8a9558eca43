"""Sets a new company up at the card provider: customer, card, subscription. Used by sign-up, which
creates the company itself, and by demo data."""

from tessera.errors import TesseraError
from tessera.integrations.cards import card_provider
from tessera.integrations.cards.errors import CardProviderError
from tessera.integrations.cards.protocol import Account
from tessera.kit.database import Connection
from tessera.kit.workflows import Resources
from tessera.subscription import plans, queries, sync_queries
from tessera.subscription.operation_runner import to_api_error
from tessera.subscription.operations import price_of
from tessera.subscription.sync import Look, write_down

__all__ = ["adopt", "enrol", "withdraw"]


async def enrol(
    resources: Resources,
    *,
    key: str,
    company_uuid: str,
    name: str,
    email: str,
    token: str,
    plan_id: int,
) -> Account:
    """Call without an open transaction. Repeating with the same key has no further effect; a
    failure (PlanNotOnSale, CardDeclined, ...) leaves no subscription behind."""
    plan = plans.plan_for_sale(resources.settings, plan_id)
    provider = card_provider(resources.settings, resources.database)
    try:
        customer_id = await provider.create_customer(
            key=f"{key}-customer", company_uuid=company_uuid, name=name, email=email
        )
        card_id = await provider.add_card(key=f"{key}-card", customer_id=customer_id, token=token)
        await provider.set_default_card(
            key=f"{key}-default", customer_id=customer_id, card_id=card_id
        )
        await provider.subscribe(
            key=f"{key}-subscribe",
            customer_id=customer_id,
            price_id=await provider.ensure_price(price_of(plan)),
            trial_days=plan.trial_days,
        )
        return await provider.account(customer_id)
    except CardProviderError as error:
        raise _told(error) from error


async def adopt(
    connection: Connection, resources: Resources, company_id: int, account: Account
) -> None:
    """Call in the transaction that creates the company, with the company entered."""
    await queries.set_customer(connection, company_id, account.customer_id)
    number = await sync_queries.begin(connection, company_id)
    await write_down(connection, resources, company_id, Look(number, account))
    subscription = account.subscription
    if subscription is not None and subscription.plan_id != plans.BASIC:
        await queries.set_warehouse_view(connection, company_id, True)


async def withdraw(resources: Resources, *, key: str, customer_id: str) -> None:
    """Undoes the onboarding of a company that was not created after all."""
    try:
        await card_provider(resources.settings, resources.database).delete_customer(
            key=f"{key}-withdraw", customer_id=customer_id
        )
    except CardProviderError as error:
        raise _told(error) from error


def _told(error: CardProviderError) -> TesseraError:
    return to_api_error(error)
