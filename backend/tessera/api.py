"""The list of the features' routers."""

from fastapi import APIRouter

from tessera.auth.endpoints import router as auth
from tessera.house.endpoints import api_router as house
from tessera.kit.answers import DOCUMENTED_ERRORS

router = APIRouter(prefix="/api", responses=DOCUMENTED_ERRORS)
router.include_router(house)
router.include_router(auth)
