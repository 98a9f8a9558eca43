from tessera.errors import TesseraError


class PassphraseLocked(TesseraError):
    status = 404
    code = "passphrase_locked"


class FormerPassphraseLocked(TesseraError):
    status = 404
    code = "former_passphrase_locked"


class KeyHandoverMissing(TesseraError):
    status = 404
    code = "key_handover_missing"


class PassphraseEpochStale(TesseraError):
    status = 409
    code = "passphrase_epoch_stale"


class PassphraseNotSealed(TesseraError):
    status = 422
    code = "passphrase_not_sealed"
