from tessera.errors import LimitExceeded, TesseraError


class SpaceExists(TesseraError, status=409): ...


class TooManySpaces(TesseraError, status=409): ...


class LogMovedOn(TesseraError, status=409):
    """The entry was written for another place; `sequence` and `head` are the current ones."""


class EntryTooLarge(TesseraError, status=413): ...


class EntryMalformed(TesseraError, status=422): ...


class EntryRefused(TesseraError, status=422):
    """`reason` says which rule of the log the entry breaks."""


class EntryIdUsed(TesseraError, status=409): ...


class EntryOfSomebodyElse(TesseraError, status=403): ...


class NotTheCompanyLeader(TesseraError, status=409):
    """A space's leader is the company's team leader."""


class GrantMalformed(TesseraError, status=422): ...


class GrantNotFound(TesseraError, status=404):
    """The caller has no grant of this entry."""


class PackIncomplete(TesseraError, status=409):
    """The entry names packs of which fewer than k shards are stored."""


class PackDiffers(TesseraError, status=409):
    """The entry describes packs differently from their upload."""


class StorageRateExceeded(LimitExceeded):
    """The caller has written as many entries or grants as a member may in a day."""
