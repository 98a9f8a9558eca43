"""Errors in Stripe's format."""

from typing import Any


class StripeFailure(Exception):
    """`keep`: what was written before the failure stays, such as the failed charge attempt."""

    def __init__(
        self,
        message: str,
        *,
        status: int = 400,
        kind: str = "invalid_request_error",
        code: str | None = None,
        param: str | None = None,
        decline_code: str | None = None,
        keep: bool = False,
        extra: dict[str, Any] | None = None,
    ) -> None:
        self.status = status
        self.keep = keep
        details = {"code": code, "param": param, "decline_code": decline_code, **(extra or {})}
        self.body = {
            "error": {
                "message": message,
                "type": kind,
                **{name: value for name, value in details.items() if value is not None},
            }
        }
        super().__init__(message)


def missing(kind: str, id: str) -> StripeFailure:  # noqa: A002
    name = kind.replace("_", " ")
    return StripeFailure(
        f"No such {name}: '{id[:100]}'", status=404, code="resource_missing", param="id"
    )


def declined(message: str, code: str, decline_code: str, **more: Any) -> StripeFailure:  # noqa: ANN401
    return StripeFailure(
        message, status=402, kind="card_error", code=code, decline_code=decline_code, **more
    )
