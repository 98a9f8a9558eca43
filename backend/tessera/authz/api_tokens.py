"""Calls with an API token of the company instead of a session. Each one is recorded, even if it is
refused, and counted."""

from tessera import limits
from tessera.authz import errors
from tessera.authz.context import CurrentUser, RequestContext
from tessera.authz.permissions import AccessRule
from tessera.authz.queries import ApiToken, find_api_token, record_api_call
from tessera.authz.rate_limits import limit
from tessera.errors import TesseraError
from tessera.kit import clock, rate_counters
from tessera.kit.client_ip import is_within
from tessera.kit.tokens import api_token_handle, company_of


async def use_api_token(
    context: RequestContext, token: str, rule: AccessRule, call: str
) -> CurrentUser:
    """`call` is the route's, never the path that was sent."""
    handle = api_token_handle(token)
    company_id = company_of(handle)
    if company_id is None:
        await _count_failure(context)
        raise errors.ApiTokenInvalid
    async with context.database.tenant(company_id, is_proven=False) as connection:
        found = await find_api_token(connection, company_id, handle)
        if found is not None:
            counter = context.counter(limits.API_TOKEN_CALLS, company_id, found.id)
            try:
                await rate_counters.increment_within(connection, [counter])
            except rate_counters.LimitReached as reached:
                raise errors.TooManyTries(reached.resets_in) from None
            refusal = _refusal(found, context, rule)
            await record_api_call(
                connection,
                company_id,
                found,
                call=call,
                refused=refusal is not None,
                origin=context.origin,
                request_id=context.request_id,
            )
    if found is None:
        await _count_failure(context)
        raise errors.ApiTokenInvalid
    if refusal is not None:
        raise refusal
    return found.current_user(company_id)


def _refusal(token: ApiToken, context: RequestContext, rule: AccessRule) -> TesseraError | None:
    if not token.is_usable:
        return errors.ApiTokenRevoked()
    if token.expires_at <= clock.now():
        return errors.ApiTokenExpired()
    if not _admits(token, context):
        return errors.ApiTokenAddressRefused()
    if rule.scope is None:
        return errors.ApiTokenForbidden()
    if rule.scope not in token.scopes:
        return errors.ApiTokenScopeMissing(scope=rule.scope)
    return None


def _admits(token: ApiToken, context: RequestContext) -> bool:
    """Both, the token and the policies, have to: neither widens the other."""
    networks, countries = token.allowed_networks, token.allowed_countries
    return (
        (not token.networks or is_within(context.origin, token.networks))
        and (networks is None or is_within(context.origin, networks))
        and (countries is None or context.country in countries)
    )


async def _count_failure(context: RequestContext) -> None:
    await limit(context, limits.API_TOKEN_FAILURES, context.site)
