"""Permissions by role. Endpoints require one permission; the console gets the user's list."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Role(StrEnum):
    ADMIN = "admin"
    TEAM_LEADER = "teamLeader"
    TEAM_MEMBER = "teamMember"


class Permission(StrEnum):
    COMPANIES_MANAGE = "companies:manage"
    MEMBERS_READ = "members:read"
    MEMBERS_MANAGE = "members:manage"
    LEADERSHIP_REASSIGN = "leadership:reassign"
    WAREHOUSES_MANAGE = "warehouses:manage"
    COMPANY_READ = "company:read"
    COMPANY_EDIT = "company:edit"
    PASSPHRASE_READ = "passphrase:read"  # noqa: S105
    PASSPHRASE_MANAGE = "passphrase:manage"  # noqa: S105
    KEY_HOLD = "key:hold"
    SUBSCRIPTION_READ = "subscription:read"
    SUBSCRIPTION_MANAGE = "subscription:manage"
    HELP_READ = "help:read"
    ACTIVITY_READ = "activity:read"
    ACTIVITY_READ_ALL = "activity:readAll"
    ACTIVITY_STREAM = "activity:stream"
    CLIENT_DOWNLOAD = "client:download"
    OWN_ACCOUNT = "account:own"
    OWN_SESSION = "session:own"
    API_TOKENS_MANAGE = "apiTokens:manage"
    IDENTITY_MANAGE = "identity:manage"
    POLICIES_MANAGE = "policies:manage"
    STORAGE_STATUS = "storage:status"
    STORAGE_USE = "storage:use"
    STORAGE_GRANT = "storage:grant"
    STORAGE_MANAGE = "storage:manage"
    SYSTEM_READ = "system:read"


_P = Permission

ROLE_PERMISSIONS: dict[Role, frozenset[Permission]] = {
    Role.ADMIN: frozenset(
        {
            _P.COMPANIES_MANAGE,
            _P.COMPANY_READ,
            _P.MEMBERS_READ,
            _P.LEADERSHIP_REASSIGN,
            _P.ACTIVITY_READ,
            _P.ACTIVITY_READ_ALL,
            _P.SYSTEM_READ,
            _P.OWN_ACCOUNT,
            _P.OWN_SESSION,
        }
    ),
    Role.TEAM_LEADER: frozenset(
        {
            _P.MEMBERS_READ,
            _P.MEMBERS_MANAGE,
            _P.LEADERSHIP_REASSIGN,
            _P.WAREHOUSES_MANAGE,
            _P.COMPANY_READ,
            _P.COMPANY_EDIT,
            _P.PASSPHRASE_READ,
            _P.PASSPHRASE_MANAGE,
            _P.SUBSCRIPTION_READ,
            _P.SUBSCRIPTION_MANAGE,
            _P.HELP_READ,
            _P.ACTIVITY_READ,
            _P.ACTIVITY_STREAM,
            _P.CLIENT_DOWNLOAD,
            _P.OWN_ACCOUNT,
            _P.OWN_SESSION,
            _P.API_TOKENS_MANAGE,
            _P.IDENTITY_MANAGE,
            _P.POLICIES_MANAGE,
            _P.STORAGE_STATUS,
            _P.STORAGE_USE,
            _P.STORAGE_GRANT,
            _P.STORAGE_MANAGE,
        }
    ),
    Role.TEAM_MEMBER: frozenset(
        {
            _P.KEY_HOLD,
            _P.CLIENT_DOWNLOAD,
            _P.OWN_ACCOUNT,
            _P.OWN_SESSION,
            _P.STORAGE_STATUS,
            _P.STORAGE_USE,
        }
    ),
}

# Of the role's permissions, those that a session of the client program has.
CLIENT_PERMISSIONS = frozenset(
    {
        _P.OWN_SESSION,
        _P.CLIENT_DOWNLOAD,
        _P.PASSPHRASE_READ,
        _P.STORAGE_STATUS,
        _P.STORAGE_USE,
        _P.STORAGE_GRANT,
        _P.STORAGE_MANAGE,
    }
)
# Of the leader's permissions, those that an API token can have. Never passphrase, leadership,
# cards, or keys, logs and uploads of storage.
TOKEN_SCOPES = frozenset(
    {
        _P.ACTIVITY_READ,
        _P.CLIENT_DOWNLOAD,
        _P.COMPANY_READ,
        _P.COMPANY_EDIT,
        _P.MEMBERS_READ,
        _P.MEMBERS_MANAGE,
        _P.STORAGE_STATUS,
        _P.SUBSCRIPTION_READ,
        _P.WAREHOUSES_MANAGE,
    }
)
# What a client below the policies' version may still call: it has to be able to update itself.
OLD_CLIENT_PERMISSIONS = frozenset({_P.OWN_SESSION, _P.CLIENT_DOWNLOAD})
# Every role has them, so the console need not know them. They are also what is left of a
# session whose second factor the company's policies refuse: enough to set up one that they accept.
COMMON_PERMISSIONS = frozenset({_P.OWN_ACCOUNT, _P.OWN_SESSION})

NEEDS_SUBSCRIPTION = frozenset(
    {
        _P.MEMBERS_READ,
        _P.MEMBERS_MANAGE,
        _P.LEADERSHIP_REASSIGN,
        _P.WAREHOUSES_MANAGE,
        _P.COMPANY_EDIT,
        _P.HELP_READ,
        _P.CLIENT_DOWNLOAD,
    }
)
NEEDS_WAREHOUSE_VIEW = frozenset({_P.WAREHOUSES_MANAGE})


@dataclass(frozen=True)
class AccessRule:
    """Who may make a call: the roles with the permission, with verified access if so required;
    `anywhere` also from outside the company's networks."""

    permission: Permission
    verified: bool
    anywhere: bool = False

    @property
    def scope(self) -> Permission | None:
        """What an API token needs for the call; None if it is closed to tokens."""
        return self.permission if self.permission in TOKEN_SCOPES and not self.verified else None

    def describe(self) -> dict[str, Any]:
        """Returns the call's `x-access` in the OpenAPI description."""
        needs = {
            "subscription": self.permission in NEEDS_SUBSCRIPTION,
            "warehouseView": self.permission in NEEDS_WAREHOUSE_VIEW,
            "verification": self.verified,
        }
        return {
            "roles": [
                role.value for role, held in ROLE_PERMISSIONS.items() if self.permission in held
            ],
            "needs": [name for name, needed in needs.items() if needed],
        } | ({"scope": self.scope.value} if self.scope else {})
