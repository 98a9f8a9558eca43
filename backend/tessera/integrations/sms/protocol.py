from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Sms:
    to: str
    text: str
    code: str | None = None


class SmsSender(Protocol):
    async def send(self, message_id: int, sms: Sms) -> None: ...
