import structlog

from tessera.errors import TesseraError, Text
from tessera.integrations.cards.errors import (
    AuthenticationNeeded,
    CardProviderError,
    Declined,
    NotThere,
    Refused,
)

log = structlog.get_logger()


class CardDeclined(TesseraError):
    """The message says why in the user's language, by the provider's decline code; `reason` in the
    response is the provider's own message, in English."""

    status = 402

    def __init__(self, decline_code: str, reason: str) -> None:
        super().__init__(
            reason=Text(
                f"declines.{decline_code or 'generic_decline'}", "declines.generic_decline"
            ),
            extra={"reason": reason, "declineCode": decline_code},
        )


class CardNeedsAuthentication(TesseraError):
    status = 402


class CardTokenInvalid(TesseraError):
    status = 422


class CardUnknown(TesseraError):
    status = 404


class DefaultCardCannotBeDeleted(TesseraError):
    status = 409


class LastCardNeededForRenewal(TesseraError):
    status = 409


class CompanyLeaving(TesseraError, status=409): ...


class CardNeeded(TesseraError):
    status = 409


class NoSubscription(TesseraError):
    status = 409


class PlanNotOnSale(TesseraError):
    status = 422


class AmountNotConfirmed(TesseraError):
    """The response has `amount` and `currency`; the console asks and then sends the amount."""

    status = 409


class LastDayChanged(TesseraError):
    """The notice deadline has passed since the date was shown."""

    status = 409


class PaymentUnderWay(TesseraError):
    status = 409


class CardProviderUnavailable(TesseraError):
    status = 503


class OwnWarehousesInUse(TesseraError):
    status = 409


class WebhookRefused(TesseraError):
    status = 400


class WebhookOfOtherMode(TesseraError):
    status = 400


def to_api_error(error: CardProviderError) -> TesseraError:
    if isinstance(error, Declined):
        return CardDeclined(error.decline_code, error.reason)
    if isinstance(error, AuthenticationNeeded):
        return CardNeedsAuthentication(extra={"clientSecret": error.client_secret})
    if isinstance(error, NotThere):
        return CardTokenInvalid()
    if isinstance(error, Refused):
        log.error("the card provider refused a request", error=str(error))
    return CardProviderUnavailable()
