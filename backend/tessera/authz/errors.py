from tessera.errors import TesseraError


class SessionRequired(TesseraError):
    status = 401
    code = "session_required"


class SessionExpired(TesseraError):
    status = 401
    code = "session_expired"


class Forbidden(TesseraError):
    status = 403
    code = "forbidden"


class ClientSessionForbidden(TesseraError):
    """A session of the client program calls something that only a browser may."""

    status = 403
    code = "client_session_forbidden"


class SubscriptionRequired(TesseraError):
    status = 403
    code = "subscription_required"


class VerificationRequired(TesseraError):
    status = 403
    code = "verification_required"


class QuerySecretsRefused(TesseraError):
    status = 400
    code = "query_secrets_refused"


class FieldGivenTwice(TesseraError):
    status = 400
    code = "field_given_twice"


class CompanyNotFound(TesseraError):
    status = 404
    code = "company_not_found"


class CompanyNotSelected(TesseraError):
    """A platform admin asks for the members or invites of the platform's own company."""

    status = 403
    code = "company_not_selected"


class PlatformCompanyIsFixed(TesseraError):
    status = 403
    code = "platform_company_is_fixed"
