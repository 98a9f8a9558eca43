from tessera.errors import LimitExceeded, TesseraError


class SpaceExists(TesseraError):
    status = 409


class TooManySpaces(TesseraError):
    status = 409


class LogMovedOn(TesseraError):
    """The entry was written for another place; `sequence` and `head` are the current ones."""

    status = 409


class EntryTooLarge(TesseraError):
    status = 413


class EntryMalformed(TesseraError):
    status = 422


class EntryRefused(TesseraError):
    """`reason` says which rule of the log the entry breaks."""

    status = 422


class EntryIdUsed(TesseraError):
    status = 409


class EntryOfSomebodyElse(TesseraError):
    status = 403


class NotTheCompanyLeader(TesseraError):
    """A space's leader is the company's team leader."""

    status = 409


class GrantMalformed(TesseraError):
    status = 422


class GrantNotFound(TesseraError):
    """The caller has no grant of this entry."""

    status = 404


class PackIncomplete(TesseraError):
    """The entry names packs of which fewer than k shards are stored."""

    status = 409


class PackDiffers(TesseraError):
    """The entry describes packs differently from their upload."""

    status = 409


class StorageRateExceeded(LimitExceeded):
    """The caller has written as many entries or grants as a member may in a day."""
