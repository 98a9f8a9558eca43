"""The database of countries: what it answers, and how it is renewed."""

import asyncio
from pathlib import Path

import pytest

from tessera.kit import countries
from tessera.kit.countries import CountryDatabase, CountryDatabaseUnreadable
from tests.fixtures.command_line import Command
from tests.fixtures.country_database import write

NETWORKS = {"192.0.2.0/24": "TR", "2001:db8::/32": "DE"}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return write(tmp_path / "countries.mmdb", NETWORKS)


@pytest.mark.parametrize(
    ("origin", "country"),
    [
        ("192.0.2.7", "TR"),
        ("2001:db8::1%eth0", "DE"),
        ("198.51.100.7", None),
        ("10.0.0.1", None),
        ("::1", None),
        ("unknown", None),
    ],
)
def test_an_address_has_the_country_of_its_network(
    file: Path, origin: str, country: str | None
) -> None:
    assert CountryDatabase(file).country_of(origin) == country


class TestRenewal:
    @pytest.fixture(autouse=True)
    def look_at_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(countries, "LOOK_SECONDS", 0.0)

    def test_a_renewed_file_counts(self, file: Path) -> None:
        database = CountryDatabase(file)
        write(file, {"192.0.2.0/24": "US"})
        assert database.country_of("192.0.2.7") == "US"

    @pytest.mark.parametrize("content", [None, b"", b"half a file", "half"])
    def test_a_file_that_cannot_be_read_leaves_the_one_before(
        self, file: Path, content: bytes | str | None
    ) -> None:
        database = CountryDatabase(file)
        whole = file.read_bytes()
        file.unlink()
        if content is not None:
            file.write_bytes(content if isinstance(content, bytes) else whole[: len(whole) // 2])
        assert [database.country_of("192.0.2.7") for _ in range(2)] == ["TR", "TR"]
        write(file, {"192.0.2.0/24": "US"})
        assert database.country_of("192.0.2.7") == "US"


def test_what_is_no_database_of_countries_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CountryDatabaseUnreadable, match=r"country\.iso_code"):
        CountryDatabase(write(tmp_path / "asn.mmdb", NETWORKS, autonomous_system_number=64500))
    with pytest.raises(CountryDatabaseUnreadable):
        CountryDatabase(tmp_path)


async def test_without_the_named_file_no_command_starts(
    run_command: Command, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.mmdb"
    await asyncio.to_thread(broken.write_bytes, b"no database")
    for path in (broken, tmp_path / "gone.mmdb"):
        for command in ("serve", "migrate"):
            answer = await run_command(command, country_database=str(path))
            assert answer.exit_code == 2
            assert answer.stderr.startswith(
                f"Tessera cannot start: TESSERA_COUNTRY_DATABASE ({path}) cannot be used: "
            )
