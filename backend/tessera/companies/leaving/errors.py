from tessera.errors import TesseraError


class CompanyNameDiffers(TesseraError, status=422): ...


class NotLeaving(TesseraError, status=409): ...
