"""All feature routers. If a path matches two routes, the first one handles it."""

from tessera.activity.endpoints import router as activity
from tessera.api_tokens.endpoints import router as api_tokens
from tessera.audit.endpoints import router as audit
from tessera.auth import workflows as auth_workflows  # noqa: F401 - schedules its rounds
from tessera.auth.passkeys.endpoints import router as passkeys
from tessera.auth.passwords.endpoints import router as passwords
from tessera.auth.profile.endpoints import router as profile
from tessera.auth.sessions.endpoints import router as sessions
from tessera.auth.two_factor.endpoints import router as two_factor
from tessera.companies.endpoints import router as companies
from tessera.companies.first_steps.endpoints import router as first_steps
from tessera.companies.key_holder.endpoints import router as key_holder
from tessera.companies.leaving.endpoints import router as leaving
from tessera.companies.passphrase.endpoints import router as passphrase
from tessera.downloads.endpoints import router as downloads
from tessera.identity.domains import workflows as domain_workflows  # noqa: F401 - as above
from tessera.identity.domains.endpoints import router as identity_domains
from tessera.identity.sso.endpoints import login_router as sso_logins
from tessera.identity.sso.endpoints import router as identity_sso
from tessera.invites.endpoints import router as invites
from tessera.members.endpoints import router as members
from tessera.policies.endpoints import router as policies
from tessera.provisioning.endpoints import router as provisioning
from tessera.scim.endpoints import router as scim
from tessera.signup.endpoints import router as signup
from tessera.storage import workflows as storage_workflows  # noqa: F401 - as above
from tessera.storage.backups.endpoints import router as storage_backups
from tessera.storage.keys.endpoints import router as storage_keys
from tessera.storage.log.endpoints import router as storage_log
from tessera.storage.members.endpoints import router as storage_members
from tessera.storage.packs.endpoints import router as storage_packs
from tessera.storage.recovery.endpoints import router as storage_recovery
from tessera.storage.repair.endpoints import router as storage_repair
from tessera.storage.requests.endpoints import guest_router as requests
from tessera.storage.requests.endpoints import router as storage_requests
from tessera.storage.restores.endpoints import router as storage_restores
from tessera.storage.shares.endpoints import guest_router as shares
from tessera.storage.shares.endpoints import router as storage_shares
from tessera.storage.usage.endpoints import router as storage_usage
from tessera.subscription.endpoints import router as subscription
from tessera.system.endpoints import api_router as resources
from tessera.system.overview.endpoints import router as system_overview
from tessera.warehouses.alerts.endpoints import router as alerts
from tessera.warehouses.endpoints import router as warehouses

ROUTERS = (
    resources,
    system_overview,
    sessions,
    passwords,
    two_factor,
    passkeys,
    profile,
    first_steps,
    # Before `/company/{company_id}`, which would match `/company/key-holder`.
    key_holder,
    leaving,
    passphrase,
    companies,
    members,
    invites,
    activity,
    audit,
    api_tokens,
    identity_domains,
    identity_sso,
    sso_logins,
    policies,
    provisioning,
    scim,
    subscription,
    signup,
    warehouses,
    alerts,
    storage_keys,
    storage_recovery,
    storage_log,
    storage_packs,
    storage_repair,
    storage_restores,
    storage_usage,
    storage_members,
    storage_backups,
    storage_shares,
    shares,
    storage_requests,
    requests,
    downloads,
)
