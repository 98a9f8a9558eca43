"""Deletes a company: at once by a platform admin, or on the day that its leader was told."""

from datetime import datetime
from uuid import UUID

import msgspec

from tessera.activity.service import record_system
from tessera.auth.accounts import mail_team_leader
from tessera.authz.queries import Recipient, team_leader
from tessera.authz.tenancy import PLATFORM_COMPANY
from tessera.companies.deletion import queries
from tessera.companies.deletion.queries import LockedCompany
from tessera.errors import Text
from tessera.kit import clock
from tessera.kit.database import Connection, enter_tenant
from tessera.kit.keys import Keys
from tessera.kit.workflows import Resources
from tessera.notifications import mails
from tessera.notifications.service import enqueue_email
from tessera.storage.deletion.service import add_prefix_deletions, is_restoring, stored_totals
from tessera.subscription.dunning import leaving_page
from tessera.subscription.service import claim_notice
from tessera.subscription.workflows import close_account


class Proof(msgspec.Struct, frozen=True):
    """What the mail says, and to whom it goes."""

    to: Recipient
    company: str
    asked: datetime | None
    deleted: datetime
    members: int
    spaces: int
    packs: int
    bytes: int


async def delete_company(
    connection: Connection, keys: Keys, company_id: int, company: LockedCompany
) -> dict[str, object]:
    """Deletes the entered company with its keys, envelopes, members and activity; continues in the
    platform's company. Returns the details of the record that the caller writes there: with the
    company's name and no person's. `finish_deletion` has to follow."""
    await close_account(connection, company.customer_id)
    leader = await team_leader(connection)
    totals = await stored_totals(connection, company_id)
    warehouses = await add_prefix_deletions(connection, company_id)
    members = await queries.delete_company(connection, company_id)
    await enter_tenant(connection, PLATFORM_COMPANY)
    if leader is not None:
        proof = Proof(
            to=leader,
            company=company.name,
            asked=company.leaving_since,
            deleted=clock.now(),
            members=members,
            spaces=totals.spaces,
            packs=totals.packs,
            bytes=totals.bytes,
        )
        sealed = keys.seal("deletion-proofs", msgspec.json.encode(proof), _place(company.uuid))
        await queries.add_proof(connection, PLATFORM_COMPANY, company.uuid, sealed, warehouses)
    return {"companyId": company_id, "uuid": str(company.uuid), "members": members}


async def remind_or_delete(resources: Resources, company_id: int) -> bool:
    """Safe to repeat: the leader may have decided to stay, or it is done. True if it deleted."""
    async with resources.database.tenant(company_id) as connection:
        company = await queries.locked_company(connection, company_id)
        if company is None or company.deletion_at is None:
            return False
        if await is_restoring(connection, company_id):
            # The leader may have decided to stay after the backup.
            return False
        if company.is_due:
            details = await delete_company(connection, resources.keys, company_id, company)
            await record_system(
                connection, PLATFORM_COMPANY, "company.deleted", target=company.name,
                details=details,
            )  # fmt: skip
        elif company.is_near and await claim_notice(
            connection, company_id, company.deletion_at, "deletionNear"
        ):
            mail = mails.CompanyDeletionNear(
                company.name, company.deletion_at, leaving_page(resources.settings)
            )
            await mail_team_leader(connection, resources.keys, company_id, mail)
        return company.is_due


async def send_proofs(resources: Resources) -> None:
    """Safe to repeat: the address is deleted in the transaction that enqueues the mail."""
    async with resources.database.tenant(PLATFORM_COMPANY) as connection:
        finished = await queries.finished_proofs(connection)
    for uuid in finished:
        async with resources.database.tenant(PLATFORM_COMPANY) as connection:
            stored = await queries.take_proof(connection, uuid)
            if stored is None:
                continue
            plaintext = resources.keys.open("deletion-proofs", stored.sealed, _place(uuid))
            proof = msgspec.json.decode(plaintext, type=Proof)
            mail = mails.CompanyDeleted(
                company=proof.company,
                uuid=str(uuid),
                asked=proof.asked or Text("mails.askedBySupport", ""),
                deleted=proof.deleted,
                finished=clock.now(),
                members=proof.members,
                spaces=proof.spaces,
                packs=proof.packs,
                bytes=proof.bytes,
                objects=stored.objects,
            )
            await enqueue_email(connection, resources.keys, PLATFORM_COMPANY, proof.to, mail)


def _place(uuid: UUID) -> str:
    return f"proof|{uuid}"
