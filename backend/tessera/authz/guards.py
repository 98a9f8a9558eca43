"""Session and permission dependencies."""

from dataclasses import replace
from datetime import timedelta
from typing import Annotated, Any

from fastapi import Depends, Request

from tessera.authz import errors
from tessera.authz.api_tokens import use_api_token
from tessera.authz.context import Access, CurrentUser, Identity, RequestContext, request_context
from tessera.authz.permissions import (
    NEEDS_SUBSCRIPTION,
    NEEDS_WAREHOUSE_VIEW,
    AccessRule,
    Permission,
)
from tessera.authz.policies import check_session
from tessera.authz.queries import open_session, was_session_ended
from tessera.authz.routes import RequestTransaction
from tessera.kit import clock
from tessera.kit.database import Connection, enter_tenant
from tessera.kit.replica import position_of
from tessera.kit.tokens import company_of, is_api_token, read_token
from tessera.kit.user_agent import client_version_of


class _AccessGuard:
    def __init__(self, rule: AccessRule) -> None:
        self.rule = rule

    async def __call__(self, request: Request) -> Access:
        context = request_context(request)
        bearer = _bearer(request)
        transaction: RequestTransaction = request.state.transaction
        if is_api_token(bearer):
            current_user = await use_api_token(context, bearer, self.rule, _call(request))
            company_id = current_user.company_id
            connection = await transaction.begin(context.database.app, company_id)
            await enter_tenant(connection, company_id)
        else:
            handle = _handle(context, bearer)
            connection = await transaction.begin(context.database.app, company_of(handle))
            current_user = await _open_session(connection, handle, context)
        _check(current_user, self.rule, context)
        return Access(connection, current_user, context)


class _ListGuard(_AccessGuard):
    """Opens the session on the primary, then reads from the replica if there is one."""

    async def __call__(self, request: Request) -> Access:
        access = await super().__call__(request)
        database = access.context.resources.database
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
        bearer = _bearer(request)
        if is_api_token(bearer):
            current_user = await use_api_token(context, bearer, self.rule, _call(request))
        else:
            handle = _handle(context, bearer)
            async with context.database.app.connection() as connection:
                current_user = await _open_session(connection, handle, context)
        _check(current_user, self.rule, context)
        return Identity(current_user, context)


def require_permission(
    permission: Permission, *, verified: bool = False, anywhere: bool = False
) -> Any:  # noqa: ANN401
    """Use as `access: Annotated[Access, require_permission(Permission.X)]`."""
    return Depends(_AccessGuard(AccessRule(permission, verified, anywhere)))


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


def _bearer(request: Request) -> str:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise errors.SessionRequired
    return token


def _call(request: Request) -> str:
    return f"{request.method} {request.scope['route'].path}"


def _handle(context: RequestContext, token: str) -> str:
    handle = read_token(context.keys, token)
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
        client_version=client_version_of(context.user_agent),
    )
    if current_user is None:
        is_ended = await was_session_ended(connection, handle)
        raise errors.SessionEnded if is_ended else errors.SessionExpired
    return current_user


def _check(current_user: CurrentUser, rule: AccessRule, context: RequestContext) -> None:
    permission = rule.permission
    if current_user.kind in ("browser", "client"):
        check_session(current_user, rule, context)
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
