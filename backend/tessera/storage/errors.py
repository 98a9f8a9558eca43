from tessera.errors import TesseraError


class SpaceNotFound(TesseraError, status=404): ...
