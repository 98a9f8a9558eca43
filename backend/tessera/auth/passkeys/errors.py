from tessera.errors import TesseraError


class PasskeyNotFound(TesseraError):
    status = 404
    code = "passkey_not_found"


class PasskeysUnavailable(TesseraError):
    """The public address is an IP address, which browsers do not bind passkeys to."""

    status = 409
    code = "passkeys_unavailable"


class TooManyPasskeys(TesseraError):
    status = 409
    code = "too_many_passkeys"


class PasskeyNameTaken(TesseraError):
    status = 409
    code = "passkey_name_taken"


class PasskeyAlreadyAdded(TesseraError):
    status = 409
    code = "passkey_already_added"


class PasskeyChallengeExpired(TesseraError):
    """Also if the challenge was answered before: each is good for one answer."""

    code = "passkey_challenge_expired"


class PasskeyUnknown(TesseraError):
    """Not one of the user's; the response does not say whether it is somebody else's."""

    code = "passkey_unknown"


class PasskeyOfAnotherSite(TesseraError):
    code = "passkey_of_another_site"


class PasskeyCopied(TesseraError):
    """Its counter went back, so that there are at least two of it."""

    code = "passkey_copied"


class PasskeyRefused(TesseraError):
    """Malformed, not signed by the passkey, or without a check of who is using it."""

    code = "passkey_refused"
