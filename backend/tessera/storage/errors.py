from tessera.errors import TesseraError


class SpaceNotFound(TesseraError, status=404): ...


class StorageRestoring(TesseraError, status=409):
    """After a restore of the service nothing new is stored until the team leader closes that."""


class RestoreNotRead(TesseraError, status=409):
    """The warehouses have not been read to their ends."""
