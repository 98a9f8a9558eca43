"""Northwind's subscription: a trial on plan 5 with two cards, created through the payment sandbox
as in a sign-up, so that the provider and our tables agree."""

from tessera.integrations.cards import card_provider
from tessera.kit.workflows import Resources
from tessera.sandbox import demo, queries
from tessera.subscription import onboarding, plans

FIRST_CARD, SECOND_CARD = "tok_visa", "tok_mastercard"
KEY = "demo-northwind"


async def add_demo_subscription(resources: Resources) -> bool:
    """False if it already exists. If killed midway, the next start resumes it."""
    async with resources.database.platform.transaction() as connection:
        company = await queries.company_of(connection, demo.LEADER.email)
    if company is None or company.customer_id is not None:
        return False
    account = await onboarding.subscribe_company(
        resources,
        key=KEY,
        company_uuid=str(company.uuid),
        name=company.name,
        email=company.email,
        token=FIRST_CARD,
        plan_id=plans.BASIC,
    )
    provider = card_provider(resources.settings, resources.database)
    await provider.add_card(key=f"{KEY}-second", customer_id=account.customer_id, token=SECOND_CARD)
    account = await provider.account(account.customer_id)
    async with resources.database.tenant(company.id) as connection:
        await onboarding.store_account(connection, resources, company.id, account)
    return True
