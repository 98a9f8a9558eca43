"""The company's policies, as its leader sets them. `authz/policies.py` enforces them."""

from datetime import timedelta

from tessera.activity.service import changed, record
from tessera.auth.accounts import mail_team_leader, own_account
from tessera.auth.sessions.service import own_sessions, shorten_sessions
from tessera.authz.context import Access, accepts
from tessera.authz.policies import Policies, policies_of
from tessera.authz.queries import lock_company
from tessera.kit import clock
from tessera.kit.client_ip import is_within
from tessera.kit.versions import is_older
from tessera.notifications import mails
from tessera.policies import errors, queries
from tessera.policies.schemas import PoliciesRead, PoliciesUpdate
from tessera_core.version import __version__

ALL_FACTORS = 3


async def read_policies(access: Access) -> PoliciesRead:
    return _read(access, await policies_of(access.connection, access.current_user.company_id))


async def put_policies(access: Access, data: PoliciesUpdate) -> PoliciesRead:
    connection, user = access.connection, access.current_user
    after = _policies(access, data)
    await lock_company(connection, user.company_id)
    before = await policies_of(connection, user.company_id)
    await _try_own_way_in(access, after)
    if after == before:
        return _read(access, after)
    if after == Policies():
        await queries.delete_policies(connection, user.company_id)
    else:
        await queries.put_policies(connection, user.company_id, after)
    await shorten_sessions(
        connection,
        user.company_id,
        hours=after.session_hours,
        client_days=after.client_session_days,
    )
    details = changed(describe(before), describe(after))
    await record(access, "policies.changed", details=details)
    mail = mails.PoliciesChanged(company=user.company_name, date=clock.now())
    await mail_team_leader(connection, access.context.keys, user.company_id, mail)
    return _read(access, after)


def describe(policies: Policies) -> dict[str, object]:
    """For the activity."""
    return {
        "secondFactors": "_".join(sorted(policies.second_factors or ())),
        "sessionHours": policies.session_hours,
        "clientSessionDays": policies.client_session_days,
        "minClientVersion": policies.min_client_version,
        "networks": ", ".join(policies.networks or ()),
        "countries": ", ".join(policies.countries or ()),
    }


def _policies(access: Access, data: PoliciesUpdate) -> Policies:
    settings = access.context.settings
    for name, wanted, maximum in (
        ("sessionHours", data.session_hours, settings.session_hours),
        ("clientSessionDays", data.client_session_days, settings.client_session_days),
    ):
        if wanted is not None and wanted > maximum:
            raise errors.PolicyNotTighter(maximum=maximum, fields={name: "range"})
    if data.min_client_version and is_older(__version__, data.min_client_version):
        raise errors.ClientVersionUnknown(
            newest=__version__, fields={"minClientVersion": "client_version"}
        )
    if data.countries and access.context.resources.countries is None:
        raise errors.CountriesNotOffered(fields={"countries": "countries_not_offered"})
    factors = data.second_factors
    return Policies(
        second_factors=None if factors is None or len(factors) == ALL_FACTORS else factors,
        session_hours=data.session_hours,
        client_session_days=data.client_session_days,
        min_client_version=data.min_client_version,
        networks=data.networks or None,
        countries=data.countries or None,
    )


async def _try_own_way_in(access: Access, policies: Policies) -> None:
    origin, user = access.context.origin, access.current_user
    if policies.networks is not None and not is_within(origin, policies.networks):
        raise errors.OwnNetworkLeftOut(address=origin)
    if policies.countries is not None and access.context.country not in policies.countries:
        raise errors.OwnCountryLeftOut(address=origin)
    # Where single sign-on is required, a recovery code is the way in without the provider.
    needs_app = (await own_account(access)).sso_required
    if not accepts(policies.second_factors, user.second_factor) or (
        needs_app and not accepts(policies.second_factors, "totp")
    ):
        raise errors.OwnSecondFactorLeftOut
    sessions = await own_sessions(access)
    if policies.session_hours is not None:
        age = clock.now() - next(each.started_at for each in sessions if each.current)
        if age >= timedelta(hours=policies.session_hours):
            raise errors.OwnSessionTooLong
    versions = [each.client_version for each in sessions if each.kind == "client"]
    minimum = policies.min_client_version
    if minimum and versions and all(is_older(version, minimum) for version in versions):
        raise errors.OwnClientTooOld


def _read(access: Access, policies: Policies) -> PoliciesRead:
    settings = access.context.settings
    return PoliciesRead.of(
        policies,
        networks=policies.networks or [],
        countries=policies.countries or [],
        max_session_hours=settings.session_hours,
        max_client_session_days=settings.client_session_days,
        newest_client_version=__version__,
        own_address=access.context.origin,
        own_country=access.context.country,
        are_countries_offered=access.context.resources.countries is not None,
    )
