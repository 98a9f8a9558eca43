"""Runs one operation at the card provider, from the request that asked for it or, if that was
interrupted by a crash, from a workflow."""

import structlog

from tessera.activity import queries as activity_queries
from tessera.errors import TesseraError
from tessera.integrations.cards import card_provider
from tessera.integrations.cards.errors import CardProviderError, Unreachable
from tessera.integrations.cards.protocol import Account
from tessera.kit.database import Connection
from tessera.kit.workflows import Resources
from tessera.subscription.dunning import mail_billing
from tessera.subscription.errors import CardProviderUnavailable, to_api_error
from tessera.subscription.operations import queries
from tessera.subscription.operations.actions import ACTIONS, OperationContext
from tessera.subscription.operations.queries import Operation
from tessera.subscription.queries import dunning_state
from tessera.subscription.sync import Snapshot, fetch_snapshot, store_snapshot

log = structlog.get_logger()


async def run_operation(resources: Resources, company_id: int, operation_id: int) -> None:
    """Runs the operation and raises its error. It stays pending while the provider is unreachable;
    any other outcome ends it."""
    while not await _run_once(resources, company_id, operation_id):
        log.info("operation was run by two processes at once", operation_id=operation_id)


async def _run_once(resources: Resources, company_id: int, operation_id: int) -> bool:
    """False if it has to run again."""
    async with resources.database.tenant(company_id) as connection:
        stored = await queries.find(connection, operation_id)
    if stored is None or stored.state != "pending":
        return True
    operation = OperationContext(
        resources=resources,
        provider=card_provider(resources.settings, resources.database),
        company_id=company_id,
        operation_id=operation_id,
        data=stored.data,
        account=Account(""),
        token=_open_token(resources, operation_id, stored.sealed_token),
    )
    try:
        before = await fetch_snapshot(resources, company_id)
        if before is not None:
            operation.account = before.account
        await ACTIONS[stored.kind](operation)
        snapshot = await fetch_snapshot(resources, company_id)
    except Unreachable as error:
        raise CardProviderUnavailable from error
    except (CardProviderError, TesseraError) as error:
        failure = to_api_error(error) if isinstance(error, CardProviderError) else error
        if not await _end(operation, "failed", error_code=failure.code):
            return False
        raise failure from error
    return await _end(operation, "done", snapshot=snapshot)


async def _end(
    operation: OperationContext,
    state: str,
    *,
    error_code: str | None = None,
    snapshot: Snapshot | None = None,
) -> bool:
    """Stores, in one transaction, the provider's current state, the operation's end, the activity
    record and the mail. False if another process began the operation after this one read it: what
    looked like nothing to do, or like a failure, is then the other's unfinished work."""
    resources, company_id = operation.resources, operation.company_id
    async with resources.database.tenant(company_id) as connection:
        if snapshot is not None:
            await store_snapshot(connection, resources, company_id, snapshot)
        stored = await queries.lock(connection, operation.operation_id)
        if stored is None or stored.state != "pending":
            return True
        if stored.data.begun and not operation.data.begun:
            return False
        await queries.finish(connection, operation.operation_id, state, error_code)
        if state == "done" and operation.action is not None:
            await _record(connection, operation, stored)
            await _mail_cancellation(connection, operation)
        return True


async def _mail_cancellation(connection: Connection, operation: OperationContext) -> None:
    if operation.action == "subscription.cancelAsked":
        state = await dunning_state(connection, operation.company_id)
        assert state is not None
        await mail_billing(connection, operation.resources, "subscriptionCancelled", state)


async def _record(connection: Connection, operation: OperationContext, stored: Operation) -> None:
    await activity_queries.add(
        connection,
        company_id=operation.company_id,
        actor_uuid=stored.actor_uuid,
        actor_name=stored.actor_name,
        action=operation.action or "",
        details=operation.details,
        origin=stored.origin,
        request_id=stored.request_id,
    )


def seal_token(resources: Resources, operation_id: int, token: str) -> bytes:
    return resources.keys.seal("card-operations", token.encode(), f"operation|{operation_id}")


def _open_token(resources: Resources, operation_id: int, sealed: bytes | None) -> str | None:
    if sealed is None:
        return None
    return resources.keys.open("card-operations", sealed, f"operation|{operation_id}").decode()
