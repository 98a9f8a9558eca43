from tessera.errors import TesseraError


class StorageKeysMissing(TesseraError):
    """The caller has not made keys yet."""

    status = 404


class StorageKeysExist(TesseraError):
    """Keys are replaced only after a password reset or the loss of a device."""

    status = 409


class StorageKeysStale(TesseraError):
    """Another device has stored a newer envelope; `revision` is the current one."""

    status = 409


class PublicKeysUnusable(TesseraError):
    status = 422


class KeyHandoverMalformed(TesseraError):
    status = 422


class KeyHandoverStale(TesseraError):
    """The passphrase or the keys of the new leader have changed."""

    status = 409


class SubjectKeysChanged(TesseraError):
    """The entry names keys that are not the ones this active member has registered."""

    status = 409
