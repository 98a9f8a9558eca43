from tessera.errors import TesseraError


class StorageKeysMissing(TesseraError, status=404):
    """The caller has not made keys yet."""


class StorageKeysExist(TesseraError, status=409):
    """Keys are replaced only after a password reset or the loss of a device."""


class StorageKeysStale(TesseraError, status=409):
    """Another device has stored a newer envelope; `revision` is the current one."""


class PublicKeysUnusable(TesseraError, status=422): ...


class KeyHandoverMalformed(TesseraError, status=422): ...


class KeyHandoverStale(TesseraError, status=409):
    """The passphrase or the keys of the new leader have changed."""


class SubjectKeysChanged(TesseraError, status=409):
    """The entry names keys that are not the ones this active member has registered."""
