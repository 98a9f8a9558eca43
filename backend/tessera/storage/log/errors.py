from tessera.errors import LimitExceeded, TesseraError


class SpaceExists(TesseraError):
    status = 409
    code = "space_exists"


class TooManySpaces(TesseraError):
    status = 409
    code = "too_many_spaces"


class LogMovedOn(TesseraError):
    """The entry was written for another place; `sequence` and `head` are the current ones."""

    status = 409
    code = "log_moved_on"


class EntryTooLarge(TesseraError):
    status = 413
    code = "entry_too_large"


class EntryMalformed(TesseraError):
    status = 422
    code = "entry_malformed"


class EntryRefused(TesseraError):
    """`reason` says which rule of the log the entry breaks."""

    status = 422
    code = "entry_refused"


class EntryIdUsed(TesseraError):
    status = 409
    code = "entry_id_used"


class EntryOfSomebodyElse(TesseraError):
    status = 403
    code = "entry_of_somebody_else"


class NotTheCompanyLeader(TesseraError):
    """A space's leader is the company's team leader."""

    status = 409
    code = "not_the_company_leader"


class GrantMalformed(TesseraError):
    status = 422
    code = "grant_malformed"


class GrantNotFound(TesseraError):
    """The caller has no grant of this entry."""

    status = 404
    code = "grant_not_found"


class PackIncomplete(TesseraError):
    """The entry names packs of which fewer than k shards are stored."""

    status = 409
    code = "pack_incomplete"


class PackDiffers(TesseraError):
    """The entry describes packs differently from their upload."""

    status = 409
    code = "pack_differs"


class StorageRateExceeded(LimitExceeded):
    """The caller has written as many entries or grants as a member may in a day."""

    code = "storage_rate_exceeded"
