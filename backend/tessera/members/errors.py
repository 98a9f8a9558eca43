from tessera.errors import TesseraError


class MemberNotFound(TesseraError, status=404): ...


class NoTeamLeader(TesseraError, status=404): ...


class TeamLeaderCannotBeRemoved(TesseraError, status=409): ...


class TeamLeaderCannotBeDisabled(TesseraError, status=409): ...


class NewLeaderNeedsRecoveryCodes(TesseraError, status=409):
    """The company requires single sign-on, and its leader keeps a way in without it."""


class NewLeaderNotActive(TesseraError, status=409): ...


class LeaderAlready(TesseraError, status=409): ...
