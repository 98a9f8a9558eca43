from tessera.errors import LimitExceeded, TesseraError


class SessionRequired(TesseraError, status=401): ...


class SessionExpired(TesseraError, status=401): ...


class Forbidden(TesseraError, status=403): ...


class ClientSessionForbidden(TesseraError, status=403):
    """A session of the client program calls something that only a browser may."""


class SubscriptionRequired(TesseraError, status=403): ...


class VerificationRequired(TesseraError, status=403): ...


class QuerySecretsRefused(TesseraError, status=400): ...


class FieldGivenTwice(TesseraError, status=400): ...


class CompanyNotFound(TesseraError, status=404): ...


class CompanyNotSelected(TesseraError, status=403):
    """A platform admin asks for the members or invites of the platform's own company."""


class PlatformCompanyIsFixed(TesseraError, status=403): ...


class TooManyTries(LimitExceeded): ...
