from tessera.errors import LimitExceeded, TesseraError


class LoginFailed(TesseraError):
    status = 401
    code = "login_failed"


class PasswordNotDerived(TesseraError):
    status = 422
    code = "password_not_derived"


class EnvelopeMalformed(TesseraError):
    status = 422
    code = "envelope_malformed"


class TooManyTries(LimitExceeded):
    code = "too_many_tries"


class HashingBusy(TesseraError):
    """Too many passwords are waiting to be checked."""

    status = 503
    code = "busy"


class AccountDisabled(TesseraError):
    status = 403
    code = "account_disabled"


class CompanyDisabled(TesseraError):
    status = 403
    code = "company_disabled"


class CompanyDisabledForReason(CompanyDisabled):
    message_key = "company_disabled_for_reason"


class CodeWrong(TesseraError):
    code = "code_wrong"


class CodeExpired(TesseraError):
    code = "code_expired"


class CodeUsedUp(TesseraError):
    code = "code_used_up"


class TooSoonForNextCode(TesseraError):
    status = 429
    code = "code_too_soon"


class TooManyCodes(TesseraError):
    status = 429
    code = "too_many_codes"


class TooManyMails(LimitExceeded):
    code = "too_many_mails"


class LinkUnknown(TesseraError):
    status = 404
    code = "link_unknown"


class LinkExpired(TesseraError):
    status = 409
    code = "link_expired"


class LinkUsed(TesseraError):
    status = 409
    code = "link_used"


class LinkOfAnotherAccount(TesseraError):
    status = 403
    code = "link_of_another_account"


class OldPasswordWrong(TesseraError):
    status = 403
    code = "old_password_wrong"


class KeysChanged(TesseraError):
    """The password change does not reseal exactly what the user key seals."""

    status = 409
    code = "keys_changed"


class AddressInUse(TesseraError):
    status = 409
    code = "address_in_use"


class NothingToChange(TesseraError):
    status = 409
    code = "nothing_to_change"


class NoSuchChange(TesseraError):
    status = 404
    code = "no_such_change"


class CountryNotServed(TesseraError):
    status = 422
    code = "country_not_served"


class CodeUsed(TesseraError):
    code = "code_used"


class RecoveryCodeWrong(TesseraError):
    code = "recovery_code_wrong"


class SessionNotFound(TesseraError):
    status = 404
    code = "session_not_found"


class AuthenticatorNotOn(TesseraError):
    status = 404
    code = "authenticator_not_on"


class AuthenticatorNotStarted(TesseraError):
    status = 409
    code = "authenticator_not_started"


class AuthenticatorUnreadable(TesseraError):
    """Modified in the database, or the platform key is a different one."""

    status = 503
    code = "authenticator_unreadable"


class SmsTurnedOff(TesseraError):
    """Said after the password was checked."""

    status = 403
    code = "sms_turned_off"


class SmsNeeded(TesseraError):
    """The user has no other second factor."""

    status = 409
    code = "sms_needed"
