from datetime import UTC, datetime

import pytest

from tessera.kit.formatting import format_count, format_date, format_money
from tessera.kit.i18n import Language, catalogue
from tessera_core.plurals import plural_form

EN, TR, AR = Language.EN, Language.TR, Language.AR


@pytest.mark.parametrize(
    ("language", "text"),
    [(EN, "January 5, 2026"), (TR, "5 Ocak 2026"), (AR, "5 يناير 2026")],
)
def test_dates_are_written_in_each_language(language: Language, text: str) -> None:
    assert format_date(datetime(2026, 1, 5, tzinfo=UTC), language) == text


@pytest.mark.parametrize(
    ("language", "cents", "currency", "text"),
    [
        (EN, 75_000, "usd", "$750"),
        (EN, 175_050, "usd", "$1,750.50"),
        (TR, 175_050, "usd", "$1.750,50"),
        (AR, 175_050, "usd", "\u20661,750.50 US$\u2069"),
        (EN, 100, "chf", "CHF 1"),
        (AR, 100, "chf", "\u20661 CHF\u2069"),
    ],
)
def test_money_is_written_in_each_language(
    language: Language, cents: int, currency: str, text: str
) -> None:
    assert format_money(cents, currency, language) == text


@pytest.mark.parametrize(
    ("language", "count", "text"),
    [
        (EN, 1, "1 day"),
        (EN, 7, "7 days"),
        (TR, 1, "1 gün"),
        (AR, 1, "يوم واحد"),
        (AR, 2, "يومين"),
        (AR, 3, "3 أيام"),
        (AR, 11, "11 يومًا"),
        (AR, 100, "100 يوم"),
        (AR, 103, "103 أيام"),
    ],
)
def test_counted_days_use_their_plural_forms(language: Language, count: int, text: str) -> None:
    assert format_count("days", count, language) == text


@pytest.mark.parametrize("language", list(Language))
def test_every_unit_has_exactly_the_forms_of_its_language(language: Language) -> None:
    forms = {plural_form(count, language) for count in range(201)}
    for unit in catalogue(language)["units"].values():
        assert unit.keys() == forms
