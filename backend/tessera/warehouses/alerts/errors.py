from tessera.errors import TesseraError


class AlertRecipientNotFound(TesseraError):
    """No active member of the company, or not a recipient."""

    status = 404
    code = "alert_recipient_not_found"


class TooManyAlertRecipients(TesseraError):
    status = 409
    code = "too_many_alert_recipients"


class WebhookNotFound(TesseraError):
    status = 404
    code = "webhook_not_found"


class WebhookAddressRefused(TesseraError):
    status = 422
    code = "invalid_input"
