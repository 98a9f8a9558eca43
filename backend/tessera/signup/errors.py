from tessera.errors import TesseraError


class RegistrationPasswordWrong(TesseraError):
    status = 403
    code = "registration_password_wrong"


class SignupTicketNeeded(TesseraError):
    status = 403
    code = "signup_ticket_needed"


class SignupTicketExpired(TesseraError):
    """Expired or unknown: the console asks for the registration password again."""

    status = 403
    code = "signup_ticket_expired"


class SignupTicketUsed(TesseraError):
    status = 409
    code = "signup_ticket_used"


class TooManyPhones(TesseraError):
    status = 429
    code = "too_many_phones"


class PhoneNotVerified(TesseraError):
    status = 409
    code = "phone_not_verified"


class UuidTaken(TesseraError):
    status = 409
    code = "uuid_taken"


class RegistrationUnderWay(TesseraError):
    """Still in progress: repeating the same call returns its outcome."""

    status = 409
    code = "registration_under_way"


class AccessLinkInvalid(TesseraError):
    """Expired, used, withdrawn or unknown."""

    status = 403
    code = "access_link_invalid"


class AccessRequestNotFound(TesseraError):
    status = 404
    code = "access_request_not_found"


class AccessRequestUsed(TesseraError):
    status = 409
    code = "access_request_used"
