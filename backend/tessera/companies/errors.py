from tessera.errors import TesseraError


class CompanyNameDoesNotMatch(TesseraError):
    status = 422
