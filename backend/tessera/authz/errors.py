from tessera.errors import LimitExceeded, TesseraError


class SessionRequired(TesseraError, status=401): ...


class SessionExpired(TesseraError, status=401): ...


class SessionEnded(TesseraError, status=401):
    """Somebody has ended the session of a computer, or removed its user: the client program erases
    its keys there."""


class Forbidden(TesseraError, status=403): ...


class ClientSessionForbidden(TesseraError, status=403):
    """A session of the client program calls something that only a browser may."""


class ApiTokenInvalid(TesseraError, status=401): ...


class ApiTokenExpired(TesseraError, status=401): ...


class ApiTokenRevoked(TesseraError, status=401):
    """Or the leader who made it no longer leads the company, which may be disabled."""


class ApiTokenAddressRefused(TesseraError, status=403): ...


class ApiTokenScopeMissing(TesseraError, status=403): ...


class ApiTokenForbidden(TesseraError, status=403):
    """The call is closed to every API token."""


class NetworkRefused(TesseraError, status=403):
    """The company's policies: the login or the session's request comes from elsewhere."""


class CountryRefused(TesseraError, status=403):
    """The company's policies."""


class CountryUnknown(TesseraError, status=403):
    """The company's policies name countries, and the address belongs to none."""


class ClientTooOld(TesseraError, status=403):
    """The company's policies."""


class SecondFactorRefused(TesseraError, status=403):
    """The company's policies: the session was opened with a kind that no longer counts, or one
    that counts is set up and has to be used."""


class SubscriptionRequired(TesseraError, status=403): ...


class VerificationRequired(TesseraError, status=403): ...


class QuerySecretsRefused(TesseraError, status=400): ...


class FieldGivenTwice(TesseraError, status=400): ...


class CompanyNotFound(TesseraError, status=404): ...


class CompanyNotSelected(TesseraError, status=403):
    """A platform admin asks for the members or invites of the platform's own company."""


class PlatformCompanyIsFixed(TesseraError, status=403): ...


class TooManyTries(LimitExceeded): ...
