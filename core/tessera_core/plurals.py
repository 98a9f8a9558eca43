"""Plural forms of the languages in which Tessera speaks."""


def plural_form(count: int, language: str) -> str:
    """The CLDR plural category of a whole number."""
    if language != "ar":
        return "one" if count == 1 else "other"
    if count <= 2:
        return ("zero", "one", "two")[count]
    if 3 <= count % 100 <= 10:
        return "few"
    return "many" if count % 100 >= 11 else "other"
