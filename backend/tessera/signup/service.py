"""Registering a company: the wish is checked and written down, a workflow carries it out, and the
call waits for the outcome. Made again, the call finds the same registration and its outcome."""

import asyncio
import json
import time

import asyncpg

from tessera.auth import queries as auth_queries
from tessera.auth.errors import AddressInUse
from tessera.auth.passwords import hash_secret, secret_matches
from tessera.auth.rate_limits import limit
from tessera.auth.service import start_session
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
    visit: RequestContext, ticket: str, given: RegisterTeamLeader
) -> Registered:
    found = await tickets.find_ticket(visit, ticket)
    await limit(visit, f"registrations|{found['id']}", SUBMITS_A_TICKET)
    _check(visit, given)
    registration = await _of_ticket(visit, found["id"])
    if registration is None:
        tickets.check_ticket(found)
        registration_id = await _begin(visit, found["id"], given)
    else:
        registration_id = registration["id"]
    return await _answer(visit, registration_id, given, begun=registration is None)


def _check(visit: RequestContext, given: RegisterTeamLeader) -> None:
    plan_for_sale(visit.settings, given.payment.plan_id)
    check_person(given.user, given.company.uuid, prefix="user.")
    check_first_passphrase(given)


async def _of_ticket(visit: RequestContext, ticket_id: int) -> Row | None:
    async with visit.database.without_tenant() as connection:
        return await registration_queries.of_ticket(connection, ticket_id)


async def _begin(visit: RequestContext, ticket_id: int, given: RegisterTeamLeader) -> int:
    contents = contents_of(given, await hash_secret(given.user.password))
    try:
        async with visit.database.without_tenant() as connection:
            found = await ticket_queries.lock(connection, ticket_id)
            assert found is not None
            raced = await registration_queries.of_ticket(connection, ticket_id)
            if raced is not None:
                return int(raced["id"])
            tickets.check_ticket(found)
            return await _write_down(visit, connection, ticket_id, given, contents)
    except asyncpg.UniqueViolationError as error:
        raise taken(error) from None


async def _write_down(
    visit: RequestContext,
    connection: Connection,
    ticket_id: int,
    given: RegisterTeamLeader,
    contents: Contents,
) -> int:
    guest = phones.Guest(ticket_id=ticket_id)
    await phones.check_verified(
        connection, guest, given.user.phone_number, field="user.phoneNumber"
    )
    folded = normalize_email(given.user.email_address)
    if await auth_queries.address_taken(connection, folded):
        raise AddressInUse(fields={"user.email_address": "invalid"})
    if await registration_queries.uuid_taken(connection, given.company.uuid, given.user.uuid):
        raise UuidTaken
    registration_id = await registration_queries.begin(
        connection,
        ticket_id=ticket_id,
        company_uuid=given.company.uuid,
        user_uuid=given.user.uuid,
        address_hash=visit.keys.mac("registrations", folded),
        origin=visit.origin,
        request_id=visit.request_id,
        language=visit.language,
    )
    sealed = seal_contents(visit.keys, registration_id, contents)
    await registration_queries.set_sealed(connection, registration_id, sealed)
    await register_company.enqueue(
        connection, registration_id, key=f"registration-{registration_id}"
    )
    return registration_id


async def _answer(
    visit: RequestContext, registration_id: int, given: RegisterTeamLeader, *, begun: bool
) -> Registered:
    """Nobody but who knows the secret it was made with is told about a registration."""
    deadline = time.monotonic() + visit.settings.registration_seconds
    known = begun
    while True:
        async with visit.database.without_tenant() as connection:
            row = await registration_queries.find(connection, registration_id)
        if row is None or not row["recent"] or row["company_uuid"] != given.company.uuid:
            raise SignupTicketUsed
        if row["state"] == "failed":
            raise _failure(row)
        if not known:
            if not await _knows_secret(visit, row, given.user.password):
                raise SignupTicketUsed
            known = True
        if row["state"] == "done":
            session = await start_session(visit, row["company_id"], row["user_id"])
            return Registered(access_token=session.access_token, user=session.user)
        if time.monotonic() > deadline:
            raise RegistrationUnderWay(retry_after=2)
        await asyncio.sleep(0.1)


async def _knows_secret(visit: RequestContext, row: Row, secret: str) -> bool:
    if row["state"] == "pending":
        contents = open_contents(visit.keys, row["id"], row["sealed"])
        return await secret_matches(contents.password_hash, secret)
    async with visit.database.tenant(row["company_id"]) as connection:
        account = await auth_queries.account(connection, row["user_id"])
    stored = account["password_hash"] if account else None
    return await secret_matches(stored, secret)


def _failure(row: Row) -> TesseraError:
    kind = FAILURES.get(row["error_code"] or "", CardProviderUnavailable)
    details = json.loads(row["error_details"])
    if kind is CardDeclined:
        return CardDeclined(reason=details.get("reason", ""), extra=details)
    return kind()
