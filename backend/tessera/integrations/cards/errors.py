"""Errors of the card provider."""


class CardProviderError(Exception):
    pass


class Declined(CardProviderError):
    """The card's bank declined. `reason` is the provider's message for the cardholder."""

    def __init__(self, reason: str, decline_code: str = "") -> None:
        self.reason = reason
        self.decline_code = decline_code
        super().__init__(decline_code or "declined")


class AuthenticationNeeded(CardProviderError):
    def __init__(self, client_secret: str) -> None:
        self.client_secret = client_secret
        super().__init__("authentication needed")


class NotThere(CardProviderError):
    """The provider does not know the token, card or customer, or it belongs to someone else."""


class Unreachable(CardProviderError):
    """No response, or none that says whether the call was executed."""


class Refused(CardProviderError):
    """The provider rejects the request itself: an error of ours, or in the settings."""
