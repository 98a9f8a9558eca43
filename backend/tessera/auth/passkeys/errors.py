from tessera.errors import TesseraError


class PasskeyNotFound(TesseraError, status=404): ...


class PasskeysUnavailable(TesseraError, status=409):
    """The public address is an IP address, which browsers do not bind passkeys to."""


class TooManyPasskeys(TesseraError, status=409): ...


class PasskeyNameTaken(TesseraError, status=409): ...


class PasskeyAlreadyAdded(TesseraError, status=409): ...


class PasskeyChallengeExpired(TesseraError):
    """Also if the challenge was answered before: each is good for one answer."""


class PasskeyUnknown(TesseraError):
    """Not one of the user's; the response does not say whether it is somebody else's."""


class PasskeyOfAnotherSite(TesseraError, status=400): ...


class PasskeyCopied(TesseraError):
    """Its counter went back, so that there are at least two of it."""


class PasskeyRefused(TesseraError):
    """Malformed, not signed by the passkey, or without a check of who is using it."""
