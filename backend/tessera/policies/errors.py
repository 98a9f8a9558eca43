"""Each names a policy that would have shut out the leader who saves it."""

from tessera.errors import TesseraError


class OwnNetworkLeftOut(TesseraError, status=409): ...


class OwnCountryLeftOut(TesseraError, status=409): ...


class OwnSecondFactorLeftOut(TesseraError, status=409): ...


class OwnSessionTooLong(TesseraError, status=409): ...


class OwnClientTooOld(TesseraError, status=409): ...


class PolicyNotTighter(TesseraError, status=422):
    """Longer than the platform's own limit."""


class CountriesNotOffered(TesseraError, status=422):
    """The platform has no database of countries."""


class ClientVersionUnknown(TesseraError, status=422):
    """Newer than any version that exists."""
