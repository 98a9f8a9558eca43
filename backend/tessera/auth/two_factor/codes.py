"""Six-digit SMS codes: five minutes, five attempts, newest only, one purpose, one session."""

import hmac
import secrets
from dataclasses import dataclass
from datetime import timedelta
from typing import Self

import phonenumbers

from tessera import limits
from tessera.auth import errors
from tessera.auth.two_factor import queries, sms_limits
from tessera.auth.two_factor.queries import SENT_CODE, SentCode, consume_code, take_code_attempt
from tessera.auth.two_factor.schemas import CodeSent
from tessera.authz import queries as authz_queries
from tessera.authz.context import CurrentUser, RequestContext
from tessera.kit.database import Connection
from tessera.kit.i18n import Language
from tessera.notifications.service import SmsText, enqueue_sms

# Queries that other features call.
__all__ = ["SENT_CODE", "SentCode", "consume_code", "take_code_attempt"]


@dataclass(frozen=True)
class CodeOwner:
    company_id: int
    user_id: int
    purpose: SmsText
    session_id: int | None = None

    @classmethod
    def of(cls, user: CurrentUser, purpose: SmsText) -> Self:
        """For a code that counts in the user's session only."""
        return cls(user.company_id, user.user_id, purpose, user.session_id)


async def send_code(
    context: RequestContext,
    owner: CodeOwner,
    phone_number: str,
    language: Language,
) -> CodeSent:
    """Sends a code. One sent moments ago stays valid; the response then says how long to wait."""
    settings = context.settings
    async with context.database.tenant(owner.company_id) as connection:
        recent = await _still_fresh(context, connection, owner, phone_number)
    if recent is not None:
        return recent
    recipient = _recipient(owner, phone_number)
    await sms_limits.count_send(context, recipient)
    async with context.database.tenant(owner.company_id) as connection:
        await authz_queries.lock_user(connection, owner.user_id)
        raced = await _still_fresh(context, connection, owner, phone_number)
        if raced is None:
            await _add_code(context, connection, owner, phone_number, language)
    if raced is not None:
        await sms_limits.refund_attempt(context, recipient)
        return raced
    return code_sent(phone_number, settings.code_seconds, settings.code_resend_seconds)


async def _add_code(
    context: RequestContext,
    connection: Connection,
    owner: CodeOwner,
    phone_number: str,
    language: Language,
) -> None:
    code = await enqueue_code(
        connection,
        context,
        company_id=owner.company_id,
        to=phone_number,
        language=language,
        text=owner.purpose,
    )
    await queries.add_code(
        connection,
        company_id=owner.company_id,
        user_id=owner.user_id,
        session_id=owner.session_id,
        purpose=owner.purpose,
        phone_number=phone_number,
        code_hash=_hash(context, owner, phone_number, code),
        lasting=timedelta(seconds=context.settings.code_seconds),
    )


async def enqueue_code(
    connection: Connection,
    context: RequestContext,
    *,
    company_id: int,
    to: str,
    language: Language,
    text: SmsText,
) -> str:
    """Enqueues an SMS with a new code and returns the code."""
    code = f"{secrets.randbelow(1_000_000):06d}"
    await enqueue_sms(
        connection,
        context.keys,
        company_id=company_id,
        to=to,
        language=language,
        text=text,
        code=code,
    )
    return code


async def _still_fresh(
    context: RequestContext, connection: Connection, owner: CodeOwner, phone_number: str
) -> CodeSent | None:
    """Returns the newest code while it is too early to send another one to the same number."""
    newest = await queries.newest_code(connection, owner.user_id, owner.purpose, owner.session_id)
    if newest is None or newest.consumed_at or newest.phone_number != phone_number:
        return None
    wait = int(context.settings.code_resend_seconds - newest.age)
    return code_sent(phone_number, newest.expires_in, wait) if wait > 0 else None


def check_country(context: RequestContext, phone_number: str) -> None:
    """Call before sending a code to a number that a user typed in: expensive destinations are what
    SMS pumping profits from."""
    allowed = context.settings.sms_countries
    if not allowed:
        return
    codes = {phonenumbers.country_code_for_region(region) for region in allowed}
    try:
        is_served = phonenumbers.parse(phone_number).country_code in codes
    except phonenumbers.NumberParseException:
        is_served = False
    if not is_served:
        raise errors.CountryNotServed(fields={"phoneNumber": "phone_country"})


async def check_code(context: RequestContext, owner: CodeOwner, code: str) -> str:
    """Consumes the code and returns the phone number it was sent to. The attempt is committed
    before the comparison, so neither a crash nor parallel guesses gain an extra one."""
    async with context.database.tenant(owner.company_id) as connection:
        newest = await queries.newest_code(
            connection, owner.user_id, owner.purpose, owner.session_id
        )
        if newest is None or newest.consumed_at or newest.expires_in <= 0:
            raise errors.CodeExpired
        taken = await queries.take_code_attempt(connection, "codes", newest.id, limits.CODE.maximum)
    if taken is None:
        raise errors.CodeUsedUp
    phone_number = newest.phone_number
    if not hmac.compare_digest(taken.code_hash, _hash(context, owner, phone_number, code)):
        left = limits.CODE.maximum - taken.tries
        raise errors.CodeWrong(left=left) if left else errors.CodeUsedUp()
    async with context.database.tenant(owner.company_id) as connection:
        if not await queries.consume_code(connection, "codes", newest.id):
            raise errors.CodeExpired
    await sms_limits.refund_recipient(context, _recipient(owner, phone_number))
    return phone_number


def _recipient(owner: CodeOwner, phone_number: str) -> sms_limits.Recipient:
    return sms_limits.Recipient(owner.purpose, phone_number, owner.company_id, owner.user_id)


def _hash(context: RequestContext, owner: CodeOwner, phone_number: str, code: str) -> bytes:
    parts = (owner.company_id, owner.user_id, owner.session_id, owner.purpose, phone_number, code)
    return context.keys.mac("codes", "|".join(map(str, parts)))


def code_sent(phone_number: str, expires_in: int, resend_in: int) -> CodeSent:
    return CodeSent(
        sent_to=mask_phone(phone_number), expires_in=max(expires_in, 0), resend_in=resend_in
    )


def mask_phone(phone_number: str) -> str:
    """Masks a number as +1•••••••12: recognisable to its owner, of no use to others."""
    head, tail = phone_number[:2], phone_number[-2:]
    return head + "•" * max(len(phone_number) - 4, 0) + tail
