from tessera.errors import TesseraError


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
