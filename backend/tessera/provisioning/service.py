"""The leader's side of provisioning: the company's SCIM token, what happens to members whom the
directory deletes, and the deletions that wait for the leader."""

from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

from tessera import limits
from tessera.activity.service import changed, record
from tessera.authz.context import Access, Identity
from tessera.authz.queries import lock_company
from tessera.authz.rate_limits import limit
from tessera.kit.tokens import hash_handle, new_scim_token
from tessera.members.service import remove_in_bulk
from tessera.provisioning import errors, queries, schemas
from tessera.provisioning.queries import confirms_deletions, find_token, mark_used
from tessera.provisioning.schemas import ProvisioningRead, ScimTokenCreated

# Queries that other features call.
__all__ = ["confirms_deletions", "find_token", "mark_used"]

ROTATION = timedelta(days=1)


async def read_provisioning(access: Access) -> ProvisioningRead:
    company_id = access.current_user.company_id
    return ProvisioningRead.of(
        await queries.overview(access.connection, company_id),
        base_url=f"{access.context.settings.public_url}/scim/v2",
        tokens=await queries.tokens(access.connection, company_id),
    )


async def create_token(identity: Identity) -> ScimTokenCreated:
    """Makes the first token, or one that replaces the current one a day later."""
    user = identity.current_user
    await limit(identity.context, limits.API_TOKENS_PER_DAY, user.company_id)
    token, handle = new_scim_token(user.company_id)
    async with identity.access() as access:
        await lock_company(access.connection, user.company_id)
        await queries.start(access.connection, user.company_id)
        was_rotated = await queries.replace_token(
            access.connection,
            user.company_id,
            token_hash=hash_handle(handle),
            created_by=user.name,
            lasting=ROTATION,
        )
        action = "provisioning.tokenRotated" if was_rotated else "provisioning.tokenCreated"
        await record(access, action)
        return ScimTokenCreated(token=token, provisioning=await read_provisioning(access))


async def revoke_tokens(access: Access) -> None:
    if not await queries.delete_tokens(access.connection, access.current_user.company_id):
        raise errors.NotProvisioned
    await record(access, "provisioning.tokenRevoked")


async def update_provisioning(access: Access, data: schemas.ProvisioningUpdate) -> ProvisioningRead:
    company_id = access.current_user.company_id
    before = await queries.overview(access.connection, company_id)
    if not await queries.set_confirm_deletions(
        access.connection, company_id, data.confirm_deletions
    ):
        raise errors.NotProvisioned
    if before.confirm_deletions != data.confirm_deletions:
        details = changed(
            {"confirmDeletions": before.confirm_deletions},
            {"confirmDeletions": data.confirm_deletions},
        )
        await record(access, "provisioning.changed", details=details)
    return await read_provisioning(access)


async def list_deletions(access: Access) -> schemas.RequestedDeletions:
    company_id = access.current_user.company_id
    return schemas.RequestedDeletions(
        members=await queries.requested_deletions(
            access.connection, company_id, schemas.MAX_AT_ONCE
        ),
        total=(await queries.overview(access.connection, company_id)).deletions,
    )


async def confirm_deletions(access: Access, uuids: Sequence[UUID]) -> None:
    await _requested(access, uuids)
    await remove_in_bulk(access, uuids)


async def decline_deletions(access: Access, uuids: Sequence[UUID]) -> None:
    """They stay members, disabled, and the directory sees them again."""
    addresses = await _requested(access, uuids)
    await queries.withdraw_deletions(access.connection, access.current_user.company_id, uuids)
    for address in addresses:
        await record(access, "member.deletionDeclined", target=address)


async def _requested(access: Access, uuids: Sequence[UUID]) -> list[str]:
    """All of them, or an error if one was not requested."""
    found = await queries.requested_among(access.connection, access.current_user.company_id, uuids)
    if len(found) < len(set(uuids)):
        raise errors.DeletionNotRequested
    return list(found.values())
