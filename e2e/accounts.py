"""The accounts that tests sign in to: those of the demo data, and new ones of the same kind."""

from dataclasses import dataclass

PASSWORD = "mosaic-Tile-2026"
PASSPHRASE = "three clouds, one mosaic"


@dataclass(frozen=True)
class Account:
    email: str
    phone: str
    name: str


@dataclass(frozen=True)
class Company:
    id: int
    name: str
    leader: Account
    member: Account


ADMIN = Account("admin@tessera.test", "+12025550100", "Deniz Aydın")
LEADER = Account("leader@northwind.test", "+12025550101", "Ada Lindqvist")
MEMBER = Account("member@northwind.test", "+12025550102", "Omar Haddad")
