"""What the company's policies demand of a login and of each request of a session."""

from collections.abc import Sequence

from msgspec import Struct

from tessera.authz import errors
from tessera.authz.context import CurrentUser, RequestContext, SecondFactor
from tessera.authz.permissions import COMMON_PERMISSIONS, OLD_CLIENT_PERMISSIONS, AccessRule
from tessera.errors import Text
from tessera.kit.client_ip import is_within
from tessera.kit.database import Connection
from tessera.kit.rows import fetch_row
from tessera.kit.versions import is_older


class Policies(Struct, frozen=True):
    """None stands for the platform's own limits."""

    second_factors: list[SecondFactor] | None = None
    session_hours: int | None = None
    client_session_days: int | None = None
    min_client_version: str | None = None
    networks: list[str] | None = None
    countries: list[str] | None = None


async def policies_of(connection: Connection, company_id: int) -> Policies:
    found = await fetch_row(
        connection,
        Policies,
        "SELECT second_factors, session_hours, client_session_days, min_client_version,"
        " networks::text[] AS networks, countries FROM company_policies WHERE company_id = $1",
        company_id,
    )
    return found or Policies()


def check_session(user: CurrentUser, rule: AccessRule, context: RequestContext) -> None:
    """A session from elsewhere is refused and not ended: back in the network, it works."""
    if not rule.anywhere:
        check_origin(context, user.allowed_networks, user.allowed_countries)
    if user.kind == "client" and rule.permission not in OLD_CLIENT_PERMISSIONS:
        check_client(user.min_client_version, user.client_version)
    if not user.is_factor_accepted and rule.permission not in COMMON_PERMISSIONS:
        raise refused_factor(user.allowed_factors)


def check_origin(
    context: RequestContext, networks: Sequence[str] | None, countries: Sequence[str] | None
) -> None:
    origin = context.origin
    if networks is not None and not is_within(origin, networks):
        raise errors.NetworkRefused(address=origin)
    if countries is not None and (country := context.country) not in countries:
        raise (errors.CountryRefused if country else errors.CountryUnknown)(address=origin)


def check_client(minimum: str | None, version: str | None) -> None:
    if minimum is not None and is_older(version, minimum):
        raise errors.ClientTooOld(minimum=minimum, version=version or "?")


def refused_factor(allowed: Sequence[SecondFactor] | None) -> errors.SecondFactorRefused:
    kinds = "activity.values.secondFactors." + "_".join(sorted(allowed or ()))
    return errors.SecondFactorRefused(kinds=Text(kinds, kinds))
