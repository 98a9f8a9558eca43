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
    SUBSCRIPTION_MANAGE = "subscription:manage"
    HELP_READ = "help:read"
    ACTIVITY_READ = "activity:read"
    ACTIVITY_READ_ALL = "activity:readAll"
    CLIENT_DOWNLOAD = "client:download"
    OWN_ACCOUNT = "account:own"
    OWN_SESSION = "session:own"
    STORAGE_USE = "storage:use"
    STORAGE_GRANT = "storage:grant"
    STORAGE_MANAGE = "storage:manage"


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
            _P.SUBSCRIPTION_MANAGE,
            _P.HELP_READ,
            _P.ACTIVITY_READ,
            _P.CLIENT_DOWNLOAD,
            _P.OWN_ACCOUNT,
            _P.OWN_SESSION,
            _P.STORAGE_USE,
            _P.STORAGE_GRANT,
            _P.STORAGE_MANAGE,
        }
    ),
    Role.TEAM_MEMBER: frozenset(
        {_P.KEY_HOLD, _P.CLIENT_DOWNLOAD, _P.OWN_ACCOUNT, _P.OWN_SESSION, _P.STORAGE_USE}
    ),
}

# Of the role's permissions, those that a session of the client program has.
CLIENT_PERMISSIONS = frozenset(
    {
        _P.OWN_SESSION,
        _P.PASSPHRASE_READ,
        _P.STORAGE_USE,
        _P.STORAGE_GRANT,
        _P.STORAGE_MANAGE,
    }
)
# Every role has them, so the console need not know them.
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
    """Who may make a call: the roles with the permission, with verified access if so required."""

    permission: Permission
    verified: bool

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
        }
