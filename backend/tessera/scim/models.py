"""What the service stores of the directory's users and groups, as SCIM resources (RFC 7643). Other
attributes are accepted and dropped."""

from typing import Annotated, Any, ClassVar

from pydantic import Field
from scim2_models import (
    URN,
    AuthenticationScheme,
    Bulk,
    CaseExact,
    ChangePassword,
    ComplexAttribute,
    ETag,
    Filter,
    Mutability,
    Patch,
    Reference,
    Required,
    Resource,
    ResourceType,
    Schema,
    ScimPolicy,
    ScimProvider,
    ServiceProviderConfig,
    Sort,
    Uniqueness,
)

MAX_RESULTS = 200
DEFAULT_RESULTS = 100


class Name(ComplexAttribute):
    given_name: str | None = None
    family_name: str | None = None


class Email(ComplexAttribute):
    value: Annotated[str | None, Required.true] = None
    type: str | None = Field(None, examples=["work", "home", "other"])
    primary: bool | None = None


class GroupMembership(ComplexAttribute):
    value: Annotated[str | None, Mutability.read_only, CaseExact.true] = None
    ref: Annotated[Reference["Group"] | None, Mutability.read_only] = Field(
        None, serialization_alias="$ref", validation_alias="$ref"
    )
    display: Annotated[str | None, Mutability.read_only] = None


class User(Resource[Any]):
    __schema__ = URN("urn:ietf:params:scim:schemas:core:2.0:User")

    user_name: Annotated[str | None, Uniqueness.server, Required.true] = None
    name: Name | None = None
    Name: ClassVar[type[ComplexAttribute]] = Name
    display_name: str | None = None
    active: Annotated[bool | None, Required.true] = None
    emails: Annotated[list[Email] | None, Required.true] = None
    Emails: ClassVar[type[ComplexAttribute]] = Email
    groups: Annotated[list[GroupMembership] | None, Mutability.read_only] = None
    Groups: ClassVar[type[ComplexAttribute]] = GroupMembership


class GroupMember(ComplexAttribute):
    value: Annotated[str | None, Mutability.immutable, CaseExact.true, Required.true] = None
    ref: Annotated[Reference["User"] | None, Mutability.immutable] = Field(
        None, serialization_alias="$ref", validation_alias="$ref"
    )


class Group(Resource[Any]):
    __schema__ = URN("urn:ietf:params:scim:schemas:core:2.0:Group")

    display_name: Annotated[str | None, Required.true] = None
    members: list[GroupMember] | None = None
    Members: ClassVar[type[ComplexAttribute]] = GroupMember


# What the directories of Okta and Microsoft send beyond the standard.
POLICY = ScimPolicy(
    unknown=ScimPolicy.Unknown.ignore,
    remove_value_as_filter=ScimPolicy.RemoveValue.apply,
    unmatched_path_filter=ScimPolicy.UnmatchedPathFilter.create,
)

CONFIG = ServiceProviderConfig(
    patch=Patch(supported=True),
    bulk=Bulk(supported=False, max_operations=0, max_payload_size=0),
    filter=Filter(supported=True, max_results=MAX_RESULTS),
    change_password=ChangePassword(supported=False),
    sort=Sort(supported=False),
    etag=ETag(supported=True),
    authentication_schemes=[
        AuthenticationScheme(
            type=AuthenticationScheme.Type.oauthbearertoken,
            name="Bearer token",
            description="The token that the team leader made on the page Company identity.",
            primary=True,
        )
    ],
)

PROVIDER = ScimProvider(
    models=[User, Group, Schema, ResourceType, ServiceProviderConfig],
    resource_types=[ResourceType.from_resource(User), ResourceType.from_resource(Group)],
    config=CONFIG,
    policy=POLICY,
)
