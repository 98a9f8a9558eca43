from tessera.errors import TesseraError


class MemberNotFound(TesseraError):
    status = 404
    code = "member_not_found"


class NoTeamLeader(TesseraError):
    status = 404
    code = "no_team_leader"


class TeamLeaderCannotBeRemoved(TesseraError):
    status = 409
    code = "team_leader_cannot_be_removed"


class TeamLeaderCannotBeDisabled(TesseraError):
    status = 409
    code = "team_leader_cannot_be_disabled"


class NewLeaderNotActive(TesseraError):
    status = 409
    code = "new_leader_not_active"


class LeaderAlready(TesseraError):
    status = 409
    code = "leader_already"
