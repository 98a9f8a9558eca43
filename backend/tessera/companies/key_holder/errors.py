from tessera.errors import TesseraError


class KeyHolderExists(TesseraError, status=409):
    """Another member holds the second copy; a company has one."""


class KeyHolderNotActive(TesseraError, status=409): ...


class KeyHolderHasNoKeys(TesseraError, status=409): ...


class KeyNotHeld(TesseraError, status=404):
    """The caller is not, or no longer, the second key holder."""


class KeyHolderOutdated(TesseraError, status=409):
    """The caller's key is of a former passphrase."""


class LeaderHoldsKey(TesseraError, status=409): ...


class LeaderHasNoKeys(TesseraError, status=409): ...
