from tessera.errors import LimitExceeded, TesseraError


class LoginFailed(TesseraError, status=401): ...


class PasswordNotDerived(TesseraError, status=422): ...


class EnvelopeMalformed(TesseraError, status=422): ...


class HashingBusy(TesseraError, status=503):
    """Too many passwords are waiting to be checked."""

    code = "busy"


class AccountDisabled(TesseraError, status=403): ...


class CompanyDisabled(TesseraError, status=403): ...


class CompanyDisabledForReason(TesseraError, status=403):
    code = "company_disabled"
    message_key = "company_disabled_for_reason"


class CodeWrong(TesseraError, status=400): ...


class CodeExpired(TesseraError, status=400): ...


class CodeUsedUp(TesseraError, status=400): ...


class TooSoonForNextCode(TesseraError, status=429):
    code = "code_too_soon"


class TooManyCodes(TesseraError, status=429): ...


class TooManyMails(LimitExceeded):
    pass


class LinkUnknown(TesseraError, status=404): ...


class LinkExpired(TesseraError, status=409): ...


class LinkUsed(TesseraError, status=409): ...


class LinkOfAnotherAccount(TesseraError, status=403): ...


class OldPasswordWrong(TesseraError, status=403): ...


class KeysChanged(TesseraError, status=409):
    """The password change does not reseal exactly what the user key seals."""


class AddressInUse(TesseraError, status=409): ...


class NothingToChange(TesseraError, status=409): ...


class NoSuchChange(TesseraError, status=404): ...


class CountryNotServed(TesseraError, status=422): ...


class CodeUsed(TesseraError, status=400): ...


class RecoveryCodeWrong(TesseraError, status=400): ...


class SessionNotFound(TesseraError, status=404): ...


class AuthenticatorNotOn(TesseraError, status=404): ...


class AuthenticatorNotStarted(TesseraError, status=409): ...


class AuthenticatorUnreadable(TesseraError, status=503):
    """Modified in the database, or the platform key is a different one."""


class SmsTurnedOff(TesseraError, status=403):
    """Said after the password was checked."""


class SsoRequired(TesseraError, status=403):
    """Said after the password was checked."""


class RecoveryCodeNeeded(TesseraError, status=403):
    """The leader of a company that requires single sign-on logs in with nothing else."""


class AuthenticatorNeeded(TesseraError, status=409):
    """The leader's recovery codes, which go with the app, are the way in without a provider."""


class SmsNeeded(TesseraError, status=409):
    """The user has no other second factor."""
