from tessera.errors import TesseraError


class DomainNotFound(TesseraError, status=404): ...


class TooManyDomains(TesseraError, status=409): ...


class DomainTaken(TesseraError, status=409):
    """Another company has proved it."""


class DomainRecordMissing(TesseraError, status=409):
    """The DNS holds no TXT record with the token."""


class DomainLookupFailed(TesseraError, status=503):
    """The DNS did not answer."""
