"""The names of the specification: its calls, what they take and answer, its entities and codes."""

from functools import cache
from typing import Any

import httpx
import pytest

from tessera.authz.permissions import Role
from tessera.main import create_app
from tessera.settings import Settings
from tessera.warehouses.enums import Status
from tessera_core.providers import connectable
from tests.auth.test_passwords import new_password
from tests.factories.accounts import Factory, Outbox

PAGE = "skip limit searchText"
ADDRESS = "address.state address.zipCode address.addressLine1 address.addressLine2 address.city"
PERSON = "firstName lastName email_address phoneNumber"
S3 = "wareHouseId nickName bucketName accountKey secret region path"
PAYMENT = "cards defaultCardId status renewalDate isCanceled planId autoRenew"


@cache
def description() -> dict[str, Any]:
    """The OpenAPI description, made without a database."""
    settings = Settings(platform_key="A" * 43 + "=", _env_file=None)
    described: dict[str, Any] = create_app(settings).openapi()
    return described


def names(schema: dict[str, Any], parent: str = "") -> set[str]:
    """The fields of a schema, those of nested objects as `outer.inner`; a list's are its items'."""
    if "$ref" in schema:
        schema = description()["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    found: set[str] = set()
    for part in (*schema.get("anyOf", ()), *schema.get("allOf", ()), schema.get("items", {})):
        found |= names(part, parent) if part else set()
    for name, field in schema.get("properties", {}).items():
        found |= {f"{parent}{name}", *names(field, f"{parent}{name}.")}
    return found


def row(name: str, takes: str = "", answers: str = "") -> Any:
    return pytest.param(name, set(takes.split()), set(answers.split()), id=name)


CALLS = [
    row(
        "POST /auth/register",
        "token firstName lastName phoneNumber password",
        "access_token",
    ),
    row("POST /auth/login-onboard", "emailAddress password"),
    row("POST /auth/verify-otp", "emailAddress password otp", "access_token user"),
    row("POST /auth/verify-otp/{code}"),
    row("GET /auth/login-token", "", "access_token user"),
    row("POST /auth/forgot-password", "emailAddress"),
    row("POST /auth/reset-password", "password token"),
    row("POST /auth/logout"),
    row("POST /auth/verify-registration-password", "password"),
    row("GET /auth/signup-otp", "phoneNumber"),
    row("POST /auth/verify-signup-otp", "phoneNumber otp"),
    row("POST /auth/generate-otp"),
    row("POST /auth/verify-email", "email"),
    row("POST /auth/register-team-leader", "user company payment", "data.access_token"),
    row("GET /user/team-leader", "", "uuid"),
    row("GET /user/team-leader/{company_id}", "", "uuid"),
    row("GET /company", "", "name"),
    row("GET /companies", PAGE, "item1 item2"),
    row("PUT /company/status/{company_id}", "", "isEnabled"),
    row("DELETE /company/{company_id}"),
    row(
        "PUT /company",
        f"name email phoneNumber {ADDRESS}",
        f"companyId name email phoneNumber {ADDRESS}",
    ),
    row("GET /company/passphrase"),
    row("PUT /company/passphrase", "passphrase"),
    row("PUT /company/newkey"),
    row("GET /users", PAGE, "item1 item2"),
    row("GET /users/{company_id}", PAGE, "item1 item2"),
    row("PUT /user", f"uuid {PERSON}", "uuid"),
    row("DELETE /user/{uuid}"),
    row("PUT /user/status/{uuid}", "", "isActive"),
    row("PUT /user/team-leader/{uuid}", "", "uuid"),
    row("PUT /user/team-leader", "companyId userId", "uuid"),
    row("GET /invites", PAGE, "item1 item2"),
    row("GET /invites/{company_id}", PAGE, "item1 item2"),
    row("POST /invite/users/", "email_address"),
    row("DELETE /invite/{key}"),
    row("GET /all", PAGE, "item1 item2"),
    row("GET /warehouse", "warehouseId", S3),
    row("POST /warehouse", S3, "id status"),
    row("PUT /warehouse", f"id {S3}", "id status"),
    row("PUT /warehouse/default-warehouse/{warehouse_id}", "", "isDefault"),
    row("POST /warehouse/health-check/{warehouse_id}"),
    row("GET /payment/methods", "", PAYMENT),
    row("POST /payment/add", "stripeToken", "cards"),
    row("PUT /payment/switch-plan", "PlanId", "planId"),
    row("DELETE /payment", "cardId", "cards"),
    row("PUT /payment/default", "cardId", "defaultCardId"),
    row("PUT /payment/auto-renew", "", "autoRenew"),
    row("PUT /payment/cancel", "", "isCanceled"),
    row("PUT /payment/reactivate", "", "isCanceled"),
]

ENTITIES = [
    row(
        "UserRead",
        answers=f"uuid {PERSON} role isSubscribed canViewWarehouse companyId companyName clientId",
    ),
    row(
        "CompanyRead",
        answers=f"companyId id name email phoneNumber {ADDRESS} isEnabled dateCreated",
    ),
    row("MemberRead", answers=f"uuid {PERSON} role isActive dateCreated"),
    row("InviteRead", answers="companyId email_address key"),
    row("WarehouseRead", answers="id wareHouseId nickName status isDefault path"),
    row(
        "PaymentRead",
        answers=f"{PAYMENT} cards.id cards.brand cards.last4 cards.expMonth cards.expYear",
    ),
]


@pytest.mark.spec(
    "7.3", "7.4", "7.5", "7.6", "7.7", "7.8", "7.9", "7.10", "7.11", "7.12", "7.13", "7.14",
    "7.15", "7.16", "7.17", "7.18", "7.19", "7.20", "7.21", "7.22", "7.23", "7.24", "7.25",
    "7.26", "7.27", "7.28", "7.29", "7.30", "7.31", "7.32", "7.34", "7.35", "7.36", "7.37",
    "7.38", "7.39", "7.40", "7.41", "7.42", "7.43", "7.44", "7.45", "7.46", "7.47", "7.48",
)  # fmt: skip
@pytest.mark.parametrize(("call", "takes", "answers"), CALLS)
def test_call_of_the_specification(call: str, takes: set[str], answers: set[str]) -> None:
    method, path = call.split()
    described = description()["paths"][f"/api{path}"][method.lower()]
    bodies = described.get("requestBody", {}).get("content", {}).values()
    accepted = {each["name"] for each in described.get("parameters", [])}
    accepted |= {name for body in bodies for name in names(body["schema"])}
    assert takes <= accepted
    answered = {
        name
        for status, answer in described["responses"].items()
        if status.startswith("2")
        for content in answer.get("content", {}).values()
        for name in names(content["schema"])
    }
    assert answers <= answered


@pytest.mark.spec("3.1", "3.3", "3.6", "3.7", "3.8", "3.17")
@pytest.mark.parametrize(("entity", "_", "fields"), ENTITIES)
def test_entity_has_its_fields(entity: str, _: set[str], fields: set[str]) -> None:
    assert fields <= names({"$ref": f"#/components/schemas/{entity}"})


@pytest.mark.spec("3.2")
def test_roles_of_a_user() -> None:
    assert {role.value for role in Role} == {"admin", "teamLeader", "teamMember"}


@pytest.mark.spec("3.9", "3.10", "9.14", "9.15")
def test_warehouse_calls_answer_the_specified_codes() -> None:
    assert {provider.name: provider.type for provider in connectable()} == {
        "Dropbox": 1, "AWS S3": 3, "Azure": 4, "Google Cloud": 5,
    }  # fmt: skip
    assert {status.name: status.value for status in Status} == {
        "NOT_CONNECTED": 0, "CONNECTED": 1, "ACTIVE": 2,
    }  # fmt: skip


class TestSecretsInTheQuery:
    """The sandbox takes them as the specification sends them; production does not."""

    @pytest.mark.spec("7.5")
    async def test_login_code_in_the_query_is_accepted(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox
    ) -> None:
        user = await make.user()
        await client.post("/api/auth/login-onboard", params=user.credentials)
        code = await outbox.code(user.phone_number)
        answer = await client.post("/api/auth/verify-otp", params={**user.credentials, "otp": code})
        assert answer.status_code == 200

    @pytest.mark.spec("7.8", "7.9")
    async def test_reset_code_in_the_query_is_accepted(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox
    ) -> None:
        user = await make.user()
        asked = await client.post("/api/auth/forgot-password", params={"emailAddress": user.email})
        assert asked.status_code == 202
        new = {"token": await outbox.token(user.email), **new_password(user)}
        query = {"password": new.pop("password")}
        answer = await client.post("/api/auth/reset-password", params=query, json=new)
        assert answer.status_code == 204
