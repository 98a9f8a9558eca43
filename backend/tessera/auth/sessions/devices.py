"""Browsers that have logged in to an account before. A cookie names them, the database holds its
hash. It opens nothing: it only keeps strangers' attempts from locking the owner out."""

from datetime import timedelta

from fastapi import Response

from tessera import limits
from tessera.auth.sessions import queries
from tessera.authz.context import DEVICE_COOKIE, RequestContext
from tessera.kit.database import Connection
from tessera.kit.tokens import hash_handle, new_handle

PATH = "/api/auth"


def device_tokens(context: RequestContext) -> list[str]:
    tokens = context.device_cookie.split(".")
    return [token for token in tokens if token][: limits.DEVICES_PER_COOKIE.maximum]


async def find_device(connection: Connection, context: RequestContext, user_id: int) -> int | None:
    """Runs the same statement for every caller and every address."""
    hashes = [hash_handle(token) for token in device_tokens(context)]
    return await queries.find_device(connection, user_id, hashes)


async def remember_device(
    connection: Connection, context: RequestContext, company_id: int, user_id: int
) -> str:
    """Returns the cookie's new value. Tokens that were not made for this account are never bound
    to it, because somebody else may have put them into the browser."""
    tokens = device_tokens(context)
    lasting = timedelta(days=context.settings.device_days)
    hashes = [hash_handle(token) for token in tokens]
    if await queries.extend_device(connection, user_id, hashes, lasting):
        return ".".join(tokens)
    token = new_handle()
    await queries.add_device(
        connection,
        company_id=company_id,
        user_id=user_id,
        token_hash=hash_handle(token),
        lasting=lasting,
        maximum=limits.DEVICES.maximum,
    )
    return ".".join([token, *tokens][: limits.DEVICES_PER_COOKIE.maximum])


def set_cookie(response: Response, context: RequestContext, value: str) -> None:
    response.set_cookie(
        DEVICE_COOKIE,
        value,
        max_age=context.settings.device_days * 86_400,
        path=PATH,
        secure=True,
        httponly=True,
        samesite="strict",
    )
