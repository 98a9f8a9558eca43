from tessera.errors import TesseraError


class ActivityStreamOff(TesseraError, status=409): ...


class StreamNeedsWebhook(TesseraError, status=409): ...


class StreamNeedsOwnWarehouse(TesseraError, status=404): ...
