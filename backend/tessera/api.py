"""The list of the features' routers."""

from fastapi import APIRouter

from tessera.activity.endpoints import router as activity
from tessera.auth.endpoints import router as auth
from tessera.auth.security_endpoints import router as security
from tessera.companies.endpoints import router as companies
from tessera.downloads.endpoints import router as downloads
from tessera.house.endpoints import api_router as house
from tessera.invites.endpoints import router as invites
from tessera.kit.answers import DOCUMENTED_ERRORS
from tessera.members.endpoints import router as members
from tessera.signup.endpoints import router as signup
from tessera.subscription.endpoints import router as subscription
from tessera.warehouses.endpoints import router as warehouses

router = APIRouter(prefix="/api", responses=DOCUMENTED_ERRORS)
router.include_router(house)
router.include_router(auth)
router.include_router(security)
router.include_router(companies)
router.include_router(members)
router.include_router(invites)
router.include_router(activity)
router.include_router(subscription)
router.include_router(signup)
router.include_router(warehouses)
router.include_router(downloads)
