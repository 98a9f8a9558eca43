from typing import Annotated

from tessera.audit import schemas, service
from tessera.authz.context import Access, Identity
from tessera.authz.guards import require_identity, require_permission
from tessera.authz.permissions import Permission
from tessera.authz.routes import FeatureRouter

router = FeatureRouter("activity", "/activity")

Reader = Annotated[Access, require_permission(Permission.ACTIVITY_STREAM)]
Verified = Annotated[Access, require_permission(Permission.ACTIVITY_STREAM, verified=True)]
# Counts in separate transactions.
Caller = Annotated[Identity, require_identity(Permission.ACTIVITY_STREAM)]


@router.get("/stream")
async def read_activity_stream(access: Reader) -> schemas.ActivityStreamRead:
    """Answers where the company's activity is sent, how far it got, and the end of its chain."""
    return await service.read_stream(access)


@router.put("/stream")
async def save_activity_stream(
    access: Verified, data: schemas.ActivityStreamUpdate
) -> schemas.ActivityStreamRead:
    """A stream that is turned on begins with what happens next."""
    return await service.save_stream(access, data)


@router.post("/stream/replay")
async def replay_activity(
    access: Verified, data: schemas.ReplayCreate
) -> schemas.ActivityStreamRead:
    """Sends the records of the last 30 days again."""
    return await service.replay(access, data.target)


@router.post("/check")
async def check_activity(
    identity: Caller, data: schemas.ActivityCheckCreate
) -> schemas.ActivityCheck:
    """Begins to check the chain; the result is in the stream's answer."""
    return await service.check(identity, data.head)
