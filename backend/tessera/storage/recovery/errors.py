from tessera.errors import TesseraError


class RecoveryMissing(TesseraError, status=404): ...


class RecoveryStale(TesseraError, status=409):
    """Another device was faster; `counter` is the current one."""


class RecoveryMalformed(TesseraError, status=422): ...
