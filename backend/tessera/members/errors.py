from tessera.errors import TesseraError


class MemberNotFound(TesseraError):
    status = 404


class NoTeamLeader(TesseraError):
    status = 404


class TeamLeaderCannotBeRemoved(TesseraError):
    status = 409


class TeamLeaderCannotBeDisabled(TesseraError):
    status = 409


class NewLeaderNotActive(TesseraError):
    status = 409


class LeaderAlready(TesseraError):
    status = 409
