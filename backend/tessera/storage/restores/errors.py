from tessera.errors import TesseraError


class NotRestoring(TesseraError, status=409):
    """Logs are extended by former entries only after a restore of the service."""


class HistoryDiffers(TesseraError, status=409):
    """The log has another entry at `sequence`."""


class RestoreIncomplete(TesseraError, status=409):
    """Somebody has seen logs beyond the ends that they have now."""
