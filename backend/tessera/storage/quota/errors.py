from tessera.errors import TesseraError


class QuotaExceeded(TesseraError):
    """`left` bytes remain of this month's quota, which renews at `renewsAt`."""

    status = 403


class UploadShareReached(TesseraError):
    """The caller has `reserved` bytes of uploads under way; one member may have `share`."""

    status = 409


class TooManyUploads(TesseraError):
    """So many packs of the company are on their way that no more can begin."""

    status = 409
