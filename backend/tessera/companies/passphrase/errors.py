from tessera.errors import TesseraError


class PassphraseLocked(TesseraError):
    status = 404


class FormerPassphraseLocked(TesseraError):
    status = 404


class KeyHandoverMissing(TesseraError):
    status = 404


class PassphraseEpochStale(TesseraError):
    status = 409


class PassphraseNotSealed(TesseraError):
    status = 422
