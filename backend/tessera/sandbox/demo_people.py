"""Additional demo users and companies, for paging and search. They cannot log in: no password
matches their accounts."""

import os
import random
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from uuid import uuid4

from tessera.kit.database import Connection
from tessera.kit.schemas import normalize_email
from tessera.kit.tokens import hash_handle, new_handle
from tessera.sandbox import queries

COLLEAGUES = 40
COMPANIES = 120
NO_PASSWORD = "!"  # noqa: S105 - equals no hash, so no password matches

_FIRST = """
Amara Björn Carmen Dmitri Elif Fatima Giulia Hiroshi Ingrid Jamal Katarzyna Liam Mei Nadia Ömer
Priya Quentin Rania Søren Tomás Uzma Viktor Wanjiru Ximena Yusuf Zoë Ayşe Chloé Daiki Emeka Işıl
Héctor Ismail Jürgen Khadija Łukasz Mariam Ngozi Olga Pedro Şule Thandiwe İbrahim Valentina Wei
""".split()  # noqa: SIM905 - more readable than a list of strings
_LAST = """
Okafor Lindgren Álvarez Volkov Yılmaz Al-Sayed Romano Tanaka Nilsen Baptiste Kowalska O'Brien Chen
Haddad Demir Raman Dubois Khoury Sørensen Herrera Siddiqui Petrov Mwangi Fuentes Öztürk Janssen
Çelik Moreau Mori Eze Işık García Koç Müller Bensalem Wójcik Nasser Adeyemi Ivanova Silva Şahin
""".split()  # noqa: SIM905
_NAMES = """
Aldergate Bluewater Cedarline Dunmore Eastfield Fernhill Glasswing Harborview Ironbridge Juniper
Kestrel Lakeshore Meridian Nordlys Oakhaven Pinecrest Quayside Ridgeway Saltmarsh Thornbury Umberto
Valehurst Westbrook Yarrow Zephyr Anadolu Boğaziçi Çınar Işıklar Öncü
""".split()  # noqa: SIM905
_TRADES = ("Logistics", "Analytics", "Studios", "Medical")
_PLACES = (
    ("Portland", "ME", "04101"),
    ("Austin", "TX", "73301"),
    ("Seattle", "WA", "98101"),
    ("San Juan", "PR", "00901"),
    ("Denver", "CO", "80201"),
    ("Boston", "MA", "02108"),
    ("Hagåtña", "GU", "96910"),
    ("Chicago", "IL", "60601"),
)


@dataclass(frozen=True)
class Filler:
    """Deterministic except for the secrets: every sandbox shows the same people."""

    dice: random.Random
    now: datetime
    numbers: Iterator[int]

    def name(self) -> tuple[str, str]:
        return self.dice.choice(_FIRST), self.dice.choice(_LAST)

    def phone(self) -> str:
        """Numbers reserved for fictional use, across many area codes."""
        number = next(self.numbers)
        return f"+1{201 + number // 100}555{100 + number % 100:04d}"

    def ago(self, maximum: int) -> datetime:
        return self.now - timedelta(days=self.dice.uniform(1, maximum))


def new_filler() -> Filler:
    return Filler(random.Random(2026), datetime.now(UTC), count(200))  # noqa: S311 - demo data, the same each time


async def add_companies(connection: Connection, filler: Filler) -> None:
    """Each has a leader; most pay, some have stopped, a few are disabled."""
    names = [f"{name} {trade}" for trade in _TRADES for name in _NAMES]
    filler.dice.shuffle(names)
    founded = sorted(filler.ago(700) for _ in range(COMPANIES))
    companies, leaders = [], []
    for name, created in zip(names, founded, strict=True):
        city, state, zip_code = filler.dice.choice(_PLACES)
        domain = f"{_plain(name.split()[0])}-{_plain(name.split()[1])}.test"
        companies.append(
            (
                uuid4(), name, f"office@{domain}", filler.phone(),
                f"{filler.dice.randint(1, 999)} Main Street", city, state, zip_code,
                filler.dice.random() > 0.05, _subscribed_until(filler), created,
            )
        )  # fmt: skip
        leaders.append((filler.name(), domain, created))
    ids = await queries.add_companies(connection, companies)
    await queries.add_people(
        connection,
        [
            _person(filler, company_id, name, domain=domain, role="teamLeader", created=created)
            for company_id, (name, domain, created) in zip(ids, leaders, strict=True)
        ],
    )


async def add_colleagues(connection: Connection, filler: Filler, company_id: int) -> None:
    names: dict[tuple[str, str], None] = {}
    while len(names) < COLLEAGUES:
        names[filler.name()] = None
    joined = sorted(filler.ago(300) for _ in names)
    await queries.add_people(
        connection,
        [
            _person(
                filler,
                company_id,
                name,
                domain="northwind.test",
                role="teamMember",
                created=created,
            )
            for name, created in zip(names, joined, strict=True)
        ],
    )


async def add_invites(connection: Connection, filler: Filler, company_id: int) -> None:
    """One new, one expired, one about to expire."""
    await queries.add_invites(
        connection,
        [
            (company_id, address, normalize_email(address), hash_handle(new_handle()), sent,
             sent + timedelta(days=7))
            for address, sent in (
                ("noor.rahimi@northwind.test", filler.now - timedelta(days=9)),
                ("marta.kovacs@northwind.test", filler.now - timedelta(days=5)),
                ("sam.whitaker@northwind.test", filler.now - timedelta(hours=3)),
            )
        ],
    )  # fmt: skip


async def add_activity(
    connection: Connection, filler: Filler, company_id: int, leader: str
) -> None:
    """A few days of the leader's activity, for the activity page."""
    actions = (
        (60, "company.updated", "Northwind Ltd"),
        (44, "members.invited", "sam.whitaker@northwind.test"),
        (30, "passphrase.revealed", ""),
        (26, "member.disabled", "jurgen.koc@northwind.test"),
        (3, "members.invited", "sam.whitaker@northwind.test"),
    )
    await queries.add_activity(
        connection,
        [
            (company_id, filler.now - timedelta(hours=hours), leader, action, target, "203.0.113.7")
            for hours, action, target in actions
        ],
    )


def _person(
    filler: Filler,
    company_id: int,
    name: tuple[str, str],
    *,
    domain: str,
    role: str,
    created: datetime,
) -> tuple[object, ...]:
    first, last = name
    address = f"{_plain(first)}.{_plain(last)}@{domain}"
    active = role == "teamLeader" or filler.dice.random() > 0.1
    return (
        uuid4(), company_id, first, last, address, normalize_email(address), filler.phone(), role,
        active, os.urandom(16), NO_PASSWORD, "", created,
    )  # fmt: skip


def _subscribed_until(filler: Filler) -> datetime | None:
    chance = filler.dice.random()
    if chance < 0.1:
        return None
    if chance < 0.25:
        return filler.ago(90)
    return filler.now + timedelta(days=filler.dice.uniform(2, 30))


def _plain(name: str) -> str:
    """Returns a name as it would appear in an email address."""
    letters = unicodedata.normalize("NFKD", name.replace("ı", "i").replace("ø", "o"))
    letters = letters.replace("Ł", "L").replace("ł", "l")
    return "".join(c for c in letters if c.isascii() and (c.isalnum() or c == "-")).lower()
