"""Warehouses: connected, edited, removed, and their keys renewed."""

from typing import Any
from uuid import uuid4

from faults.firm import Firm
from tests.warehouses.leader import FORMS

REFUSALS = frozenset({"warehouse_not_connected", "default_warehouse_stays"})
MOST = 4


async def change_warehouses(firm: Firm) -> None:
    state = await firm.ask("/payment/methods")
    if state["usesDefaultWarehouses"]:
        await firm.do(
            "own warehouses",
            "ownWarehouses.on",
            "PUT",
            "/payment/own-warehouses",
            json={"enabled": True},
        )
    listed = (await firm.ask("/all"))["item1"]
    if len(listed) < 2 or (len(listed) < MOST and firm.person.dice.random() < 0.3):
        await add(firm)
        return
    await firm.person.dice.choice([_edit, _edit, _default, _remove, _publish, _rotate])(
        firm, firm.person.dice.choice(listed)
    )


async def add(firm: Firm) -> None:
    form = {**firm.person.dice.choice(list(FORMS.values())), "path": uuid4().hex}
    firm.forms[form["path"]] = form

    async def seen() -> bool:
        return any(each["path"] == form["path"] for each in (await firm.ask("/all"))["item1"])

    await firm.do(
        "add warehouse",
        "warehouse.added",
        "POST",
        "/warehouse",
        repeats=True,
        told={"form": form},
        seen=seen,
        json=form,
    )


async def edit_one(firm: Firm) -> None:
    await _edit(firm, (await firm.ask("/all"))["item1"][0])


async def _edit(firm: Firm, warehouse: dict[str, Any]) -> None:
    """Another name, and other credentials where the type has some that may be anything."""
    form = {**firm.forms[warehouse["path"]], "nickName": f"Cloud {uuid4().hex[:8]}"}
    if "secret" in form:
        form["secret"] = f"secret{uuid4().hex}"
    firm.forms[warehouse["path"]] = form
    await firm.do(
        "edit warehouse",
        "warehouse.updated",
        "PUT",
        "/warehouse",
        repeats=True,
        told={"form": form},
        json={**form, "id": warehouse["id"]},
    )


async def _default(firm: Firm, warehouse: dict[str, Any]) -> None:
    if not warehouse["isDefault"]:
        await firm.do(
            "choose warehouse",
            "warehouse.madeDefault",
            "PUT",
            f"/warehouse/default-warehouse/{warehouse['id']}",
        )


async def _remove(firm: Firm, warehouse: dict[str, Any]) -> None:
    await firm.do(
        "remove warehouse",
        "warehouse.removed",
        "DELETE",
        f"/warehouse/{warehouse['id']}",
        done="warehouse_not_found",
        refusals=REFUSALS,
    )


async def _publish(firm: Firm, warehouse: dict[str, Any]) -> None:
    await firm.do(
        "publish health file",
        "warehouse.republished",
        "POST",
        f"/warehouse/health-check/{warehouse['id']}",
        repeats=True,
        refusals=REFUSALS,
    )


async def _rotate(firm: Firm, _: dict[str, Any]) -> None:
    await firm.do(
        "renew key", "encryptionKey.rotated", "PUT", "/company/newkey", repeats=True
    )  # fmt: skip
