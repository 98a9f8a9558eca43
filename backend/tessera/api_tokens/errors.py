from tessera.errors import TesseraError


class ApiTokenNotFound(TesseraError, status=404): ...


class TooManyApiTokens(TesseraError, status=409): ...


class ApiTokenExpiryInvalid(TesseraError, status=422): ...
