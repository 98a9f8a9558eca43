"""Session and permission dependencies."""

from datetime import timedelta
from typing import Any

from fastapi import Depends, Request

from tessera.authz.context import Access, CurrentUser, Identity, RequestContext, visit_of
from tessera.authz.errors import (
    Forbidden,
    SessionExpired,
    SessionRequired,
    SubscriptionRequired,
    VerificationRequired,
)
from tessera.authz.permissions import (
    NEEDS_SUBSCRIPTION,
    NEEDS_WAREHOUSE_VIEW,
    ROLE_PERMISSIONS,
    Permission,
    Role,
)
from tessera.authz.routes import Work
from tessera.kit import clock
from tessera.kit.database import Connection
from tessera.kit.i18n import Language
from tessera.kit.tokens import hash_handle, read_token


def require_permission(permission: Permission, *, verified: bool = False) -> Any:  # noqa: ANN401
    """Use as `access: Annotated[Access, require_permission(Permission.X)]`."""

    async def guard(request: Request) -> Access:
        context = visit_of(request)
        handle = _handle(request)
        work: Work = request.state.work
        session = hash_handle(handle)
        connection = await work.begin(context.database.app, context.database.company_hint(session))
        current_user = await _open_session(connection, session, context)
        _check(current_user, permission, verified)
        return Access(connection, current_user, context)

    return Depends(guard)


def require_identity(permission: Permission, *, verified: bool = False) -> Any:  # noqa: ANN401
    """Use as `identity: Annotated[Identity, require_identity(Permission.X)]` where a connection
    must not be held throughout: hashing, counting in separate transactions, or calling out."""

    async def guard(request: Request) -> Identity:
        context = visit_of(request)
        handle = _handle(request)
        async with context.database.without_tenant() as connection:
            current_user = await _open_session(connection, hash_handle(handle), context)
        _check(current_user, permission, verified)
        return Identity(current_user, context)

    return Depends(guard)


def _handle(request: Request) -> str:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise SessionRequired
    handle = read_token(request.app.state.resources.keys, token)
    if handle is None:
        raise SessionExpired
    return handle


async def _open_session(
    connection: Connection, session: bytes, context: RequestContext
) -> CurrentUser:
    idle = timedelta(seconds=context.settings.session_idle_seconds)
    row = await connection.fetchrow("SELECT * FROM open_session($1, $2)", session, idle)
    if row is None:
        raise SessionExpired
    context.database.remember_company(session, row["company_id"])
    role = Role(row["role"])
    return CurrentUser(
        **{**dict(row), "role": role, "language": Language(row["language"])},
        permissions=ROLE_PERMISSIONS[role],
    )


def _check(current_user: CurrentUser, permission: Permission, verified: bool) -> None:
    if permission not in current_user.permissions:
        raise Forbidden
    if permission in NEEDS_SUBSCRIPTION and not current_user.is_subscribed:
        raise SubscriptionRequired
    if permission in NEEDS_WAREHOUSE_VIEW and not current_user.can_view_warehouse:
        raise Forbidden
    if verified:
        check_verified(current_user)


def check_verified(current_user: CurrentUser) -> None:
    """For calls that need verified access in some cases only."""
    if current_user.verified_until is None or current_user.verified_until <= clock.now():
        raise VerificationRequired
