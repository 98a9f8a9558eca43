"""Subscription workflows. Rounds over all companies use the platform role to find the companies
that are due, and then work inside each one."""

from datetime import timedelta

import structlog

from tessera.activity.service import record_system
from tessera.errors import TesseraError
from tessera.integrations.cards import card_provider
from tessera.kit import clock
from tessera.kit.database import Connection
from tessera.kit.workflows import current_resources, schedule, step, workflow
from tessera.subscription import queries
from tessera.subscription.errors import CardProviderUnavailable
from tessera.subscription.operations import run_operation
from tessera.subscription.sync import refresh

log = structlog.get_logger()


@workflow(queue="billing")
async def process_webhook(number: int) -> None:
    await process_event(number)


@step(attempts=10)
async def process_event(number: int) -> None:
    """Safe to repeat or to run out of order: it reads the same current objects."""
    resources = current_resources()
    async with resources.database.without_tenant() as connection:
        event = await queries.event(connection, number)
        if event is None or event.processed_at is not None:
            return
        company_id = await queries.company_for_customer(connection, event.customer_id)
    outcome = "not ours"
    if company_id is not None:
        await refresh(resources, company_id)
        outcome = "applied"
    async with resources.database.without_tenant() as connection:
        await queries.mark_event(connection, number, outcome)


async def close_account(connection: Connection, customer_id: str | None) -> None:
    """Call in the transaction that deletes a company: ends its subscription at the provider and
    deletes its cards there. Needs no row of the company."""
    if customer_id is None:
        return
    account_id = await queries.add_closed_account(connection, customer_id)
    if account_id is not None:
        await finish_closing.enqueue(connection, account_id, key=f"closed-account-{account_id}")


@workflow(queue="billing")
async def finish_closing(account_id: int) -> None:
    await delete_customer(account_id)


@step(attempts=10)
async def delete_customer(account_id: int) -> None:
    resources = current_resources()
    async with resources.database.without_tenant() as connection:
        customer_id = await queries.closed_account(connection, account_id)
    if customer_id is None:
        return
    await card_provider(resources.settings, resources.database).delete_customer(
        key=f"closed-{customer_id}", customer_id=customer_id
    )
    async with resources.database.without_tenant() as connection:
        await queries.mark_closed(connection, account_id)


@workflow(queue="billing")
async def finish_operation(company_id: int, operation_id: int) -> None:
    try:
        await resume_operation(company_id, operation_id)
    except Exception:  # noqa: BLE001 - provider unreachable: give up, reconcile later
        await abandon(company_id, operation_id)


@step(attempts=10)
async def resume_operation(company_id: int, operation_id: int) -> None:
    try:
        await run_operation(current_resources(), company_id, operation_id)
    except CardProviderUnavailable:
        raise
    except TesseraError:
        # It ended with an error, but its caller is gone.
        return


@step()
async def abandon(company_id: int, operation_id: int) -> None:
    resources = current_resources()
    log.error("card operation abandoned", operation_id=operation_id)
    async with resources.database.tenant(company_id) as connection:
        await queries.finish_operation(
            connection, operation_id, "failed", CardProviderUnavailable.code
        )
        await reconcile_company.enqueue(
            connection, company_id, key=f"after-operation-{operation_id}", after=600
        )


@schedule("7 * * * *")
async def hourly_round(*_: object) -> None:
    await enqueue_reviews()


@workflow(queue="billing")
async def run_round() -> None:
    await enqueue_reviews()


async def begin_round(connection: Connection, name: str) -> None:
    await run_round.enqueue(connection, key=f"round-{name}")


@step()
async def enqueue_reviews() -> None:
    resources = current_resources()
    async with resources.database.platform.transaction() as connection:
        notice = timedelta(days=max(resources.settings.trial_notice_days, default=0))
        due = await queries.due_companies(connection, notice)
        await queries.mark_lapsed(connection)
    stamp = f"{clock.now():%Y%m%d%H%M%S}"
    for company_id in due:
        async with resources.database.tenant(company_id) as connection:
            await review_company.enqueue(connection, company_id, key=f"review-{company_id}-{stamp}")


@workflow(queue="billing")
async def review_company(company_id: int) -> None:
    await review_now(company_id)


@step(attempts=10)
async def review_now(company_id: int) -> None:
    """Syncs first, so that no company is closed for a debt paid a minute ago."""
    await refresh(current_resources(), company_id)


@schedule("23 3 * * *")
async def nightly_reconciliation(*_: object) -> None:
    await enqueue_reconciliations()


@step()
async def enqueue_reconciliations() -> None:
    resources = current_resources()
    async with resources.database.platform.transaction() as connection:
        await queries.purge_expired_events(connection)
        known = await queries.companies_with_customer(connection)
    async with resources.database.without_tenant() as connection:
        await reconcile_company.enqueue_daily(connection, "reconcile", known)


@workflow(queue="billing")
async def reconcile_company(company_id: int) -> None:
    await repair(company_id)


@step(attempts=10)
async def repair(company_id: int) -> None:
    """Corrects and records any difference; the webhooks have missed it."""
    resources = current_resources()
    changed = await refresh(resources, company_id)
    if changed:
        log.warning("subscription differed from the card provider", company_id=company_id,
                    columns=changed)  # fmt: skip
        async with resources.database.tenant(company_id) as connection:
            await record_system(
                connection, company_id, "subscription.repaired", details={"columns": changed}
            )
