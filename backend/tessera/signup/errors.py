from tessera.errors import TesseraError


class RegistrationPasswordWrong(TesseraError, status=403): ...


class SignupTicketNeeded(TesseraError, status=403): ...


class SignupTicketExpired(TesseraError, status=403):
    """Expired or unknown: the console asks for the registration password again."""


class SignupTicketUsed(TesseraError, status=409): ...


class TooManyPhones(TesseraError, status=429): ...


class PhoneNotVerified(TesseraError, status=409): ...


class UuidTaken(TesseraError, status=409): ...


class RegistrationUnderWay(TesseraError, status=409):
    """Still in progress: repeating the same call returns its outcome."""


class AccessLinkInvalid(TesseraError, status=403):
    """Expired, used, withdrawn or unknown."""


class AccessRequestNotFound(TesseraError, status=404): ...


class AccessRequestUsed(TesseraError, status=409): ...
