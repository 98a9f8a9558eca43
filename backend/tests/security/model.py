"""A minimal model of companies, people, invites, sessions and cards."""

from dataclasses import dataclass, field
from typing import Any

MEMBER_ADDRESSES = 3


@dataclass(eq=False)
class Person:
    uuid: str
    email: str
    phone: str
    credentials: dict[str, str]
    role: str = "teamMember"
    active: bool = True


@dataclass(eq=False)
class Session:
    headers: dict[str, str]
    person: Person
    ended: bool = False


@dataclass
class Billing:
    cards: list[str] = field(default_factory=list)
    default: str | None = None
    runs: bool = False
    ending: bool = False
    canceled: bool = False

    def shown(self) -> dict[str, Any]:
        return {
            "cards": self.cards,
            "defaultCardId": self.default,
            "status": "active" if self.runs else "",
            "isCanceled": self.canceled,
            "autoRenew": self.runs and not self.ending,
        }

    def add(self, card_id: str) -> None:
        self.cards.append(card_id)
        self.default = self.default or card_id

    def may_delete(self, card_id: str) -> bool:
        if card_id not in self.cards:
            return False
        if len(self.cards) > 1:
            return card_id != self.default
        return not self.runs or self.ending

    def delete(self, card_id: str) -> None:
        self.cards.remove(card_id)
        if not self.cards:
            self.default = None

    def may_renew(self) -> bool:
        return bool(self.cards)

    def renew(self) -> None:
        self.runs, self.ending, self.canceled = True, False, False


@dataclass
class Company:
    id: int
    uuid: str
    name: str
    subscribed: bool = False
    enabled: bool = True
    deleted: bool = False
    people: dict[str, Person] = field(default_factory=dict)
    # Maps an address to the token of its newest invite and that invite's state.
    invites: dict[str, tuple[str, str]] = field(default_factory=dict)
    sessions: list[Session] = field(default_factory=list)
    billing: Billing = field(default_factory=Billing)

    @property
    def leader(self) -> Person:
        return next(person for person in self.people.values() if person.role == "teamLeader")

    @property
    def others(self) -> list[Person]:
        return [person for person in self.people.values() if person.role != "teamLeader"]

    def alive(self, session: Session) -> bool:
        person = session.person
        return (
            not self.deleted
            and self.enabled
            and not session.ended
            and person.uuid in self.people
            and person.active
        )

    def end_sessions(self, person: Person | None = None) -> None:
        for session in self.sessions:
            if person is None or session.person is person:
                session.ended = True

    def forget_old_sessions(self) -> None:
        """Keeps a few ended sessions, enough to check that none becomes valid again."""
        ended = [session for session in self.sessions if session.ended]
        self.sessions = [each for each in self.sessions if each not in ended[:-3]]

    def open_invites(self) -> set[str]:
        return {address for address, (_, state) in self.invites.items() if state == "open"}

    def refusal(self, *, needs_subscription: bool = True) -> int | None:
        """The status that a leader's call gets in the company's current state."""
        if not self.enabled:
            return 401
        return 403 if needs_subscription and not self.subscribed else None
