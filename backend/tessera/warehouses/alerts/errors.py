from tessera.errors import TesseraError


class AlertRecipientNotFound(TesseraError):
    """No active member of the company, or not a recipient."""

    status = 404


class TooManyAlertRecipients(TesseraError):
    status = 409


class WebhookNotFound(TesseraError):
    status = 404


class WebhookAddressRefused(TesseraError):
    status = 422
    code = "invalid_input"
