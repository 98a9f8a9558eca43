from tessera.errors import TesseraError


class SpaceNotFound(TesseraError, status=404): ...


class StorageRestoring(TesseraError, status=409):
    """After a restore of the service nothing new is stored until the team leader closes that."""
