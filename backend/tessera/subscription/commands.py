"""Card commands of a company's leader. Each company runs one operation at a time: a concurrent
second one waits for the first and then sees its result."""

import asyncio
import time

from tessera.authz.context import Identity
from tessera.errors import TesseraError
from tessera.integrations.cards import card_provider, publishable_key
from tessera.integrations.cards.errors import CardProviderError
from tessera.subscription import operation_queries, plans, service
from tessera.subscription.errors import (
    CardNeeded,
    CardProviderUnavailable,
    CardTokenInvalid,
    CardUnknown,
    DefaultCardCannotBeDeleted,
    LastCardNeededForRenewal,
    NoSubscription,
    PaymentUnderWay,
)
from tessera.subscription.operation_runner import carry_out, seal_token, to_api_error
from tessera.subscription.operations import ensure_customer
from tessera.subscription.schemas import PaymentRead, SetupIntentRead
from tessera.subscription.workflows import finish_operation

PATIENCE_SECONDS = 25.0
# Errors without details. The others carry details that only a new attempt can provide.
FAILURES: dict[str, type[TesseraError]] = {
    failure.code: failure
    for failure in (
        CardNeeded,
        CardTokenInvalid,
        CardUnknown,
        DefaultCardCannotBeDeleted,
        LastCardNeededForRenewal,
        NoSubscription,
    )
}


async def add_card(identity: Identity, token: str) -> PaymentRead:
    return await _perform(identity, "addCard", token=token)


async def choose_default_card(identity: Identity, card_id: str) -> PaymentRead:
    return await _perform(identity, "chooseDefaultCard", cardId=card_id)


async def delete_card(identity: Identity, card_id: str) -> PaymentRead:
    return await _perform(identity, "deleteCard", cardId=card_id)


async def set_auto_renew(identity: Identity, enabled: bool | None) -> PaymentRead:
    return await _perform(identity, "setAutoRenew", enabled=enabled)


async def cancel(identity: Identity, reason: str) -> PaymentRead:
    return await _perform(identity, "cancel", reason=reason)


async def reactivate(identity: Identity, amount: int | None) -> PaymentRead:
    return await _perform(identity, "reactivate", amount=amount)


async def switch_plan(identity: Identity, plan_id: int) -> PaymentRead:
    plans.plan_for_sale(identity.context.settings, plan_id)
    return await _perform(identity, "switchPlan", planId=plan_id)


async def setup_intent(identity: Identity) -> SetupIntentRead:
    """Returns what the card form needs to set up a card, including the bank's own questions."""
    resources = identity.context.resources
    provider = card_provider(resources.settings, resources.database)
    try:
        customer_id = await ensure_customer(resources, provider, identity.current_user.company_id)
        intent = await provider.new_setup_intent(
            key=f"setup-{identity.current_user.session_id}-{identity.context.request_id}",
            customer_id=customer_id,
        )
    except CardProviderError as error:
        raise to_api_error(error) from error
    return SetupIntentRead(
        id=intent.id,
        client_secret=intent.client_secret,
        publishable_key=publishable_key(resources.settings),
    )


async def _perform(
    identity: Identity, kind: str, *, token: str | None = None, **data: object
) -> PaymentRead:
    resources, company_id = identity.context.resources, identity.current_user.company_id
    operation_id = await _begin(identity, kind, data, token)
    await carry_out(resources, company_id, operation_id)
    async with identity.access() as access:
        ended = await operation_queries.find(access.connection, operation_id)
        if ended is not None and ended["state"] == "failed":
            # Executed by another process, which had nobody to report the error to.
            raise FAILURES.get(ended["error_code"], CardProviderUnavailable)
        return await service.payment(access.connection, resources.settings)


async def _begin(identity: Identity, kind: str, data: dict[str, object], token: str | None) -> int:
    """Stores the operation before anything is sent to the provider, and enqueues a workflow that
    finishes it if this process dies."""
    resources, company_id = identity.context.resources, identity.current_user.company_id
    too_long = resources.settings.card_operation_seconds
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        async with identity.access() as access:
            operation_id = await operation_queries.begin(access, kind, data)
            if operation_id is not None:
                if token is not None:
                    sealed = seal_token(resources, operation_id, token)
                    await operation_queries.set_token(access.connection, operation_id, sealed)
                await finish_operation.enqueue(
                    access.connection,
                    company_id,
                    operation_id,
                    key=f"card-operation-{operation_id}",
                    after=too_long,
                )
                return operation_id
            other = await operation_queries.pending(access.connection)
        if other is not None and other["age"] > too_long:
            await carry_out(resources, company_id, other["id"])
        if time.monotonic() > deadline:
            raise PaymentUnderWay
        await asyncio.sleep(0.1)
