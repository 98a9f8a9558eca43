from tessera.errors import TesseraError


class SsoNotAvailable(TesseraError, status=404):
    """No company has proved the address's domain and set up a provider."""


class SsoProviderNotFound(TesseraError, status=404): ...


class TooManySsoProviders(TesseraError, status=409): ...


class SsoProviderNotSetUp(TesseraError, status=409):
    """Nobody can be led to a provider without an issuer."""


class SsoDefaultNeeded(TesseraError, status=409):
    """Domains that name no provider would lead nowhere."""


class SsoDomainNotProved(TesseraError, status=404):
    """By this company, now or before it was lost."""


class SsoProviderRefused(TesseraError, status=422):
    """The provider that a leader saves cannot be used."""


class SsoStillRequired(TesseraError, status=409):
    """Accounts are linked to the provider, or domains lead to it."""


class SsoNotTried(TesseraError, status=409):
    """The leader has not logged in by a provider yet."""


class SsoNeedsRecoveryCodes(TesseraError, status=409):
    """With which the leader gets in when the provider does not answer."""


class SsoUnavailable(TesseraError, status=503):
    """The provider did not answer, or its configuration is not usable."""


class SsoSecretUnreadable(TesseraError, status=503):
    """Modified in the database, or the platform key is a different one."""


class SsoLoginExpired(TesseraError, status=409):
    """Also one of another browser, or one that was used."""


class SsoClientLoginUnknown(TesseraError, status=404):
    """No computer waits under this code, or not for this company."""


class SsoClientLoginRefused(TesseraError, status=403):
    """Somebody has refused it in the browser."""


class SsoAnswerRefused(TesseraError, status=403):
    """What the provider sent back does not prove who the person is."""


class SsoLogoutRefused(TesseraError, status=400):
    """Not a logout token of this provider, or one that was used."""


class SsoAccountUnknown(TesseraError, status=403):
    """Nobody in the company is, or may become, that account of the provider."""


class SsoAccountTaken(TesseraError, status=409):
    """Another member is linked to it, or this one to another."""
