"""The base class of all business errors. kit/responses.py turns them into responses."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from tessera_core.provider import Translated


@dataclass(frozen=True)
class Text:
    """A parameter of a message that is itself in the catalogues, under `key` or else `fallback`."""

    key: str
    fallback: str


class TesseraError(Exception):
    """`code` is stable, part of the API contract, and the key of the translated messages. It is the
    name of the class in small letters, unless one is given."""

    status: ClassVar[int] = 400
    code: ClassVar[str]
    # The key of its message, if that is not the code.
    message_key: ClassVar[str] = ""

    def __init_subclass__(cls, *, status: int | None = None) -> None:
        if status is not None:
            cls.status = status
        if "code" not in vars(cls):
            cls.code = re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()

    def __init__(
        self,
        *,
        fields: Mapping[str, str | Translated[str]] | None = None,
        extra: Mapping[str, object] | None = None,
        retry_after: int | None = None,
        **params: object,
    ) -> None:
        """`fields` maps a field to its message or the code of it; `extra` is added to the
        response."""
        self.fields = dict(fields or {})
        self.extra = dict(extra or {})
        self.retry_after = retry_after
        self.params = params
        super().__init__(self.code)


class LimitExceeded(TesseraError, status=429):
    """A limit is reached, for `resets_in` more seconds. Its text may name the minutes or hours."""

    def __init__(self, resets_in: int) -> None:
        super().__init__(
            extra={"retryAfter": resets_in},
            retry_after=resets_in,
            minutes=-(-resets_in // 60),
            hours=-(-resets_in // 3600),
        )
