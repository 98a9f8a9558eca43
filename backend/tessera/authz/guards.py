"""Session and permission dependencies."""

from dataclasses import replace
from datetime import timedelta
from typing import Annotated, Any

from fastapi import Depends, Request

from tessera.authz import errors
from tessera.authz.context import Access, CurrentUser, Identity, RequestContext, request_context
from tessera.authz.permissions import (
    NEEDS_SUBSCRIPTION,
    NEEDS_WAREHOUSE_VIEW,
    AccessRule,
    Permission,
)
from tessera.authz.queries import open_session
from tessera.authz.routes import RequestTransaction
from tessera.kit import clock
from tessera.kit.database import Connection
from tessera.kit.replica import position_of
from tessera.kit.tokens import company_of, read_token


class _AccessGuard:
    def __init__(self, rule: AccessRule) -> None:
        self.rule = rule

    async def __call__(self, request: Request) -> Access:
        context = request_context(request)
        handle = _handle(request)
        transaction: RequestTransaction = request.state.transaction
        connection = await transaction.begin(context.database.app, company_of(handle))
        current_user = await _open_session(connection, handle, context)
        _check(current_user, self.rule)
        return Access(connection, current_user, context)


class _ListGuard(_AccessGuard):
    """Opens the session on the primary, then reads from the replica if there is one."""

    async def __call__(self, request: Request) -> Access:
        access = await super().__call__(request)
        database = access.context.database
        if database.replica is None:
            return access
        transaction: RequestTransaction = request.state.transaction
        position = await position_of(access.connection)
        reading = database.reading(access.current_user.company_id, position)
        return replace(access, connection=await transaction.continue_in(reading))


class _IdentityGuard:
    def __init__(self, rule: AccessRule) -> None:
        self.rule = rule

    async def __call__(self, request: Request) -> Identity:
        context = request_context(request)
        handle = _handle(request)
        async with context.database.app.connection() as connection:
            current_user = await _open_session(connection, handle, context)
        _check(current_user, self.rule)
        return Identity(current_user, context)


def require_permission(permission: Permission, *, verified: bool = False) -> Any:  # noqa: ANN401
    """Use as `access: Annotated[Access, require_permission(Permission.X)]`."""
    return Depends(_AccessGuard(AccessRule(permission, verified)))


def require_list_permission(permission: Permission) -> Any:  # noqa: ANN401
    """Like `require_permission`, for a call that only reads and may do so from the replica."""
    return Depends(_ListGuard(AccessRule(permission, verified=False)))


async def _request_transaction(request: Request) -> RequestTransaction:
    transaction: RequestTransaction = request.state.transaction
    return transaction


# For a call that reads, and then must not hold its connection any longer.
OpenTransaction = Annotated[RequestTransaction, Depends(_request_transaction)]


def require_identity(permission: Permission, *, verified: bool = False) -> Any:  # noqa: ANN401
    """Use as `identity: Annotated[Identity, require_identity(Permission.X)]` where a connection
    must not be held throughout: hashing, counting in separate transactions, or calling out."""
    return Depends(_IdentityGuard(AccessRule(permission, verified)))


def _handle(request: Request) -> str:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise errors.SessionRequired
    handle = read_token(request.app.state.resources.keys, token)
    if handle is None:
        raise errors.SessionExpired
    return handle


async def _open_session(
    connection: Connection, handle: str, context: RequestContext
) -> CurrentUser:
    settings = context.settings
    current_user = await open_session(
        connection,
        handle,
        idle=timedelta(seconds=settings.session_idle_seconds),
        client_idle=timedelta(days=settings.client_session_idle_days),
    )
    if current_user is None:
        raise errors.SessionExpired
    return current_user


def _check(current_user: CurrentUser, rule: AccessRule) -> None:
    permission = rule.permission
    if permission not in current_user.permissions:
        raise errors.ClientSessionForbidden if current_user.kind == "client" else errors.Forbidden
    if permission in NEEDS_SUBSCRIPTION and not current_user.is_subscribed:
        raise errors.SubscriptionRequired
    if permission in NEEDS_WAREHOUSE_VIEW and not current_user.can_view_warehouse:
        raise errors.Forbidden
    if rule.verified:
        check_verified(current_user)


def check_verified(current_user: CurrentUser) -> None:
    """For calls that need verified access in some cases only."""
    if current_user.verified_until is None or current_user.verified_until <= clock.now():
        raise errors.VerificationRequired
