from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Email:
    to: str
    subject: str
    text: str
    html: str
    link: str | None = None


class EmailSender(Protocol):
    async def send(self, message_id: int, email: Email) -> None: ...
