"""The list of the features' routers."""

from fastapi import APIRouter

from tessera.auth.endpoints import router as auth
from tessera.house.endpoints import api_router as house
from tessera.kit.answers import DOCUMENTED_ERRORS
from tessera.subscription.endpoints import router as subscription

router = APIRouter(prefix="/api", responses=DOCUMENTED_ERRORS)
router.include_router(house)
router.include_router(auth)
router.include_router(subscription)
