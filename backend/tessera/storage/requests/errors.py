from tessera.errors import TesseraError


class RequestsForbidden(TesseraError, status=403): ...


class RequestTooLong(TesseraError, status=422): ...


class TooManyOwnRequests(TesseraError, status=409): ...


class TooManyRequestLinks(TesseraError, status=409): ...


class RequestExists(TesseraError, status=409): ...


class RequestNotFound(TesseraError, status=404): ...


class RequestExpired(TesseraError, status=410): ...


class RequestEnded(TesseraError, status=410): ...


class RequestTokenWrong(TesseraError, status=403): ...


class RequestFull(TesseraError, status=409):
    """`left` bytes remain of what the request takes."""


class TooManyArrivals(TesseraError, status=409): ...


class RequestTransferReached(TesseraError, status=429): ...


class ArrivalExists(TesseraError, status=409): ...


class ArrivalIncomplete(TesseraError, status=409): ...


class ArrivalNotFound(TesseraError, status=404): ...


class PieceWrong(TesseraError, status=422): ...
