from tessera.errors import TesseraError


class NotProvisioned(TesseraError, status=404):
    """The company has never made a SCIM token."""


class DeletionNotRequested(TesseraError, status=404): ...
