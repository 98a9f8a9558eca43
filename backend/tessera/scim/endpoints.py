from typing import Annotated, Any, Literal, TypeVar
from uuid import UUID

from fastapi import Path, Request
from msgspec import Raw
from scim2_models import (
    Context,
    ListResponse,
    Meta,
    PatchOp,
    Resource,
    ResponseParameters,
    SearchRequest,
)
from starlette.responses import Response
from starlette.routing import Match

from tessera.authz.context import Access
from tessera.scim import errors, groups, users
from tessera.scim.dependencies import Directory
from tessera.scim.filters import check_length
from tessera.scim.group_queries import MemberFields
from tessera.scim.member_changes import check_size, take_members
from tessera.scim.models import CONFIG, PROVIDER, Group, User
from tessera.scim.routes import PREFIX, ScimRouter, answer, json_body, located, plain, query
from tessera.scim.versions import check_version, is_unchanged

router = ScimRouter()

ResourceT = TypeVar("ResourceT", bound=Resource[Any])
Id = Annotated[str, Path(max_length=100)]
# What the database can count.
LAST_INDEX = 2**31 - 1


@router.get("/ServiceProviderConfig")
async def read_config(access: Directory) -> Response:
    located = CONFIG.model_copy(deep=True)
    _locate(located, access, "ServiceProviderConfig", "ServiceProviderConfig")
    return answer(located, Context.RESOURCE_QUERY_RESPONSE)


@router.get("/Schemas")
async def list_schemas(access: Directory, request: Request) -> Response:
    _refuse_filter(request)
    return _discovery([_published(access, each, "Schema", "Schemas") for each in PROVIDER.schemas])


@router.get("/Schemas/{schema_id}")
async def read_schema(access: Directory, schema_id: Id) -> Response:
    return _one(access, list(PROVIDER.schemas), schema_id, "Schema", "Schemas")


@router.get("/ResourceTypes")
async def list_resource_types(access: Directory, request: Request) -> Response:
    _refuse_filter(request)
    types = PROVIDER.resource_types
    return _discovery([_published(access, each, "ResourceType", "ResourceTypes") for each in types])


@router.get("/ResourceTypes/{type_id}")
async def read_resource_type(access: Directory, type_id: Id) -> Response:
    types = list(PROVIDER.resource_types)
    return _one(access, types, type_id, "ResourceType", "ResourceTypes")


@router.get("/Users")
async def list_users(access: Directory, request: Request) -> Response:
    return await _list_users(access, _search(User, query(request)))


@router.post("/Users/.search")
async def search_users(access: Directory, request: Request) -> Response:
    return await _list_users(access, _search(User, await json_body(request)))


@router.post("/Users")
async def create_user(access: Directory, request: Request) -> Response:
    body = await json_body(request)
    sent = {name.lower() for name in body}
    if "emails" not in sent and users.is_address(body.get("userName")):
        body["emails"] = [{"value": body["userName"], "type": "work", "primary": True}]
    if "active" not in sent:
        body["active"] = True
    parameters = _parameters(User, request)
    data = User.model_validate(body, scim_ctx=Context.RESOURCE_CREATION_REQUEST)
    user = await users.create_user(access, data)
    return answer(user, Context.RESOURCE_CREATION_RESPONSE, parameters, status=201)


@router.get("/Users/{user_id}")
async def read_user(access: Directory, request: Request, user_id: Id) -> Response:
    parameters = _parameters(User, request)
    _, user = await users.read_user(access, _uuid(user_id, errors.ScimUserNotFound))
    if is_unchanged(request, user):
        return Response(status_code=304)
    return answer(user, Context.RESOURCE_QUERY_RESPONSE, parameters)


@router.put("/Users/{user_id}")
async def replace_user(access: Directory, request: Request, user_id: Id) -> Response:
    body, parameters = await json_body(request), _parameters(User, request)
    uuid = _uuid(user_id, errors.ScimUserNotFound)
    stored, before = await users.read_user(access, uuid, lock=True)
    check_version(request, before)
    shown = before.model_dump()
    sent = {name.lower() for name in body}
    body |= {name: shown[name] for name in ("emails", "active") if name not in sent}
    data = User.model_validate(body, scim_ctx=Context.RESOURCE_REPLACEMENT_REQUEST)
    user = await users.replace_user(access, stored, before, data)
    return answer(user, Context.RESOURCE_REPLACEMENT_RESPONSE, parameters)


