from uuid import UUID

from tessera.authz.routes import FeatureRouter
from tessera.storage.dependencies import User, VerifiedUser
from tessera.storage.keys import service
from tessera.storage.keys.schemas import KeysRead, KeysUpdate, MemberKeysPage

router = FeatureRouter("storage", "/storage")


@router.get("/keys")
async def read_keys(access: User) -> KeysRead:
    return await service.read_keys(access)


@router.put("/keys")
async def store_keys(access: User, data: KeysUpdate) -> KeysRead:
    return await service.store_keys(access, data)


@router.put("/keys/replacement")
async def replace_keys(access: VerifiedUser, data: KeysUpdate) -> KeysRead:
    return await service.replace_keys(access, data)


@router.get("/keys/members")
async def list_member_keys(access: User, after: UUID | None = None) -> MemberKeysPage:
    return await service.list_member_keys(access, after)
