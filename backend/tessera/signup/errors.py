from tessera.errors import TesseraError


class RegistrationPasswordWrong(TesseraError):
    status = 403


class SignupTicketNeeded(TesseraError):
    status = 403


class SignupTicketExpired(TesseraError):
    """Expired or unknown: the console asks for the registration password again."""

    status = 403


class SignupTicketUsed(TesseraError):
    status = 409


class TooManyPhones(TesseraError):
    status = 429


class PhoneNotVerified(TesseraError):
    status = 409


class UuidTaken(TesseraError):
    status = 409


class RegistrationUnderWay(TesseraError):
    """Still in progress: repeating the same call returns its outcome."""

    status = 409


class AccessLinkInvalid(TesseraError):
    """Expired, used, withdrawn or unknown."""

    status = 403


class AccessRequestNotFound(TesseraError):
    status = 404


class AccessRequestUsed(TesseraError):
    status = 409
