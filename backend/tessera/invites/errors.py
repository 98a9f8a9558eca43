from tessera.errors import LimitExceeded, TesseraError


class InviteNotFound(TesseraError, status=404): ...


class TooManyInvites(LimitExceeded):
    pass


class InviteExpired(TesseraError, status=409): ...


class InviteCancelled(TesseraError, status=409): ...


class InviteUsed(TesseraError, status=409): ...
