"""Calls with the token of the company's directory. Every one is counted."""

from typing import Annotated

from fastapi import Depends, Request

from tessera import limits
from tessera.authz.context import Access, RequestContext, request_context
from tessera.authz.errors import SubscriptionRequired, TooManyTries
from tessera.authz.rate_limits import limit
from tessera.authz.routes import RequestTransaction
from tessera.kit import rate_counters
from tessera.kit.database import enter_tenant
from tessera.kit.tokens import company_of, scim_token_handle
from tessera.provisioning.service import find_token, mark_used
from tessera.scim.errors import ScimTokenInvalid


async def _directory(request: Request) -> Access:
    context = request_context(request)
    handle = _handle(request)
    company_id = company_of(handle) if handle else None
    if handle is None or company_id is None:
        await _count_failure(context)
        raise ScimTokenInvalid
    async with context.database.tenant(company_id, is_proven=False) as connection:
        token = await find_token(connection, company_id, handle)
        if token is not None and token.is_usable:
            counter = context.counter(limits.SCIM_CALLS, company_id)
            try:
                await rate_counters.increment_within(connection, [counter])
            except rate_counters.LimitReached as reached:
                raise TooManyTries(reached.resets_in) from None
            await mark_used(connection, company_id, token.id, context.origin)
    if token is None or not token.is_usable:
        await _count_failure(context)
        raise ScimTokenInvalid
    transaction: RequestTransaction = request.state.transaction
    connection = await transaction.begin(context.database.app, company_id)
    await enter_tenant(connection, company_id)
    return Access(connection, token.current_user(company_id), context)


def _handle(request: Request) -> str | None:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return scim_token_handle(token.strip()) if scheme.lower() == "bearer" else None


async def _count_failure(context: RequestContext) -> None:
    await limit(context, limits.API_TOKEN_FAILURES, context.site)


Directory = Annotated[Access, Depends(_directory)]


def check_subscribed(access: Access) -> None:
    """Without a subscription nobody joins; to leave is always possible."""
    if not access.current_user.is_subscribed:
        raise SubscriptionRequired
