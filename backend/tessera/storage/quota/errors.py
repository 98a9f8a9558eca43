from tessera.errors import TesseraError


class QuotaExceeded(TesseraError, status=403):
    """`left` bytes remain of this month's quota, which renews at `renewsAt`."""


class UploadShareReached(TesseraError, status=409):
    """The caller has `reserved` bytes of uploads under way; one member may have `share`."""


class TooManyUploads(TesseraError, status=409):
    """So many packs of the company are on their way that no more can begin."""
