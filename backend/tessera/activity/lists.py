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
    page = await queries.OF_COMPANY.page(access.connection, request, chosen)
    language = access.context.language
    return page.read(lambda row: ActivityRead.of(row, **_texts(row, language)))


async def list_all_activity(identity: Identity, request: PageRequest) -> Page[PlatformActivityRead]:
    async with identity.context.database.platform.connection() as connection:
        page = await queries.OF_ALL.page(connection, request)
    language = identity.context.language
    return page.read(lambda row: PlatformActivityRead.of(row, **_texts(row, language)))


def list_actions(language: Language) -> list[ActivityAction]:
    return [
        ActivityAction(action=action, text=text) for action, text in known_actions(language).items()
    ]


def _texts(row: Activity, language: Language) -> dict[str, Any]:
    details = row.read_details()
    return {
        "text": action_text(row.action, details, language),
        "changes": change_texts(row.action, row.target, details, language),
        "details": details,
    }
