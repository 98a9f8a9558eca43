from tessera.errors import TesseraError


class InstallerMissing(TesseraError):
    status = 404
    code = "installer_missing"


class NothingPublished(TesseraError):
    status = 404
    code = "nothing_published"


class ReleasesNotReadable(TesseraError):
    status = 503
    code = "releases_not_readable"


class DownloadLinkExpired(TesseraError):
    status = 403
    code = "download_link_expired"
