"""The company's API tokens: made and revoked by the leader. `authz/api_tokens.py` accepts them."""

from datetime import timedelta

from tessera import limits
from tessera.activity.service import changed, record
from tessera.api_tokens import errors, queries
from tessera.api_tokens.schemas import ApiTokenCreate, ApiTokenCreated, ApiTokenList, ApiTokenRead
from tessera.authz.context import Access, Identity
from tessera.authz.policies import policies_of
from tessera.authz.queries import lock_company
from tessera.authz.rate_limits import limit
from tessera.kit import clock
from tessera.kit.client_ip import is_part_of
from tessera.kit.tokens import hash_handle, new_api_token

LONGEST = timedelta(days=366)


async def list_tokens(access: Access) -> ApiTokenList:
    found = await queries.tokens(access.connection, access.current_user.company_id)
    return ApiTokenList(
        tokens=[ApiTokenRead.of(each) for each in found], max_tokens=limits.API_TOKENS.maximum
    )


async def create_token(identity: Identity, data: ApiTokenCreate) -> ApiTokenCreated:
    user = identity.current_user
    now = clock.now()
    if not now < data.expires_at <= now + LONGEST:
        raise errors.ApiTokenExpiryInvalid(fields={"expiresAt": "api_token_expiry"})
    await limit(identity.context, limits.API_TOKENS_PER_DAY, user.company_id)
    token, handle = new_api_token(user.company_id)
    scopes = sorted(set(data.scopes))
    async with identity.access() as access:
        await lock_company(access.connection, user.company_id)
        allowed = (await policies_of(access.connection, user.company_id)).networks
        for place, each in enumerate(data.networks):
            if allowed is not None and not is_part_of(each, allowed):
                name = f"networks.{place}"
                raise errors.ApiTokenNetworkOutside(fields={name: "api_token_network"})
        maximum = limits.API_TOKENS.maximum
        if await queries.count_active(access.connection, user.company_id) >= maximum:
            raise errors.TooManyApiTokens(maximum=maximum)
        stored = await queries.add_token(
            access.connection,
            user.company_id,
            name=data.name,
            token_hash=hash_handle(handle),
            scopes=scopes,
            networks=data.networks,
            created_by=user.user_id,
            expires_at=data.expires_at,
        )
        details = {
            "scopes": ", ".join(scopes),
            "networks": ", ".join(data.networks),
            "expires": f"{data.expires_at:%Y-%m-%d}",
        }
        await record(access, "apiToken.created", target=data.name, details=changed({}, details))
    return ApiTokenCreated(token=token, created=ApiTokenRead.of(stored))


async def revoke_token(access: Access, token_id: int) -> None:
    name = await queries.revoke(access.connection, access.current_user.company_id, token_id)
    if name is None:
        raise errors.ApiTokenNotFound
    await record(access, "apiToken.revoked", target=name)


async def revoke_tokens_of(access: Access, company_id: int, user_id: int) -> None:
    """A former leader may still know them."""
    for name in await queries.revoke_of(access.connection, company_id, user_id):
        await record(access, "apiToken.revoked", target=name, company_id=company_id)
