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
    # A company that chose to connect its own has not done so while shared ones stand in.
    active = [
        state
        for state in states
        if state.status == Status.ACTIVE.value
        and state.is_shared is not current_user.can_view_warehouse
    ]
    return FirstSteps(
        passphrase_sheet=progress.sheet_kept,
        warehouses=len(active) >= NEEDED,
        members=progress.invited,
        client=progress.client_seen,
    )


async def confirm_passphrase_sheet(access: Access) -> FirstSteps:
    await queries.set_sheet_kept(access.connection, access.current_user.user_id)
    return await read(access)


async def dismiss(access: Access) -> None:
    await queries.set_shown(access.connection, access.current_user.user_id, shown=False)
