from collections import Counter

import tessera.main  # noqa: F401 - imports every feature's errors
from tessera.errors import TesseraError

# Said in two ways, for which programs need one code.
SHARED = {"company_disabled", "invalid_input"}


def every(error: type[TesseraError]) -> list[type[TesseraError]]:
    return [error, *(each for below in error.__subclasses__() for each in every(below))]


def test_no_two_errors_share_a_code() -> None:
    errors = {error for error in every(TesseraError) if hasattr(error, "code")}
    codes = Counter(error.code for error in errors)
    assert {code for code, count in codes.items() if count > 1} == SHARED
