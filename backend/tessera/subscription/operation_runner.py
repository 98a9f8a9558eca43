"""Runs one operation at the card provider, from the request that asked for it or, if that was
interrupted by a crash, from a workflow."""

import asyncpg
import structlog

from tessera.activity import queries as activity_queries
from tessera.errors import TesseraError
from tessera.integrations.cards import card_provider
from tessera.integrations.cards.errors import (
    AuthenticationNeeded,
    CardProviderError,
    Declined,
    NotThere,
    Refused,
    Unreachable,
)
from tessera.integrations.cards.protocol import Account
from tessera.kit.database import Connection
from tessera.kit.workflows import Resources
from tessera.subscription import dunning_queries, operation_queries
from tessera.subscription.dunning import post
from tessera.subscription.errors import (
    CardDeclined,
    CardNeedsAuthentication,
    CardProviderUnavailable,
    CardTokenInvalid,
)
from tessera.subscription.operations import OPERATIONS, OperationContext, read_input
from tessera.subscription.sync import Look, look, write_down

log = structlog.get_logger()
Row = asyncpg.Record


async def carry_out(resources: Resources, company_id: int, operation_id: int) -> None:
    """Runs the operation and raises its error. It stays pending while the provider is unreachable;
    any other outcome ends it."""
    while not await _carry_out(resources, company_id, operation_id):
        log.info("operation carried on by two at once", operation_id=operation_id)


async def _carry_out(resources: Resources, company_id: int, operation_id: int) -> bool:
    """False if it has to run again."""
    async with resources.database.tenant(company_id) as connection:
        row = await operation_queries.find(connection, operation_id)
    if row is None or row["state"] != "pending":
        return True
    work = OperationContext(
        resources=resources,
        provider=card_provider(resources.settings, resources.database),
        company_id=company_id,
        operation_id=operation_id,
        data=read_input(row["input"]),
        account=Account(""),
        token=_open_token(resources, operation_id, row["sealed_token"]),
    )
    try:
        before = await look(resources, company_id)
        if before is not None:
            work.account = before.account
        await OPERATIONS[row["kind"]](work)
        seen = await look(resources, company_id)
    except Unreachable as error:
        raise CardProviderUnavailable from error
    except (CardProviderError, TesseraError) as error:
        failure = to_api_error(error) if isinstance(error, CardProviderError) else error
        if not await _end(work, "failed", error_code=failure.code):
            return False
        raise failure from error
    return await _end(work, "done", seen=seen)


async def _end(
    work: OperationContext, state: str, *, error_code: str | None = None, seen: Look | None = None
) -> bool:
    """Stores, in one transaction, the provider's current state, the operation's end, the activity
    record and the mail. False if another process began the operation after this one read it: what
    looked like nothing to do, or like a failure, is then the other's unfinished work."""
    resources, company_id = work.resources, work.company_id
    async with resources.database.tenant(company_id) as connection:
        if seen is not None:
            await write_down(connection, resources, company_id, seen)
        row = await operation_queries.lock(connection, work.operation_id)
        if row is None or row["state"] != "pending":
            return True
        if read_input(row["input"]).get("begun") and not work.data.get("begun"):
            return False
        await operation_queries.finish(connection, work.operation_id, state, error_code)
        if state == "done" and work.action is not None:
            await _record(connection, work, row)
            await _tell(connection, work)
        return True


async def _tell(connection: Connection, work: OperationContext) -> None:
    if work.action == "subscription.cancelAsked":
        row = await dunning_queries.subscription(connection, work.company_id)
        assert row is not None
        await post(connection, work.resources, work.company_id, "subscriptionCancelled", row)


async def _record(connection: Connection, work: OperationContext, row: Row) -> None:
    await activity_queries.add(
        connection,
        company_id=work.company_id,
        actor_uuid=row["actor_uuid"],
        actor_name=row["actor_name"],
        action=work.action or "",
        details=work.details,
        origin=row["origin"],
        request_id=row["request_id"],
    )


def seal_token(resources: Resources, operation_id: int, token: str) -> bytes:
    return resources.keys.seal("card-operations", token.encode(), f"operation|{operation_id}")


def _open_token(resources: Resources, operation_id: int, sealed: bytes | None) -> str | None:
    if sealed is None:
        return None
    return resources.keys.open("card-operations", sealed, f"operation|{operation_id}").decode()


def to_api_error(error: CardProviderError) -> TesseraError:
    if isinstance(error, Declined):
        return CardDeclined(
            reason=error.reason,
            extra={"reason": error.reason, "declineCode": error.decline_code},
        )
    if isinstance(error, AuthenticationNeeded):
        return CardNeedsAuthentication(extra={"clientSecret": error.client_secret})
    if isinstance(error, NotThere):
        return CardTokenInvalid()
    if isinstance(error, Refused):
        log.error("the card provider refused a request", why=str(error))
    return CardProviderUnavailable()
