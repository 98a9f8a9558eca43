"""Why the card provider did not do what it was asked."""


class CardProviderError(Exception):
    pass


class Declined(CardProviderError):
    """The card's bank said no. `reason` is the provider's sentence for the card's holder."""

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
    """No answer, or none that tells whether it was done."""


class Refused(CardProviderError):
    """The provider does not accept the request as such: a fault of ours, or of the settings."""
