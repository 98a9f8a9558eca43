"""Subscriptions created through the payment sandbox as in a sign-up, so that the provider and our
tables agree."""

from uuid import UUID

from tessera.integrations.cards import card_provider
from tessera.kit.workflows import Resources
from tessera.sandbox import demo, queries
from tessera.subscription import plans
from tessera.subscription.sync import store_account

CARDS = ("tok_visa", "tok_mastercard")


async def add_demo_subscription(resources: Resources) -> bool:
    """Gives Northwind a trial with two cards. False if it already has one; if killed midway, the
    next start resumes it."""
    async with resources.database.platform.transaction() as connection:
        company = await queries.company_of(connection, demo.LEADER.email)
    if company is None or company.customer_id is not None:
        return False
    await start_trial(
        resources,
        company.id,
        key="demo-northwind",
        company_uuid=company.uuid,
        name=company.name,
        email=company.email,
        cards=CARDS,
    )
    return True


async def start_trial(
    resources: Resources,
    company_id: int,
    *,
    key: str,
    company_uuid: UUID,
    name: str,
    email: str,
    cards: tuple[str, ...],
) -> None:
    """Subscribes the company to the basic plan; the first card is the default one. Repeating with
    the same key has no further effect."""
    provider = card_provider(resources.settings, resources.database)
    plan = plans.plan_for_sale(resources.settings, plans.BASIC)
    customer_id = await provider.create_customer(
        key=f"{key}-customer", company_uuid=str(company_uuid), name=name, email=email
    )
    default, *others = cards
    card_id = await provider.add_card(key=f"{key}-card", customer_id=customer_id, token=default)
    await provider.set_default_card(key=f"{key}-default", customer_id=customer_id, card_id=card_id)
    await provider.subscribe(
        key=f"{key}-subscribe",
        customer_id=customer_id,
        price_id=await provider.ensure_price(plan.price),
        trial_days=plan.trial_days,
    )
    for token in others:
        await provider.add_card(key=f"{key}-{token}", customer_id=customer_id, token=token)
    account = await provider.account(customer_id)
    async with resources.database.tenant(company_id) as connection:
        await store_account(connection, resources, company_id, account)
