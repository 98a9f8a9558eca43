from tessera.errors import TesseraError


class AlertRecipientNotFound(TesseraError, status=404):
    """No active member of the company, or not a recipient."""


class TooManyAlertRecipients(TesseraError, status=409): ...


class WebhookNotFound(TesseraError, status=404): ...


class WebhookAddressRefused(TesseraError, status=422):
    code = "invalid_input"
