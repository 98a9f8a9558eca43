"""Sets a new company up at the card provider, and stores what the provider knows of it."""

from tessera.integrations.cards import card_provider
from tessera.integrations.cards.errors import CardProviderError
from tessera.integrations.cards.protocol import Account
from tessera.kit.database import Connection
from tessera.kit.workflows import Resources
from tessera.subscription import plans, queries, sync_queries
from tessera.subscription.operations.runner import to_api_error
from tessera.subscription.sync import Snapshot, store_snapshot


async def subscribe_company(
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
            price_id=await provider.ensure_price(plan.price),
            trial_days=plan.trial_days,
        )
        return await provider.account(customer_id)
    except CardProviderError as error:
        raise to_api_error(error) from error


async def store_account(
    connection: Connection, resources: Resources, company_id: int, account: Account
) -> None:
    """Call in the transaction that creates the company, with the company entered."""
    await queries.set_customer(connection, company_id, account.customer_id)
    number = await sync_queries.begin(connection, company_id)
    await store_snapshot(connection, resources, company_id, Snapshot(number, account))
    subscription = account.subscription
    if subscription is not None and subscription.plan_id != plans.BASIC:
        await queries.set_warehouse_view(connection, company_id, True)
