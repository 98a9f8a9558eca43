"""All feature routers. If a path matches two routes, the first one handles it."""

from tessera.activity.endpoints import router as activity
from tessera.auth.endpoints import router as auth
from tessera.auth.security_endpoints import router as security
from tessera.companies.endpoints import router as companies
from tessera.downloads.endpoints import router as downloads
from tessera.invites.endpoints import router as invites
from tessera.members.endpoints import router as members
from tessera.signup.endpoints import router as signup
from tessera.subscription.endpoints import router as subscription
from tessera.system.endpoints import api_router as resources
from tessera.warehouses.endpoints import router as warehouses

ROUTERS = (
    resources,
    auth,
    security,
    companies,
    members,
    invites,
    activity,
    subscription,
    signup,
    warehouses,
    downloads,
)
