from tessera.errors import TesseraError


class RecoveryMissing(TesseraError):
    status = 404
    code = "recovery_missing"


class RecoveryStale(TesseraError):
    """Another device was faster; `counter` is the current one."""

    status = 409
    code = "recovery_stale"


class RecoveryMalformed(TesseraError):
    status = 422
    code = "recovery_malformed"
