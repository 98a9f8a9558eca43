from tessera.errors import TesseraError


class InstallerMissing(TesseraError):
    status = 404


class NothingPublished(TesseraError):
    status = 404


class ReleasesNotReadable(TesseraError):
    status = 503


class DownloadLinkExpired(TesseraError):
    status = 403
