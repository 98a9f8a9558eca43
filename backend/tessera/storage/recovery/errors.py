from tessera.errors import TesseraError


class RecoveryMissing(TesseraError):
    status = 404


class RecoveryStale(TesseraError):
    """Another device was faster; `counter` is the current one."""

    status = 409


class RecoveryMalformed(TesseraError):
    status = 422
