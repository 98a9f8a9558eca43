"""The transaction that creates a company: its row, its leader, their keys, the card provider's
data, the welcome mail and the activity record. It also ends the registration and its ticket."""

from datetime import timedelta

import asyncpg

from tessera.activity import service as activity
from tessera.auth import accounts
from tessera.auth.errors import AddressInUse
from tessera.authz.permissions import Role
from tessera.authz.queries import Recipient
from tessera.companies.first_steps import service as first_steps
from tessera.companies.service import CompanyProfile, add_company
from tessera.errors import TesseraError
from tessera.integrations.cards.protocol import Account
from tessera.kit.database import Connection, enter_tenant
from tessera.kit.schemas import normalize_email
from tessera.kit.tokens import hash_handle, new_handle
from tessera.kit.workflows import Resources
from tessera.notifications import mails
from tessera.notifications.service import enqueue_email
from tessera.signup import queries
from tessera.signup.errors import UuidTaken
from tessera.signup.payload import Contents
from tessera.signup.queries import Registration
from tessera.signup.transactions import registration_transaction
from tessera.subscription import plans
from tessera.subscription.sync import store_account
from tessera.warehouses.service import assign_shared
from tessera_core.envelopes import split_passphrase_pair
from tessera_core.kdf import salt_from_text


async def create_company(
    resources: Resources, registration_id: int, contents: Contents, account: Account
) -> bool:
    """False if the registration is being undone. Does nothing if the company already exists."""
    try:
        async with registration_transaction(resources.database, registration_id) as connection:
            registration = await queries.lock_registration(connection, registration_id)
            if registration is None or registration.state == "failed" or registration.error_code:
                return False
            if registration.state == "pending":
                await _create(connection, resources, registration, contents, account)
            return True
    except asyncpg.UniqueViolationError as error:
        raise duplicate_error(error) from None


def duplicate_error(error: asyncpg.UniqueViolationError) -> TesseraError:
    """Maps the violated constraint to the error for the duplicate value."""
    name = error.constraint_name or ""
    return AddressInUse() if "address" in name or "email" in name else UuidTaken()


async def _create(
    connection: Connection,
    resources: Resources,
    registration: Registration,
    contents: Contents,
    account: Account,
) -> None:
    company_id = await queries.next_company_id(connection)
    await enter_tenant(connection, company_id)
    profile = CompanyProfile(
        name=contents.company_name,
        email=contents.company_email,
        phone_number=contents.company_phone_number,
        **contents.address.model_dump(),
    )
    await add_company(connection, company_id, registration.company_uuid, profile)
    await accounts.release_address(
        connection,
        normalize_email(contents.email),
        unused_for=timedelta(hours=resources.settings.confirm_link_hours),
    )
    user_id = await _add_leader(connection, company_id, registration, contents)
    await first_steps.set_shown(connection, user_id, shown=True)
    await store_account(connection, resources, company_id, account)
    if account.subscription is not None and account.subscription.plan_id == plans.BASIC:
        await assign_shared(connection)
    await _send_welcome(
        connection, resources, (company_id, user_id), registration.language, contents
    )
    await activity.add(
        connection,
        company_id=company_id,
        actor_uuid=registration.user_uuid,
        actor_name=f"{contents.first_name} {contents.last_name}",
        action="company.registered",
        target=contents.company_name,
        origin=registration.origin,
        request_id=registration.request_id,
    )
    await queries.finish_registration(connection, registration.id, company_id, user_id)
    await queries.use_ticket(connection, registration.ticket_id)


async def _add_leader(
    connection: Connection, company_id: int, registration: Registration, contents: Contents
) -> int:
    user_id = await accounts.add_user(
        connection,
        uuid=registration.user_uuid,
        company_id=company_id,
        first_name=contents.first_name,
        last_name=contents.last_name,
        email=contents.email,
        email_folded=normalize_email(contents.email),
        phone_number=contents.phone_number,
        role=Role.TEAM_LEADER,
        language=registration.language,
        salt=salt_from_text(contents.salt),
        password_hash=contents.password_hash,
        sealed_user_key=contents.user_key,
        confirmed=False,
    )
    sealed_key, sealed_passphrase = split_passphrase_pair(contents.pass_phrase)
    await accounts.set_passphrase(
        connection,
        company_id=company_id,
        user_id=user_id,
        epoch=1,
        sealed_company_key=sealed_key,
        sealed_passphrase=sealed_passphrase,
    )
    return user_id


async def _send_welcome(
    connection: Connection,
    resources: Resources,
    ids: tuple[int, int],
    language: str,
    contents: Contents,
) -> None:
    company_id, user_id = ids
    token = new_handle(company_id)
    await accounts.add_link(
        connection,
        company_id=company_id,
        user_id=user_id,
        purpose="confirmEmail",
        token_hash=hash_handle(token),
        email=contents.email,
        lasting=timedelta(hours=resources.settings.confirm_link_hours),
    )
    await enqueue_email(
        connection,
        resources.keys,
        company_id,
        Recipient(contents.email, language, contents.first_name),
        mails.Welcome(
            company=contents.company_name,
            link=f"{resources.settings.public_url}/confirm-email?token={token}",
        ),
    )
