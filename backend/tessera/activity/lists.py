"""Lists activity: a company's own, and all of it for the platform."""

from typing import Any

from tessera.activity import queries
from tessera.activity.queries import Activity
from tessera.activity.schemas import ActivityAction, ActivityRead, PlatformActivityRead
from tessera.activity.wording import action_text, change_texts, known_actions
from tessera.authz.context import Access, Identity
from tessera.authz.tenancy import enter_company
from tessera.kit.i18n import Language
from tessera.kit.pagination import Page, PageRequest


async def list_activity(
    access: Access, company_id: int | None, request: PageRequest
) -> Page[ActivityRead]:
    """Lists the caller's company, or the one that a platform admin names."""
    chosen = access.current_user.company_id
    if company_id is not None:
        chosen = await enter_company(access, company_id)
    page = await queries.of_company(access.connection, chosen, request)
    return Page(
        item1=[ActivityRead(**_fields(row, access.context.language)) for row in page.rows],
        item2=page.total,
        total_capped=page.capped,
    )


async def list_all_activity(identity: Identity, request: PageRequest) -> Page[PlatformActivityRead]:
    async with identity.context.database.platform.transaction() as connection:
        page = await queries.of_all(connection, request)
    return Page(
        item1=[
            PlatformActivityRead(
                **_fields(row, identity.context.language),
                company_id=row.company_id,
                company_name=row.company_name,
            )
            for row in page.rows
        ],
        item2=page.total,
        total_capped=page.capped,
    )


def list_actions(language: Language) -> list[ActivityAction]:
    return [
        ActivityAction(action=action, text=text) for action, text in known_actions(language).items()
    ]


def _fields(row: Activity, language: Language) -> dict[str, Any]:
    details = row.read_details()
    return {
        "id": row.id,
        "at": row.at,
        "actor_uuid": row.actor_uuid,
        "actor_name": row.actor_name,
        "action": row.action,
        "text": action_text(row.action, details, language),
        "changes": change_texts(row.action, row.target, details, language),
        "target": row.target,
        "details": details,
        "origin": row.origin,
    }
