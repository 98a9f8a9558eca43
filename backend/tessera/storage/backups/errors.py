from tessera.errors import TesseraError


class TooManyBackups(TesseraError, status=409): ...
