from tessera.errors import TesseraError


class ApiTokenNotFound(TesseraError, status=404): ...


class TooManyApiTokens(TesseraError, status=409): ...


class ApiTokenNetworkOutside(TesseraError, status=422):
    """The company's policies do not admit all of it."""


class ApiTokenExpiryInvalid(TesseraError, status=422): ...
