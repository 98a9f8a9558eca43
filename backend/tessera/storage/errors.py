from tessera.errors import TesseraError


class StorageKeysMissing(TesseraError):
    """The caller has not made keys yet."""

    status = 404
    code = "storage_keys_missing"


class StorageKeysExist(TesseraError):
    """Keys are replaced only after a password reset or the loss of a device."""

    status = 409
    code = "storage_keys_exist"


class StorageKeysStale(TesseraError):
    """Another device has stored a newer envelope; `revision` is the current one."""

    status = 409
    code = "storage_keys_stale"


class PublicKeysUnusable(TesseraError):
    status = 422
    code = "public_keys_unusable"


class RecoveryMissing(TesseraError):
    status = 404
    code = "recovery_missing"


class RecoveryStale(TesseraError):
    """Another device was faster; `counter` is the current one."""

    status = 409
    code = "recovery_stale"


class RecoveryMalformed(TesseraError):
    status = 422
    code = "recovery_malformed"


class KeyHandoverMalformed(TesseraError):
    status = 422
    code = "key_handover_malformed"


class KeyHandoverStale(TesseraError):
    """The passphrase or the keys of the new leader have changed."""

    status = 409
    code = "key_handover_stale"


class SpaceNotFound(TesseraError):
    status = 404
    code = "space_not_found"


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


class SubjectKeysChanged(TesseraError):
    """The entry names keys that are not the ones this active member has registered."""

    status = 409
    code = "subject_keys_changed"


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


class TooFewWarehouses(TesseraError):
    """Fewer than three warehouses can take new packs."""

    status = 409
    code = "too_few_warehouses"


class PlacementChanged(TesseraError):
    """The pack was cut for another number of warehouses; `k` and `n` are the current ones."""

    status = 409
    code = "placement_changed"


class PackMalformed(TesseraError):
    """`pack` is the one whose shards do not match its description."""

    status = 422
    code = "pack_malformed"


class PackExists(TesseraError):
    """Another pack has this id; the caller has to draw a new one."""

    status = 409
    code = "pack_exists"


class PackGenerationStale(TesseraError):
    """The pack is not sealed under the space's current generation, or a new one is awaited."""

    status = 409
    code = "pack_generation_stale"


class PackNotFound(TesseraError):
    """`packs` are unknown in this space, or deleted."""

    status = 404
    code = "pack_not_found"


class PackIncomplete(TesseraError):
    """The entry names packs of which fewer than k shards are stored."""

    status = 409
    code = "pack_incomplete"


class PackDiffers(TesseraError):
    """The entry describes packs differently from their upload."""

    status = 409
    code = "pack_differs"


class QuotaExceeded(TesseraError):
    """`left` bytes remain of this month's quota, which renews at `renewsAt`."""

    status = 403
    code = "quota_exceeded"


class StorageWarehouseNotFound(TesseraError):
    status = 404
    code = "storage_warehouse_not_found"


class RelocationImpossible(TesseraError):
    """A pack has at most one shard in each warehouse, so another one has to be connected first."""

    status = 409
    code = "relocation_impossible"


class UploadShareReached(TesseraError):
    """The caller has `reserved` bytes of uploads under way; one member may have `share`."""

    status = 409
    code = "upload_share_reached"


class StorageRateExceeded(TesseraError):
    """The caller has written as many entries or grants as a member may in a day."""

    status = 429
    code = "storage_rate_exceeded"


class TooManyUploads(TesseraError):
    """So many packs of the company are on their way that no more can begin."""

    status = 409
    code = "too_many_uploads"
