"""All feature routers. If a path matches two routes, the first one handles it."""

from tessera.activity.endpoints import router as activity
from tessera.auth.passkeys.endpoints import router as passkeys
from tessera.auth.passwords.endpoints import router as passwords
from tessera.auth.profile.endpoints import router as profile
from tessera.auth.sessions.endpoints import router as sessions
from tessera.auth.two_factor.endpoints import router as two_factor
from tessera.companies.endpoints import router as companies
from tessera.downloads.endpoints import router as downloads
from tessera.invites.endpoints import router as invites
from tessera.members.endpoints import router as members
from tessera.signup.endpoints import router as signup
from tessera.storage.endpoints import router as storage
from tessera.subscription.endpoints import router as subscription
from tessera.system.endpoints import api_router as resources
from tessera.warehouses.alerts.endpoints import router as alerts
from tessera.warehouses.endpoints import router as warehouses

ROUTERS = (
    resources,
    sessions,
    passwords,
    two_factor,
    passkeys,
    profile,
    companies,
    members,
    invites,
    activity,
    subscription,
    signup,
    warehouses,
    alerts,
    storage,
    downloads,
)
