"""Warehouse actions: connect, edit, remove and rotate keys."""

from typing import Any
from uuid import uuid4

from chaos.company_client import CompanyClient
from tests.warehouses.leader import FORMS

REFUSALS = frozenset({"warehouse_not_connected", "default_warehouse_stays"})
MOST = 4


async def change_warehouses(client: CompanyClient) -> None:
    await use_own(client)
    listed = (await client.ask("/all"))["item1"]
    if len(listed) < 2 or (len(listed) < MOST and client.person.dice.random() < 0.3):
        await add(client)
        return
    await client.person.dice.choice([_edit, _edit, make_default, remove, _publish, _rotate])(
        client, client.person.dice.choice(listed)
    )


async def use_own(client: CompanyClient) -> None:
    state = await client.ask("/payment/methods")
    if state["usesDefaultWarehouses"]:
        await client.do(
            "own warehouses",
            "ownWarehouses.on",
            "PUT",
            "/payment/own-warehouses",
            json={"enabled": True},
        )


async def add(client: CompanyClient) -> None:
    await add_form(client, client.person.dice.choice(list(FORMS.values())))


async def add_form(client: CompanyClient, form: dict[str, Any]) -> str:
    """Connects a warehouse at a new path, and returns the path."""
    form = {**form, "path": uuid4().hex}
    client.forms[form["path"]] = form

    async def seen() -> bool:
        return any(each["path"] == form["path"] for each in (await client.ask("/all"))["item1"])

    await client.do(
        "add warehouse",
        "warehouse.added",
        "POST",
        "/warehouse",
        done="warehouse_location_taken",
        values={"form": form},
        seen=seen,
        json=form,
    )
    return str(form["path"])


async def edit_one(client: CompanyClient) -> None:
    await _edit(client, (await client.ask("/all"))["item1"][0])


async def _edit(client: CompanyClient, warehouse: dict[str, Any]) -> None:
    """Changes the name, and the secret for types that accept any value."""
    form = {**client.forms[warehouse["path"]], "nickName": f"Cloud {uuid4().hex[:8]}"}
    if "secret" in form:
        form["secret"] = f"secret{uuid4().hex}"
    client.forms[warehouse["path"]] = form
    await client.do(
        "edit warehouse",
        "warehouse.updated",
        "PUT",
        "/warehouse",
        repeats=True,
        values={"form": form},
        json={**form, "id": warehouse["id"]},
    )


async def make_default(client: CompanyClient, warehouse: dict[str, Any]) -> None:
    if not warehouse["isDefault"]:
        await client.do(
            "choose warehouse",
            "warehouse.madeDefault",
            "PUT",
            f"/warehouse/default-warehouse/{warehouse['id']}",
        )


async def remove(client: CompanyClient, warehouse: dict[str, Any]) -> None:
    await client.do(
        "remove warehouse",
        "warehouse.removed",
        "DELETE",
        f"/warehouse/{warehouse['id']}",
        done="warehouse_not_found",
        refusals=REFUSALS,
    )


async def _publish(client: CompanyClient, warehouse: dict[str, Any]) -> None:
    await client.do(
        "publish health file",
        "warehouse.republished",
        "POST",
        f"/warehouse/health-check/{warehouse['id']}",
        repeats=True,
        refusals=REFUSALS,
    )


async def _rotate(client: CompanyClient, _: dict[str, Any]) -> None:
    await client.do(
        "renew key", "encryptionKey.rotated", "PUT", "/company/newkey", repeats=True
    )  # fmt: skip
