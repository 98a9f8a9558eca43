"""A journal of each operation, written before it is sent, and of the response it got."""

import itertools
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

Answer = Literal["yes", "no", "unknown"]


@dataclass
class Attempt:
    """One request. Its `request_id` is sent along and is stored with the activity it causes."""

    request_id: str
    status: int | None = None
    code: str = ""
    answered_at: datetime | None = None

    @property
    def answer(self) -> Answer:
        """A missing response and a server error are both "unknown": the failure may have happened
        before or after the change."""
        if self.status is None or self.status >= 500 or self.code == "registration_under_way":
            return "unknown"
        return "yes" if self.status < 400 else "no"

    def is_done_after(self, moment: datetime) -> bool:
        return self.answer == "yes" and self.answered_at is not None and self.answered_at > moment


@dataclass
class Operation:
    """`action` is its name in the activity log. One that `repeats` takes effect at every request;
    any other takes effect once, however often it is sent."""

    number: int
    kind: str
    company: str
    action: str
    repeats: bool = False
    # What the request contained, for the audit.
    values: dict[str, Any] = field(default_factory=dict)
    attempts: list[Attempt] = field(default_factory=list)

    @property
    def answer(self) -> Answer:
        answers = {attempt.answer for attempt in self.attempts}
        if "yes" in answers:
            return "yes"
        return "unknown" if "unknown" in answers else "no"


class Journal:
    def __init__(self, file: Path, seed: int) -> None:
        self.operations: list[Operation] = []
        self._file = file.open("a")
        self._seed = seed
        self._numbers = itertools.count(1)

    def begin(
        self, kind: str, company: str, action: str, *, repeats: bool = False, **values: Any
    ) -> Operation:
        operation = Operation(next(self._numbers), kind, company, action, repeats, values)
        self.operations.append(operation)
        self._write(operation=operation.number, kind=kind, company=company, action=action)
        return operation

    def attempt(self, operation: Operation) -> Attempt:
        attempt = Attempt(f"fault-{self._seed}-{operation.number}-{len(operation.attempts)}")
        operation.attempts.append(attempt)
        self._write(sending=attempt.request_id)
        return attempt

    def answered(self, attempt: Attempt, status: int | None, code: str) -> None:
        attempt.status, attempt.code = status, code
        attempt.answered_at = datetime.now(UTC)
        self._write(answered=attempt.request_id, status=status, code=code)

    def _write(self, **line: object) -> None:
        self._file.write(json.dumps(line) + "\n")
        self._file.flush()

    def attempts(self) -> Iterator[tuple[Operation, Attempt]]:
        for operation in self.operations:
            for attempt in operation.attempts:
                yield operation, attempt

    def close(self) -> None:
        self._file.close()
