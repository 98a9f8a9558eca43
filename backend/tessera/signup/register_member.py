"""Joining a company by invite. One transaction creates the account and ends the invite: of two
people with the same link one gets in, and the other learns that it has been used."""

import asyncpg

from tessera import limits
from tessera.activity.service import record_for
from tessera.auth import accounts
from tessera.auth.errors import SsoRequired
from tessera.auth.passwords.hashing import hash_secret
from tessera.auth.sessions.service import StartedSession, start_session
from tessera.authz.context import RequestContext
from tessera.authz.permissions import Role
from tessera.authz.policies import check_origin, policies_of
from tessera.authz.rate_limits import limit
from tessera.invites.links import find_invite, open_invite, take_invite
from tessera.kit.schemas import normalize_email
from tessera.signup import phones
from tessera.signup.create_company import duplicate_error
from tessera.signup.payload import check_person
from tessera.signup.schemas import NewPerson


async def register(context: RequestContext, token: str, data: NewPerson) -> StartedSession | None:
    """None if the company requires single sign-on, by which the first session opens."""
    company_id, invite_id = await find_invite(context, token)
    await limit(context, limits.INVITE_SUBMITS, invite_id)
    guest = phones.Guest(company_id=company_id, invite_id=invite_id)
    # Reject everything that can be rejected before spending time on the hash.
    async with context.database.tenant(company_id) as connection:
        invite = await open_invite(connection, invite_id)
        policies = await policies_of(connection, company_id)
        check_origin(context, policies.networks, policies.countries)
        salt = check_person(data, invite.company_uuid)
        await phones.check_verified(connection, guest, data.phone_number, field="phoneNumber")
    password_hash = await hash_secret(data.password)
    try:
        async with context.database.tenant(company_id) as connection:
            invite = await take_invite(connection, invite_id)
            await accounts.release_address(connection, normalize_email(invite.email))
            user_id = await accounts.add_user(
                connection,
                uuid=data.uuid,
                company_id=company_id,
                first_name=data.first_name,
                last_name=data.last_name,
                # The invite reached this address, so it is confirmed.
                email=invite.email,
                email_folded=normalize_email(invite.email),
                phone_number=data.phone_number,
                role=Role.TEAM_MEMBER,
                language=context.language,
                salt=salt,
                password_hash=password_hash,
                sealed_user_key=data.user_key,
            )
            await record_for(
                connection,
                context,
                company_id,
                "member.registered",
                actor_uuid=data.uuid,
                actor_name=f"{data.first_name} {data.last_name}",
                target=invite.email,
            )
    except asyncpg.UniqueViolationError as error:
        raise duplicate_error(error) from None
    try:
        return await start_session(context, company_id, user_id, second_factor="sms")
    except SsoRequired:
        return None