@router.patch("/Users/{user_id}")
async def patch_user(access: Directory, request: Request, user_id: Id) -> Response:
    body, parameters = await json_body(request), _parameters(User, request)
    check_size(body)
    patch = PatchOp[User].model_validate(body, scim_ctx=Context.RESOURCE_PATCH_REQUEST)
    uuid = _uuid(user_id, errors.ScimUserNotFound)
    stored, before = await users.read_user(access, uuid, lock=True)
    check_version(request, before)
    user = await users.patch_user(access, stored, before, patch)
    return answer(user, Context.RESOURCE_PATCH_RESPONSE, parameters)


@router.delete("/Users/{user_id}")
async def delete_user(access: Directory, request: Request, user_id: Id) -> Response:
    uuid = _uuid(user_id, errors.ScimUserNotFound)
    stored, user = await users.read_user(access, uuid, lock=True)
    check_version(request, user)
    await users.delete_user(access, stored)
    return Response(status_code=204)


@router.get("/Groups")
async def list_groups(access: Directory, request: Request) -> Response:
    return await _list_groups(access, _search(Group, query(request)))


@router.post("/Groups/.search")
async def search_groups(access: Directory, request: Request) -> Response:
    return await _list_groups(access, _search(Group, await json_body(request)))


@router.post("/Groups")
async def create_group(access: Directory, request: Request) -> Response:
    body, parameters = await json_body(request), _parameters(Group, request)
    members = take_members(body)
    data = Group.model_validate(body, scim_ctx=Context.RESOURCE_CREATION_REQUEST)
    group_id = await groups.create_group(access, data, members)
    shown = await groups.show_group(access, group_id, _member_fields(parameters))
    return _group(shown, Context.RESOURCE_CREATION_RESPONSE, parameters, status=201)


@router.get("/Groups/{group_id}")
async def read_group(access: Directory, request: Request, group_id: Id) -> Response:
    parameters = _parameters(Group, request)
    uuid = _uuid(group_id, errors.ScimGroupNotFound)
    _, group = await groups.read_group(access, uuid)
    if is_unchanged(request, group):
        return Response(status_code=304)
    shown = await groups.show_group(access, uuid, _member_fields(parameters))
    return _group(shown, Context.RESOURCE_QUERY_RESPONSE, parameters)


@router.put("/Groups/{group_id}")
async def replace_group(access: Directory, request: Request, group_id: Id) -> Response:
    body, parameters = await json_body(request), _parameters(Group, request)
    members = take_members(body)
    data = Group.model_validate(body, scim_ctx=Context.RESOURCE_REPLACEMENT_REQUEST)
    uuid = _uuid(group_id, errors.ScimGroupNotFound)
    stored, before = await groups.read_group(access, uuid, lock=True)
    check_version(request, before)
    await groups.replace_group(access, stored, before, data, members)
    shown = await groups.show_group(access, uuid, _member_fields(parameters))
    return _group(shown, Context.RESOURCE_REPLACEMENT_RESPONSE, parameters)


@router.patch("/Groups/{group_id}")
async def patch_group(access: Directory, request: Request, group_id: Id) -> Response:
    body, parameters = await json_body(request), _parameters(Group, request)
    check_size(body)
    patch = PatchOp[Group].model_validate(body, scim_ctx=Context.RESOURCE_PATCH_REQUEST)
    uuid = _uuid(group_id, errors.ScimGroupNotFound)
    stored, before = await groups.read_group(access, uuid, lock=True)
    check_version(request, before)
    await groups.patch_group(access, stored, before, patch)
    shown = await groups.show_group(access, uuid, _member_fields(parameters))
    return _group(shown, Context.RESOURCE_PATCH_RESPONSE, parameters)


@router.delete("/Groups/{group_id}")
async def delete_group(access: Directory, request: Request, group_id: Id) -> Response:
    uuid = _uuid(group_id, errors.ScimGroupNotFound)
    stored, group = await groups.read_group(access, uuid, lock=True)
    check_version(request, group)
    await groups.delete_group(access, stored)
    return Response(status_code=204)


@router.post("/.search")
async def search_everything(_: Directory) -> Response:
    raise errors.ScimSearchNotSupported


_METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]


