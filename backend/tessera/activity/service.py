"""The activity record. Every feature writes it in the transaction of the change."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from uuid import UUID

from tessera.activity import queries
from tessera.activity.queries import add
from tessera.authz.context import Access, CallContext
from tessera.kit.database import Connection

# Queries that other features call.
__all__ = ["add"]


async def record(
    access: Access,
    action: str,
    *,
    target: str = "",
    details: Mapping[str, object] | None = None,
    company_id: int | None = None,
) -> None:
    """`action` is `thing.verb`, for example `password.changed`, and a translation key. `company_id`
    is the company that a platform admin works on."""
    user = access.current_user
    await record_for(
        access.connection,
        access.context,
        company_id or user.company_id,
        action,
        actor_uuid=user.actor_uuid,
        actor_name=user.name,
        api_token_id=user.api_token_id,
        target=target,
        details=details,
    )


async def record_for(
    connection: Connection,
    context: CallContext,
    company_id: int,
    action: str,
    *,
    actor_uuid: UUID | None = None,
    actor_name: str = "",
    api_token_id: int | None = None,
    target: str = "",
    details: Mapping[str, object] | None = None,
) -> None:
    """For actions before anyone is signed in, such as the login itself."""
    await queries.add(
        connection,
        company_id=company_id,
        action=action,
        actor_name=actor_name,
        actor_uuid=actor_uuid,
        api_token_id=api_token_id,
        target=target,
        details=details,
        origin=context.origin,
        request_id=context.request_id,
    )


def changed(
    before: Mapping[str, object], after: Mapping[str, object], *, secret: Collection[str] = ()
) -> dict[str, object]:
    """Details with the fields that differ; a secret is named without its values."""
    return {
        "changes": [
            {"field": name}
            if name in secret
            else {"field": name, "from": before.get(name), "to": value}
            for name, value in after.items()
            if (before.get(name) or "") != (value or "")
        ]
    }


@dataclass(frozen=True)
class SystemActor:
    """An actor without a request: a scheduled workflow, or an operator on the command line."""

    name: str
    origin: str = ""


SYSTEM = SystemActor("Tessera")
COMMAND_LINE = SystemActor("tessera admin", "command line")


async def record_system(
    connection: Connection,
    company_id: int,
    action: str,
    *,
    by: SystemActor = SYSTEM,
    target: str = "",
    details: Mapping[str, object] | None = None,
) -> None:
    await queries.add(
        connection,
        company_id=company_id,
        action=action,
        actor_name=by.name,
        target=target,
        details=details,
        origin=by.origin,
    )
