"""The base of all business failures. How they become answers is in kit/responses.py."""

from collections.abc import Mapping
from typing import ClassVar


class TesseraError(Exception):
    """`code` is stable, part of the contract, and the key of the message's translations."""

    status: ClassVar[int] = 400
    code: ClassVar[str]

    def __init__(
        self,
        *,
        fields: Mapping[str, str] | None = None,
        extra: Mapping[str, object] | None = None,
        retry_after: int | None = None,
        **params: object,
    ) -> None:
        """`fields` maps a field to the code of its own message; `extra` joins the answer."""
        self.fields = dict(fields or {})
        self.extra = dict(extra or {})
        self.retry_after = retry_after
        self.params = params
        super().__init__(self.code)
