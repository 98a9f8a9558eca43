from tessera.errors import TesseraError


class SpaceNotFound(TesseraError):
    status = 404
    code = "space_not_found"
