from tessera.errors import TesseraError


class CompanyNameDoesNotMatch(TesseraError):
    status = 422
    code = "company_name_does_not_match"


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


class KeyHolderExists(TesseraError):
    """Another member holds the second copy; a company has one."""

    status = 409
    code = "key_holder_exists"


class KeyHolderNotActive(TesseraError):
    status = 409
    code = "key_holder_not_active"


class KeyHolderHasNoKeys(TesseraError):
    status = 409
    code = "key_holder_has_no_keys"


class KeyNotHeld(TesseraError):
    """The caller is not, or no longer, the second key holder."""

    status = 404
    code = "key_not_held"


class KeyHolderOutdated(TesseraError):
    """The caller's key is of a former passphrase."""

    status = 409
    code = "key_holder_outdated"


class LeaderHoldsKey(TesseraError):
    status = 409
    code = "leader_holds_key"


class LeaderHasNoKeys(TesseraError):
    status = 409
    code = "leader_has_no_keys"
