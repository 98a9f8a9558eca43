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
    code = "card_declined"

    def __init__(self, decline_code: str, reason: str) -> None:
        super().__init__(
            reason=Text(
                f"declines.{decline_code or 'generic_decline'}", "declines.generic_decline"
            ),
            extra={"reason": reason, "declineCode": decline_code},
        )


class CardNeedsAuthentication(TesseraError):
    status = 402
    code = "card_needs_authentication"


class CardTokenInvalid(TesseraError):
    status = 422
    code = "card_token_invalid"


class CardUnknown(TesseraError):
    status = 404
    code = "card_unknown"


class DefaultCardCannotBeDeleted(TesseraError):
    status = 409
    code = "default_card_cannot_be_deleted"


class LastCardNeededForRenewal(TesseraError):
    status = 409
    code = "last_card_needed_for_renewal"


class CardNeeded(TesseraError):
    status = 409
    code = "card_needed"


class NoSubscription(TesseraError):
    status = 409
    code = "no_subscription"


class PlanNotOnSale(TesseraError):
    status = 422
    code = "plan_not_on_sale"


class AmountNotConfirmed(TesseraError):
    """The response has `amount` and `currency`; the console asks and then sends the amount."""

    status = 409
    code = "amount_not_confirmed"


class PaymentUnderWay(TesseraError):
    status = 409
    code = "payment_under_way"


class CardProviderUnavailable(TesseraError):
    status = 503
    code = "card_provider_unavailable"


class OwnWarehousesInUse(TesseraError):
    status = 409
    code = "own_warehouses_in_use"


class WebhookRefused(TesseraError):
    status = 400
    code = "webhook_refused"


class WebhookOfOtherMode(TesseraError):
    status = 400
    code = "webhook_of_other_mode"


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
