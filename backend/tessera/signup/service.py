"""Registers a company: the request is checked and stored, a workflow executes it, and the call
waits for the outcome. A repeated call finds the same registration and its outcome."""

import asyncio
import json
import time
from datetime import timedelta

import asyncpg

from tessera import limits
from tessera.auth import accounts
from tessera.auth.errors import AddressInUse
from tessera.auth.passwords.hashing import hash_secret, secret_matches
from tessera.auth.sessions.service import StartedSession, start_session
from tessera.authz.context import RequestContext
from tessera.authz.rate_limits import limit
from tessera.errors import TesseraError
from tessera.kit.database import Connection
from tessera.kit.schemas import normalize_email
from tessera.signup import payload, phones, queries, tickets
from tessera.signup.create_company import duplicate_error
from tessera.signup.errors import RegistrationUnderWay, SignupTicketUsed, UuidTaken
from tessera.signup.queries import Registration
from tessera.signup.schemas import RegisterTeamLeader
from tessera.signup.transactions import registration_transaction, ticket_transaction
from tessera.signup.workflows import register_company
from tessera.subscription import errors
from tessera.subscription.plans import plan_for_sale

FAILURES: dict[str, type[TesseraError]] = {
    failure.code: failure
    for failure in (
        AddressInUse,
        errors.CardDeclined,
        errors.CardNeedsAuthentication,
        errors.CardProviderUnavailable,
        errors.CardTokenInvalid,
        errors.PlanNotOnSale,
        UuidTaken,
    )
}


async def register_team_leader(
    context: RequestContext, ticket: str, data: RegisterTeamLeader
) -> StartedSession:
    found = await tickets.find_ticket(context, ticket)
    await limit(context, limits.TICKET_SUBMITS, found.id)
    _check(context, data)
    async with ticket_transaction(context.database, found.id) as connection:
        existing = await queries.registration_of_ticket(connection, found.id)
    if existing is not None:
        return await _wait(context, existing, data, begun=False)
    tickets.check_ticket(found)
    registration_id, begun = await _begin(context, found.id, data)
    return await _wait(context, registration_id, data, begun=begun)


def _check(context: RequestContext, data: RegisterTeamLeader) -> None:
    plan_for_sale(context.settings, data.payment.plan_id)
    payload.check_person(data.user, data.company.uuid, prefix="user.")
    payload.check_first_passphrase(data)


async def _begin(
    context: RequestContext, ticket_id: int, data: RegisterTeamLeader
) -> tuple[int, bool]:
    """Returns the registration, and whether this call began it or found that of another one."""
    contents = payload.contents_of(data, await hash_secret(data.user.password))
    try:
        async with ticket_transaction(context.database, ticket_id) as connection:
            found = await queries.lock_ticket(connection, ticket_id)
            assert found is not None
            raced = await queries.registration_of_ticket(connection, ticket_id)
            if raced is not None:
                return raced, False
            tickets.check_ticket(found)
            return await _store(context, connection, ticket_id, data, contents), True
    except asyncpg.UniqueViolationError as error:
        raise duplicate_error(error) from None


async def _store(
    context: RequestContext,
    connection: Connection,
    ticket_id: int,
    data: RegisterTeamLeader,
    contents: payload.Contents,
) -> int:
    guest = phones.Guest(ticket_id=ticket_id)
    await phones.check_verified(connection, guest, data.user.phone_number, field="user.phoneNumber")
    folded = normalize_email(data.user.email_address)
    if await accounts.address_taken(
        connection, folded, unused_for=timedelta(hours=context.settings.confirm_link_hours)
    ):
        raise AddressInUse(fields={"user.email_address": "email_in_use"})
    if await queries.uuid_taken(connection, data.company.uuid, data.user.uuid):
        raise UuidTaken
    registration_id = await queries.begin_registration(
        connection,
        ticket_id=ticket_id,
        company_uuid=data.company.uuid,
        user_uuid=data.user.uuid,
        address_hash=context.keys.mac("registrations", folded),
        origin=context.origin,
        request_id=context.request_id,
        language=context.language,
    )
    sealed = payload.seal_contents(context.keys, registration_id, contents)
    await queries.set_registration_sealed(connection, registration_id, sealed)
    await register_company.enqueue(
        connection, registration_id, key=f"registration-{registration_id}"
    )
    return registration_id


async def _wait(
    context: RequestContext, registration_id: int, data: RegisterTeamLeader, *, begun: bool
) -> StartedSession:
    """Waits for the outcome. Reports on a registration only to callers who know its secret."""
    deadline = time.monotonic() + context.settings.registration_seconds
    known = begun
    while True:
        async with registration_transaction(context.database, registration_id) as connection:
            row = await queries.find_registration(connection, registration_id)
        if row is None or not row.recent or row.company_uuid != data.company.uuid:
            raise SignupTicketUsed
        if row.state == "failed":
            raise _failure(row)
        if not known:
            if not await _knows_secret(context, row, data.user.password):
                raise SignupTicketUsed
            known = True
        if row.state == "done":
            assert row.company_id is not None
            assert row.user_id is not None
            return await start_session(context, row.company_id, row.user_id, second_factor="sms")
        # A process that stops gives up calls that take long; others go on with the work.
        if time.monotonic() > deadline or context.resources.announcements.is_closed:
            raise RegistrationUnderWay(retry_after=2)
        await asyncio.sleep(0.1)


async def _knows_secret(context: RequestContext, row: Registration, secret: str) -> bool:
    if row.state == "pending":
        contents = payload.open_contents(context.keys, row.id, row.sealed)
        return await secret_matches(contents.password_hash, secret)
    assert row.company_id is not None
    assert row.user_id is not None
    async with context.database.tenant(row.company_id) as connection:
        account = await accounts.account(connection, row.user_id)
    stored = account.password_hash if account else None
    return await secret_matches(stored, secret)


def _failure(row: Registration) -> TesseraError:
    kind = FAILURES.get(row.error_code or "", errors.CardProviderUnavailable)
    details = json.loads(row.error_details)
    if kind is errors.CardDeclined:
        return errors.CardDeclined(details.get("declineCode", ""), details.get("reason", ""))
    return kind()