@router.api_route("/{path:path}", methods=_METHODS)
async def no_such_call(_: Directory, request: Request) -> Response:
    """After all others, so that what they do not match is answered in SCIM's form too."""
    known = any(route.matches(request.scope)[0] is Match.PARTIAL for route in router.routes)
    raise errors.ScimMethodNotAllowed if known else errors.ScimCallUnknown


async def _list_users(access: Access, search: SearchRequest[User]) -> Response:
    page = await users.list_users(access, search)
    shown = [
        each.model_dump(scim_ctx=Context.RESOURCE_QUERY_RESPONSE, response_parameters=search)
        for each in page.users
    ]
    return _page(shown, page.total, page.start)


async def _list_groups(access: Access, search: SearchRequest[Group]) -> Response:
    page = await groups.list_groups(access, search, fields=_member_fields(search))
    shown = [_shown_group(each, Context.RESOURCE_QUERY_RESPONSE, search) for each in page.groups]
    return _page(shown, page.total, page.start)


def _group(
    shown: groups.Shown,
    context: Context,
    parameters: ResponseParameters[Group],
    *,
    status: int = 200,
) -> Response:
    body = _shown_group(shown, context, parameters)
    return plain(body, status=status, headers=located(shown.group, status))


def _shown_group(
    shown: groups.Shown, context: Context, parameters: ResponseParameters[Group]
) -> dict[str, Any]:
    body: dict[str, Any] = shown.group.model_dump(scim_ctx=context, response_parameters=parameters)
    if shown.members is not None:
        body["members"] = Raw(shown.members.encode())
    return body


def _search(model: type[ResourceT], values: dict[str, Any]) -> SearchRequest[ResourceT]:
    """From the query or from a body, whose numbers may be texts too."""
    check_length(values.get("filter"))
    try:
        search = SearchRequest[model].model_validate(values)  # type: ignore[valid-type]
    except RecursionError:
        raise errors.ScimFilterNotSupported from None
    if (search.start_index or 1) > LAST_INDEX:
        raise errors.ScimPagingInvalid
    return search


def _parameters(model: type[ResourceT], request: Request) -> ResponseParameters[ResourceT]:
    wanted = {
        name: value
        for name, value in query(request).items()
        if name in ("attributes", "excludedAttributes")
    }
    return ResponseParameters[model].model_validate(wanted)  # type: ignore[valid-type]


def _member_fields(parameters: ResponseParameters[Group]) -> MemberFields:
    """What to show of members; costly for a large group, so that many clients leave them out."""
    prefix = f"{Group.__schema__}:".lower()
    wanted = {str(path).lower().removeprefix(prefix) for path in parameters.attributes or []}
    unwanted = {
        str(path).lower().removeprefix(prefix) for path in parameters.excluded_attributes or []
    }
    names: tuple[Literal["value", "$ref"], ...] = ("value", "$ref")
    return frozenset(
        name
        for name in names
        if (not wanted or {"members", f"members.{name}"} & wanted)
        and not {"members", f"members.{name}"} & unwanted
    )


def _uuid(text: str, missing: type[errors.ScimError]) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise missing from None


def _page(resources: list[dict[str, Any]], total: int, start: int) -> Response:
    return plain(
        {
            "schemas": [str(ListResponse.__schema__)],
            "totalResults": total,
            "startIndex": start,
            "itemsPerPage": len(resources),
            "Resources": resources,
        }
    )


def _discovery(resources: list[Any]) -> Response:
    shown = [each.model_dump(scim_ctx=Context.RESOURCE_QUERY_RESPONSE) for each in resources]
    return _page(shown, len(shown), 1)


def _published(access: Access, resource: Any, kind: str, endpoint: str) -> Any:  # noqa: ANN401
    located = resource.model_copy(deep=True)
    _locate(located, access, kind, f"{endpoint}/{located.id}")
    return located


def _locate(resource: Any, access: Access, kind: str, place: str) -> None:  # noqa: ANN401
    base = f"{access.context.settings.public_url}{PREFIX}"
    resource.meta = Meta(resource_type=kind, location=f"{base}/{place}")


def _one(access: Access, known: list[Any], wanted: str, kind: str, endpoint: str) -> Response:
    for each in known:
        if str(each.id).lower() == wanted.lower():
            return answer(_published(access, each, kind, endpoint), Context.RESOURCE_QUERY_RESPONSE)
    raise errors.ScimCallUnknown


def _refuse_filter(request: Request) -> None:
    """As the standard demands of these lists."""
    if "filter" in request.query_params:
        raise errors.ScimFilterForbidden
