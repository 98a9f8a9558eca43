"""Ends the subscription of a company closed for debt, so that it is no longer billed."""

from tessera.integrations.cards import card_provider
from tessera.kit.workflows import current_resources, step, workflow
from tessera.subscription import queries


@workflow(queue="billing")
async def end_for_debt(company_id: int) -> None:
    await end_subscription(company_id)


@step()
async def end_subscription(company_id: int) -> None:
    """The provider reports the end by webhook, like any other."""
    resources = current_resources()
    async with resources.database.tenant(company_id) as connection:
        row = await queries.overview(connection)
    if row["subscription_id"] is None or row["deactivated_for_debt_at"] is None:
        return
    await card_provider(resources.settings, resources.database).end_subscription(
        key=f"debt-{row['subscription_id']}", subscription_id=row["subscription_id"]
    )
