"""In which country an address is, by an MMDB file of the operator's."""

import time
from collections.abc import Mapping
from ipaddress import ip_address
from itertools import islice
from pathlib import Path

import maxminddb
import structlog

log = structlog.get_logger()

# How often it is looked whether the file was renewed.
LOOK_SECONDS = 5.0
# Among so many networks of a database of countries, one at least has a country.
_SAMPLE = 1000

Version = tuple[int, int, int]


class CountryDatabaseUnreadable(Exception):
    def __init__(self, path: Path, reason: object) -> None:
        super().__init__(f"TESSERA_COUNTRY_DATABASE ({path}) cannot be used: {reason}")


class CountryDatabase:
    """Holds the file in memory: one that is overwritten meanwhile harms no lookup."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._version, self._reader = _read(path)
        self._looked_at = time.monotonic()

    def country_of(self, origin: str) -> str | None:
        """Its two letters. Private addresses have none."""
        self._renew()
        try:
            return _country(self._reader.get(ip_address(origin.partition("%")[0])))
        except (ValueError, maxminddb.InvalidDatabaseError):
            return None

    def _renew(self) -> None:
        """One that cannot be read leaves the one before in use."""
        now = time.monotonic()
        if now - self._looked_at < LOOK_SECONDS:
            return
        self._looked_at = now
        try:
            if _version(self._path) != self._version:
                self._version, self._reader = _read(self._path)
        except (OSError, CountryDatabaseUnreadable) as error:
            log.warning("country_database_not_renewed", reason=str(error))


def open_countries(path: str) -> CountryDatabase | None:
    return CountryDatabase(Path(path)) if path else None


def _read(path: Path) -> tuple[Version, maxminddb.Reader]:
    try:
        version = _version(path)
        reader = maxminddb.open_database(path, maxminddb.MODE_MEMORY)
        found = any(_country(record) for _, record in islice(reader, _SAMPLE))
    except (OSError, ValueError, maxminddb.InvalidDatabaseError) as error:
        raise CountryDatabaseUnreadable(path, error) from None
    if not found:
        raise CountryDatabaseUnreadable(path, "it names no countries as country.iso_code")
    return version, reader


def _version(path: Path) -> Version:
    stat = path.stat()
    return stat.st_mtime_ns, stat.st_size, stat.st_ino


def _country(record: object) -> str | None:
    country = record.get("country") if isinstance(record, Mapping) else None
    code = country.get("iso_code") if isinstance(country, Mapping) else None
    return code if isinstance(code, str) else None
