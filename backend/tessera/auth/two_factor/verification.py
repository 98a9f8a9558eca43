"""The second factor, after the password and before sensitive actions: a code by SMS, unless the
user has turned that off, or, if the user chose so, from an authenticator app. A recovery code
replaces the app's code, never the SMS code."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from cryptography.exceptions import InvalidTag

from tessera import limits
from tessera.activity.service import record_for
from tessera.auth import errors
from tessera.auth import queries as auth_queries
from tessera.auth.accounts import mail_account
from tessera.auth.queries import Account
from tessera.auth.two_factor import codes, queries, sms
from tessera.auth.two_factor.codes import CodeOwner
from tessera.auth.two_factor.queries import Authenticator
from tessera.auth.two_factor.recovery_codes import hash_code, is_recovery_code
from tessera.auth.two_factor.schemas import AuthenticatorAsked, CodeSent
from tessera.authz.context import RequestContext, SecondFactor, accepts
from tessera.authz.errors import TooManyTries
from tessera.authz.policies import policies_of, refused_factor
from tessera.errors import TesseraError
from tessera.kit import clock, totp
from tessera.kit.database import Connection
from tessera.kit.i18n import Language
from tessera.kit.keys import Keys
from tessera.kit.rate_counters import Count, LimitReached, decrement, increment
from tessera.kit.workflows import Resources
from tessera.notifications import mails
from tessera.settings import Settings

_PURPOSE = "authenticators"


async def ask(
    context: RequestContext, owner: CodeOwner, account: Account
) -> CodeSent | AuthenticatorAsked:
    async with context.database.tenant(owner.company_id) as connection:
        method = await code_method(connection, context.settings, owner.user_id)
        if method is None:
            raise errors.SmsTurnedOff
        factors = await factors_of(connection, context.settings, owner.company_id, owner.user_id)
        factors.check(method)
    if method == "totp":
        return AuthenticatorAsked()
    return await codes.send_code(context, owner, account.phone_number, Language(account.language))


async def code_method(
    connection: Connection, settings: Settings, user_id: int
) -> Literal["sms", "totp"] | None:
    """Returns where the user's codes come from; None if only a passkey is accepted."""
    if await queries.authenticator_in_use(connection, user_id) is not None:
        return "totp"
    return None if await sms.is_off(connection, settings, user_id) else "sms"


@dataclass(frozen=True)
class Factors:
    """What the user may prove: what the company's policies accept of what is set up or, if that is
    nothing, all of it, for a session in which one can only set up what they accept."""

    usable: frozenset[SecondFactor]
    allowed: Sequence[SecondFactor] | None

    def __contains__(self, factor: SecondFactor | None) -> bool:
        accepted = {each for each in self.usable if accepts(self.allowed, each)}
        return factor in (accepted or self.usable)

    def check(self, factor: SecondFactor) -> None:
        if factor not in self:
            raise refused_factor(self.allowed)


async def factors_of(
    connection: Connection, settings: Settings, company_id: int, user_id: int
) -> Factors:
    method = await code_method(connection, settings, user_id)
    usable: set[SecondFactor] = {method} if method else set()
    state = await queries.sms_state(connection, user_id)
    if state.has_passkeys and sms.passkey_host(settings) is not None:
        usable.add("passkey")
    policies = await policies_of(connection, company_id)
    return Factors(frozenset(usable), policies.second_factors)


async def check(context: RequestContext, owner: CodeOwner, data: str) -> Literal["sms", "totp"]:
    """Returns where the code came from; a recovery code stands for the app's."""
    async with context.database.tenant(owner.company_id) as connection:
        chosen = await queries.authenticator_in_use(connection, owner.user_id)
        sms_off = await sms.is_off(connection, context.settings, owner.user_id)
        factors = await factors_of(connection, context.settings, owner.company_id, owner.user_id)
    if chosen is None:
        if is_recovery_code(data):
            raise errors.RecoveryCodeWrong
        if sms_off:
            raise errors.SmsTurnedOff
        factors.check("sms")
        await codes.check_code(context, owner, data)
        return "sms"
    factors.check("totp")
    attempt = await count_attempt(context, owner.user_id)
    if is_recovery_code(data):
        await _use_recovery_code(context, owner, data, attempt)
    else:
        secret = open_secret(context.resources, chosen)
        step = totp.matching_step(secret, data, totp.step_at(clock.now()))
        if step is None:
            raise attempt.wrong(errors.CodeWrong(left=attempt.left))
        async with context.database.tenant(owner.company_id) as connection:
            if not await queries.use_step(connection, chosen.id, step):
                raise attempt.wrong(errors.CodeUsed())
    await attempt.take_back(context)
    return "totp"


async def _use_recovery_code(
    context: RequestContext, owner: CodeOwner, data: str, attempt: "CountedAttempt"
) -> None:
    hashed = hash_code(owner.company_id, owner.user_id, data)
    async with context.database.tenant(owner.company_id) as connection:
        if not await queries.use_recovery_code(connection, owner.user_id, hashed):
            raise attempt.wrong(errors.RecoveryCodeWrong())
        left = await queries.recovery_codes_left(connection, owner.user_id)
        account = await auth_queries.account(connection, owner.user_id)
        assert account is not None
        await record_for(
            connection,
            context,
            owner.company_id,
            "recoveryCode.used",
            actor_uuid=account.uuid,
            actor_name=account.name,
            details={"left": left},
        )
        await mail_account(connection, context.keys, account, mails.RecoveryCodeUsed(left=left))


@dataclass(frozen=True)
class CountedAttempt:
    """An attempt that was counted and committed before any comparison."""

    counts: Sequence[Count]

    @property
    def left(self) -> int:
        return min(count.left for count in self.counts)

    def wrong(self, error: TesseraError) -> TesseraError:
        nearest = min(self.counts, key=lambda count: count.left)
        return error if nearest.left > 0 else TooManyTries(nearest.resets_in)

    async def take_back(self, context: RequestContext) -> None:
        await decrement(context.database, *(count.counter for count in self.counts))


async def count_attempt(context: RequestContext, user_id: int) -> CountedAttempt:
    """Allows no more guesses than with SMS codes: limits per code lifetime and per day."""
    counters = [
        context.counter(limit, user_id)
        for limit in (limits.AUTHENTICATOR, limits.AUTHENTICATOR_PER_DAY)
    ]
    try:
        return CountedAttempt(await increment(context.database, counters))
    except LimitReached as reached:
        raise TooManyTries(reached.resets_in) from None


def seal_secret(keys: Keys, company_id: int, user_id: int, secret: bytes) -> bytes:
    return keys.seal(_PURPOSE, secret, _place(company_id, user_id))


def open_secret(resources: Resources, row: Authenticator) -> bytes:
    """Also works while the platform key is being replaced."""
    old = resources.settings.platform_key_old_bytes
    for keys in (resources.keys, Keys(old) if old else None):
        if keys is None:
            continue
        try:
            return keys.open(_PURPOSE, row.sealed_secret, _place(row.company_id, row.user_id))
        except InvalidTag:
            continue
    raise errors.AuthenticatorUnreadable


def _place(company_id: int, user_id: int) -> str:
    return f"authenticator|{company_id}|{user_id}"
