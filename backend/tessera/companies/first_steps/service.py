"""What a leader does after signing up: each step's state is read where the step is done."""

from tessera.authz.context import Access
from tessera.companies.first_steps import queries
from tessera.companies.first_steps.queries import set_shown
from tessera.companies.first_steps.schemas import FirstSteps
from tessera.warehouses.enums import NEEDED, Status
from tessera.warehouses.service import states_of

# Queries that other features call.
__all__ = ["set_shown"]


async def read(access: Access) -> FirstSteps:
    connection, current_user = access.connection, access.current_user
    progress = await queries.progress(connection, current_user.company_id, current_user.user_id)
    states = await states_of(connection, current_user.company_id)
    return FirstSteps(
        passphrase_sheet=progress.sheet_kept,
        warehouses=sum(state.status == Status.ACTIVE.value for state in states) >= NEEDED,
        members=progress.invited,
        client=progress.client_seen,
    )


async def confirm_passphrase_sheet(access: Access) -> FirstSteps:
    await queries.set_sheet_kept(access.connection, access.current_user.user_id)
    return await read(access)


async def dismiss(access: Access) -> None:
    await queries.set_shown(access.connection, access.current_user.user_id, shown=False)
