from tessera.errors import TesseraError


class CompanyNameDoesNotMatch(TesseraError):
    status = 422
    code = "company_name_does_not_match"
