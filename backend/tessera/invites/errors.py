from tessera.errors import LimitExceeded, TesseraError


class InviteNotFound(TesseraError):
    status = 404
    code = "invite_not_found"


class TooManyInvites(LimitExceeded):
    code = "too_many_invites"


class InviteExpired(TesseraError):
    status = 409
    code = "invite_expired"


class InviteCancelled(TesseraError):
    status = 409
    code = "invite_cancelled"


class InviteUsed(TesseraError):
    status = 409
    code = "invite_used"
