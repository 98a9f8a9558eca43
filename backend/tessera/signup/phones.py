"""Verifies the phone of somebody without an account, for a ticket or an invite. The rules are those
of all codes: six digits, five minutes, five attempts, newest only."""

import hmac
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import timedelta

from tessera import limits
from tessera.auth import errors
from tessera.auth.two_factor import codes, sms_limits
from tessera.auth.two_factor.schemas import CodeSent
from tessera.authz.context import RequestContext
from tessera.authz.tenancy import PLATFORM_COMPANY
from tessera.errors import TesseraError
from tessera.invites.links import find_invite, open_invite
from tessera.kit.database import Connection, enter_tenant
from tessera.signup import phone_queries, tickets
from tessera.signup.errors import PhoneNotVerified, TooManyPhones
from tessera.signup.schemas import PhoneCodeCheck, PhoneVerified
from tessera.signup.transactions import ticket_transaction


@dataclass(frozen=True)
class Guest:
    """The holder of a sign-up ticket or of an invite."""

    ticket_id: int | None = None
    company_id: int | None = None
    invite_id: int | None = None

    @property
    def ids(self) -> tuple[int | None, int | None]:
        return self.ticket_id, self.invite_id

    @property
    def sent_by(self) -> int:
        """The company that the SMS belongs to; the platform if there is no company yet."""
        return self.company_id or PLATFORM_COMPANY

    def recipient(self, phone_number: str) -> sms_limits.Recipient:
        return sms_limits.Recipient("phone", phone_number, self.company_id)


async def send_code(
    context: RequestContext, ticket: str, invite: str, phone_number: str
) -> CodeSent:
    settings = context.settings
    guest = await _guest(context, ticket, invite)
    codes.check_country(context, phone_number)
    async with _transaction(context, guest) as connection:
        await _check_send(context, connection, guest, phone_number)
    recipient = guest.recipient(phone_number)
    await sms_limits.count_send(context, recipient)
    try:
        async with _transaction(context, guest) as connection:
            await enter_tenant(connection, guest.sent_by)
            await phone_queries.lock_holder(connection, *guest.ids)
            await _check_send(context, connection, guest, phone_number)
            await _add_code(context, connection, guest, phone_number)
    except TesseraError:
        await sms_limits.refund_attempt(context, recipient)
        raise
    return codes.code_sent(phone_number, settings.code_seconds, settings.code_resend_seconds)


async def _add_code(
    context: RequestContext, connection: Connection, guest: Guest, phone_number: str
) -> None:
    code = await codes.enqueue_code(
        connection,
        context,
        company_id=guest.sent_by,
        to=phone_number,
        language=context.language,
        text="phone",
    )
    await phone_queries.add(
        connection,
        ticket_id=guest.ticket_id,
        company_id=guest.company_id,
        invite_id=guest.invite_id,
        phone_number=phone_number,
        code_hash=_hash(context, guest, phone_number, code),
        lasting=timedelta(seconds=context.settings.code_seconds),
    )


async def verify_phone(
    context: RequestContext, ticket: str, invite: str, data: PhoneCodeCheck
) -> PhoneVerified:
    """Commits the attempt before the comparison, as for all codes."""
    guest = await _guest(context, ticket, invite)
    async with _transaction(context, guest) as connection:
        newest = await phone_queries.newest(connection, *guest.ids)
        if (
            newest is None
            or newest.consumed_at
            or newest.expires_in <= 0
            or newest.phone_number != data.phone_number
        ):
            raise errors.CodeExpired
        taken = await codes.take_code_attempt(
            connection, "guest_codes", newest.id, limits.CODE.maximum
        )
    if taken is None:
        raise errors.CodeUsedUp
    expected = _hash(context, guest, data.phone_number, data.otp)
    if not hmac.compare_digest(taken.code_hash, expected):
        left = limits.CODE.maximum - taken.tries
        raise errors.CodeWrong(left=left) if left else errors.CodeUsedUp()
    async with _transaction(context, guest) as connection:
        if not await codes.consume_code(connection, "guest_codes", newest.id):
            raise errors.CodeExpired
    await sms_limits.refund_recipient(context, guest.recipient(data.phone_number))
    return PhoneVerified(phone_number=data.phone_number)


async def check_verified(
    connection: Connection, guest: Guest, phone_number: str, *, field: str
) -> None:
    if not await phone_queries.is_verified(connection, *guest.ids, phone_number):
        raise PhoneNotVerified(fields={field: "phone_not_verified"})


async def _guest(context: RequestContext, ticket: str, invite: str) -> Guest:
    if invite and not ticket:
        company_id, invite_id = await find_invite(context, invite)
        async with context.database.tenant(company_id) as connection:
            await open_invite(connection, invite_id)
        return Guest(company_id=company_id, invite_id=invite_id)
    return Guest(ticket_id=await tickets.require_ticket(context, ticket))


def _transaction(context: RequestContext, guest: Guest) -> AbstractAsyncContextManager[Connection]:
    """Row-level security shows the guest's own codes, for an invite those of its company."""
    if guest.ticket_id is not None:
        return ticket_transaction(context.database, guest.ticket_id)
    assert guest.company_id is not None
    return context.database.tenant(guest.company_id)


async def _check_send(
    context: RequestContext, connection: Connection, guest: Guest, phone_number: str
) -> None:
    settings = context.settings
    newest = await phone_queries.newest(connection, *guest.ids)
    if newest is not None and newest.phone_number == phone_number and not newest.consumed_at:
        wait = int(settings.code_resend_seconds - newest.age)
        if wait > 0:
            raise errors.TooSoonForNextCode(seconds=wait, retry_after=wait)
    sends = await phone_queries.sends(connection, *guest.ids, phone_number)
    if sends.phones > limits.TICKET_PHONES.maximum:
        raise TooManyPhones(fields={"phoneNumber": "phones_used_up"})
    if sends.sent >= limits.TICKET_SMS.maximum:
        raise errors.TooManyCodes


def _hash(context: RequestContext, guest: Guest, phone_number: str, code: str) -> bytes:
    parts = ("guest", guest.ticket_id, guest.company_id, guest.invite_id, phone_number, code)
    return context.keys.mac("codes", "|".join(map(str, parts)))
