from tessera.errors import TesseraError


class KeyHolderExists(TesseraError):
    """Another member holds the second copy; a company has one."""

    status = 409


class KeyHolderNotActive(TesseraError):
    status = 409


class KeyHolderHasNoKeys(TesseraError):
    status = 409


class KeyNotHeld(TesseraError):
    """The caller is not, or no longer, the second key holder."""

    status = 404


class KeyHolderOutdated(TesseraError):
    """The caller's key is of a former passphrase."""

    status = 409


class LeaderHoldsKey(TesseraError):
    status = 409


class LeaderHasNoKeys(TesseraError):
    status = 409
