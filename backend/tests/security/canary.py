"""Marked secrets, and the search for them in any encoding."""

import base64
import re
import secrets
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from urllib.parse import quote

from tessera.kit.database import Connection
from tests.security.attacker import tables

# Where a mark is allowed: sent mails and SMS in the sandbox's outbox, and card tokens at the
# payment sandbox, which stands in for the provider's own systems.
OUTBOX = frozenset({"public.sandbox_outbox"})
PROVIDER = frozenset({"public.sandbox_stripe_objects", "public.sandbox_stripe_requests"})
NOWHERE: frozenset[str] = frozenset()


@dataclass
class Marks:
    """Marked texts by name, and the tables that may contain them."""

    known: dict[str, tuple[str, frozenset[str]]] = field(default_factory=dict)

    def keep(self, name: str, text: str, allowed: frozenset[str] = NOWHERE) -> str:
        self.known[f"{name} {len(self.known)}"] = (text, allowed)
        return text

    def new(self, name: str, length: int = 32) -> str:
        """A mark of letters and digits, valid in most fields."""
        letters = re.sub("[^A-Za-z0-9]", "", f"canary{name}") + secrets.token_hex(length)
        return self.keep(name, letters[:length])

    def derived(self, name: str) -> str:
        """A mark in the format that a browser derives from a password."""
        inner = f"canary-{secrets.token_hex(32)}"[:42] + "A"
        return self.keep(name, f"a1.{inner}")

    def base64(self, name: str, size: int) -> str:
        return self.keep(name, base64.b64encode(secrets.token_bytes(size)).decode())

    def found_in(self, text: str, place: str) -> list[str]:
        return [
            f"{name} in {place}"
            for name, (mark, allowed) in self.known.items()
            if place not in allowed and stands_in(text, mark)
        ]

    def forbidden_everywhere(self) -> "Marks":
        return Marks({name: (mark, NOWHERE) for name, (mark, _) in self.known.items()})


def stands_in(text: str, mark: str) -> bool:
    if mark.isdigit():
        # A code is short, so digits within a time or an id do not count.
        return re.search(rf"(?<![\w.+-]){mark}(?!\w)", text) is not None
    return any(spelling in text for spelling in spellings(mark))


@cache
def spellings(mark: str) -> frozenset[str]:
    """The mark as it is, as hex and URL-encoded, and within base64 at any offset."""
    raw = mark.encode()
    found = {mark, raw.hex(), quote(mark, safe="")}
    for start in range(3):
        inner = raw[start : start + (len(raw) - start) // 3 * 3]
        found |= {base64.b64encode(inner).decode(), base64.urlsafe_b64encode(inner).decode()}
    return frozenset(found)


async def search_database(connection: Connection, marks: Marks) -> list[str]:
    """Searches every column of every table in every schema that is not PostgreSQL's own."""
    schemas = await connection.fetch(
        "SELECT nspname FROM pg_namespace"
        " WHERE nspname NOT LIKE 'pg\\_%' AND nspname <> 'information_schema'"
    )
    names = [row["nspname"] for row in schemas]
    assert {"public", "dbos"} <= set(names)
    found = []
    for table in await tables(connection, *names):
        rows = await connection.fetch(f"SELECT t::text AS row FROM {table} t")
        found += marks.found_in("\n".join(row["row"] for row in rows), table)
    return found


def search_files(folder: Path, marks: Marks) -> list[str]:
    """Searches the log and any other file that the service wrote."""
    found = []
    for file in folder.rglob("*"):
        if file.is_file():
            found += marks.found_in(file.read_text(errors="replace"), file.name)
    return found
