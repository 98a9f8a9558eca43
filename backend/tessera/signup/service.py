"""Registers a company: the request is checked and stored, a workflow executes it, and the call
waits for the outcome. A repeated call finds the same registration and its outcome."""

import asyncio
import json
import time

import asyncpg

from tessera.auth import queries as auth_queries
from tessera.auth.errors import AddressInUse
from tessera.auth.passwords.hashing import hash_secret, secret_matches
from tessera.auth.rate_limits import limit
from tessera.auth.sessions.service import start_session
from tessera.authz.context import RequestContext
from tessera.errors import TesseraError
from tessera.kit.database import Connection
from tessera.kit.schemas import normalize_email
from tessera.signup import phones, registration_queries, ticket_queries, tickets
from tessera.signup.create_company import taken
from tessera.signup.errors import RegistrationUnderWay, SignupTicketUsed, UuidTaken
from tessera.signup.payload import (
    Contents,
    check_first_passphrase,
    check_person,
    contents_of,
    open_contents,
    seal_contents,
)
from tessera.signup.schemas import Registered, RegisterTeamLeader
from tessera.signup.workflows import register_company
from tessera.subscription.errors import (
    CardDeclined,
    CardNeedsAuthentication,
    CardProviderUnavailable,
    CardTokenInvalid,
    PlanNotOnSale,
)
from tessera.subscription.plans import plan_for_sale

Row = asyncpg.Record

SUBMITS_A_TICKET = 60
FAILURES: dict[str, type[TesseraError]] = {
    failure.code: failure
    for failure in (
        AddressInUse,
        CardDeclined,
        CardNeedsAuthentication,
        CardProviderUnavailable,
        CardTokenInvalid,
        PlanNotOnSale,
        UuidTaken,
    )
}


async def register_team_leader(
    context: RequestContext, ticket: str, data: RegisterTeamLeader
) -> Registered:
    found = await tickets.find_ticket(context, ticket)
    await limit(context, f"registrations|{found['id']}", SUBMITS_A_TICKET)
    _check(context, data)
    registration = await _of_ticket(context, found["id"])
    if registration is None:
        tickets.check_ticket(found)
        registration_id = await _begin(context, found["id"], data)
    else:
        registration_id = registration["id"]
    return await _answer(context, registration_id, data, begun=registration is None)


def _check(context: RequestContext, data: RegisterTeamLeader) -> None:
    plan_for_sale(context.settings, data.payment.plan_id)
    check_person(data.user, data.company.uuid, prefix="user.")
    check_first_passphrase(data)


async def _of_ticket(context: RequestContext, ticket_id: int) -> Row | None:
    async with context.database.without_tenant() as connection:
        return await registration_queries.of_ticket(connection, ticket_id)


async def _begin(context: RequestContext, ticket_id: int, data: RegisterTeamLeader) -> int:
    contents = contents_of(data, await hash_secret(data.user.password))
    try:
        async with context.database.without_tenant() as connection:
            found = await ticket_queries.lock(connection, ticket_id)
            assert found is not None
            raced = await registration_queries.of_ticket(connection, ticket_id)
            if raced is not None:
                return int(raced["id"])
            tickets.check_ticket(found)
            return await _write_down(context, connection, ticket_id, data, contents)
    except asyncpg.UniqueViolationError as error:
        raise taken(error) from None


async def _write_down(
    context: RequestContext,
    connection: Connection,
    ticket_id: int,
    data: RegisterTeamLeader,
    contents: Contents,
) -> int:
    guest = phones.Guest(ticket_id=ticket_id)
    await phones.check_verified(connection, guest, data.user.phone_number, field="user.phoneNumber")
    folded = normalize_email(data.user.email_address)
    if await auth_queries.address_taken(connection, folded):
        raise AddressInUse(fields={"user.email_address": "invalid"})
    if await registration_queries.uuid_taken(connection, data.company.uuid, data.user.uuid):
        raise UuidTaken
    registration_id = await registration_queries.begin(
        connection,
        ticket_id=ticket_id,
        company_uuid=data.company.uuid,
        user_uuid=data.user.uuid,
        address_hash=context.keys.mac("registrations", folded),
        origin=context.origin,
        request_id=context.request_id,
        language=context.language,
    )
    sealed = seal_contents(context.keys, registration_id, contents)
    await registration_queries.set_sealed(connection, registration_id, sealed)
    await register_company.enqueue(
        connection, registration_id, key=f"registration-{registration_id}"
    )
    return registration_id


async def _answer(
    context: RequestContext, registration_id: int, data: RegisterTeamLeader, *, begun: bool
) -> Registered:
    """Waits for the outcome. Reports on a registration only to callers who know its secret."""
    deadline = time.monotonic() + context.settings.registration_seconds
    known = begun
    while True:
        async with context.database.without_tenant() as connection:
            row = await registration_queries.find(connection, registration_id)
        if row is None or not row["recent"] or row["company_uuid"] != data.company.uuid:
            raise SignupTicketUsed
        if row["state"] == "failed":
            raise _failure(row)
        if not known:
            if not await _knows_secret(context, row, data.user.password):
                raise SignupTicketUsed
            known = True
        if row["state"] == "done":
            session = await start_session(context, row["company_id"], row["user_id"])
            return Registered(access_token=session.access_token, user=session.user)
        if time.monotonic() > deadline:
            raise RegistrationUnderWay(retry_after=2)
        await asyncio.sleep(0.1)


async def _knows_secret(context: RequestContext, row: Row, secret: str) -> bool:
    if row["state"] == "pending":
        contents = open_contents(context.keys, row["id"], row["sealed"])
        return await secret_matches(contents.password_hash, secret)
    async with context.database.tenant(row["company_id"]) as connection:
        account = await auth_queries.account(connection, row["user_id"])
    stored = account["password_hash"] if account else None
    return await secret_matches(stored, secret)


def _failure(row: Row) -> TesseraError:
    kind = FAILURES.get(row["error_code"] or "", CardProviderUnavailable)
    details = json.loads(row["error_details"])
    if kind is CardDeclined:
        return CardDeclined(reason=details.get("reason", ""), extra=details)
    return kind()
