"""Groups: labels of the directory's users."""

from typing import Any
from uuid import uuid4

import httpx
import pytest
from scim2_models import PatchOp

from tessera.kit.database import Connection
from tessera.scim.models import Group
from tests.scim.directory import GROUP, Directory, refusal, replace
from tests.security.attacker import together


def labels(name: str, *users: dict[str, Any], **more: Any) -> dict[str, Any]:
    members = [{"value": user["id"]} for user in users]
    return {"schemas": [GROUP], "displayName": name, "members": members, **more}


async def add(directory: Directory, body: dict[str, Any]) -> dict[str, Any]:
    answer = await directory.call("POST", "/Groups", body)
    assert answer.status_code == 201, answer.text
    group: dict[str, Any] = answer.json()
    return group


def ids(group: dict[str, Any]) -> set[str]:
    return {member["value"] for member in group.get("members", [])}


async def test_a_group_labels_people_and_gives_no_rights(
    directory: Directory, platform: Connection
) -> None:
    ada, member = await directory.add("ada"), await directory.find(directory.team.member.email)
    roles = await platform.fetch("SELECT id, role FROM users ORDER BY id")
    group = await add(directory, labels("Admins", ada, member, externalId="g1"))
    assert ids(group) == {ada["id"], member["id"]}
    shown = (await directory.get(f"/Users/{ada['id']}")).json()
    assert [each["display"] for each in shown["groups"]] == ["Admins"]
    assert await platform.fetch("SELECT id, role FROM users ORDER BY id") == roles


async def test_members_are_added_and_removed_in_every_spelling(directory: Directory) -> None:
    ada, eda = await directory.add("ada"), await directory.add("eda")
    group = await add(directory, labels("Sales"))
    for operation, expected in (
        ({"op": "add", "path": "members", "value": [{"value": ada["id"]}]}, {ada["id"]}),
        ({"op": "Add", "path": "members", "value": [{"value": eda["id"]}]}, {ada["id"], eda["id"]}),
        ({"op": "remove", "path": f'members[value eq "{ada["id"]}"]'}, {eda["id"]}),
        # As Microsoft's directory writes it.
        ({"op": "Remove", "path": "members", "value": [{"value": eda["id"]}]}, set()),
        (replace("members", [{"value": ada["id"]}]), {ada["id"]}),
        ({"op": "remove", "path": "members"}, set()),
    ):
        answer = await directory.patch(group, operation)
        assert answer.status_code == 200, answer.text
        read = (await directory.get(f"/Groups/{group['id']}")).json()
        assert ids(read) == ids(answer.json()) == expected
        assert read["meta"]["version"] == answer.headers["etag"]


async def test_members_of_a_large_group_are_changed_without_comparing_them_all(
    directory: Directory, platform: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The library alone takes a second of the processor for ten operations on 2,000 members."""
    ada = await directory.add("ada")
    company = directory.team.company.id
    await platform.execute(
        "INSERT INTO directory_users (company_id, user_name, user_name_folded, emails, email,"
        " email_folded) SELECT $1, n, n, '[]', n, n"
        " FROM (SELECT 'many-' || n AS n FROM generate_series(1, 150) AS n) AS given",
        company,
    )
    users = await platform.fetch(
        "SELECT id::text FROM directory_users WHERE user_name LIKE 'many-%'"
    )
    many = [{"id": row["id"]} for row in users]
    group = await add(directory, labels("Everyone", *many))
    operations = [{"op": "remove", "path": f'members[value eq "{each["id"]}"]'} for each in many]
    adding = {"op": "add", "value": {"displayName": "All", "members": [{"value": ada["id"]}]}}
    compared = []
    patch = PatchOp.patch

    def noted(self: PatchOp[Group], resource: Group) -> bool:
        compared.append(resource.members)
        return patch(self, resource)

    monkeypatch.setattr(PatchOp, "patch", noted)
    answer = await directory.patch(group, *operations[:40], adding)
    assert compared == [None]
    assert answer.status_code == 200, answer.text
    assert answer.json()["displayName"] == "All"
    assert ids(answer.json()) == {ada["id"], *(each["id"] for each in many[40:])}
    for refused in (
        [{"op": "remove", "path": 'members[value sw "a"]'}],
        [adding] * 201,
        [{"op": "remove", "path": "m" * 3000}],
    ):
        assert refusal(await directory.patch(group, *refused)) == (413, None)


async def test_a_path_that_is_nested_deeply_is_refused(directory: Directory) -> None:
    group = await add(directory, labels("Sales"))
    for path in (
        "members[" + "not (" * 300 + "value pr" + ")" * 300 + "]",
        "members[" + "(" * 1900,
    ):
        answer = await directory.patch(group, {"op": "remove", "path": path})
        assert answer.status_code == 400, answer.text


async def test_a_member_who_leaves_changes_the_groups_version(
    directory: Directory,
) -> None:
    ada = await directory.add("ada")
    group = await add(directory, labels("Sales", ada))
    await directory.call("DELETE", f"/Users/{ada['id']}")
    headers = {"If-Match": group["meta"]["version"]}
    stale = await directory.call("DELETE", f"/Groups/{group['id']}", headers=headers)
    assert refusal(stale) == (412, None)
    assert ids((await directory.get(f"/Groups/{group['id']}")).json()) == set()


async def test_a_group_without_its_members_is_sent_if_they_are_not_wanted(
    directory: Directory,
) -> None:
    ada = await directory.add("ada")
    group = await add(directory, labels("Sales", ada))
    few = await directory.get(
        "/Groups", excludedAttributes="members", filter='displayName eq "sales"'
    )
    (listed,) = few.json()["Resources"]
    assert listed == {name: value for name, value in group.items() if name != "members"}


async def test_members_are_sent_as_the_database_writes_them(
    directory: Directory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A model for each of 20,000 members blocks the event loop for a third of a second."""
    monkeypatch.setattr("tessera.scim.groups.GroupMember", None)
    ada = await directory.add("ada")
    group = await add(directory, labels("Sales", ada))
    path, link = f"/Groups/{group['id']}", f"/scim/v2/Users/{ada['id']}"
    (member,) = group["members"]
    assert member == {"value": ada["id"], "$ref": member["$ref"]}
    assert member["$ref"].endswith(link)
    for query, shown in (
        ({"attributes": "members"}, {"value", "$ref"}),
        ({"attributes": "members.value"}, {"value"}),
        ({"attributes": f"{GROUP}:members.$ref"}, {"$ref"}),
        ({"excludedAttributes": "members.$ref,displayName"}, {"value"}),
        ({"excludedAttributes": "members"}, None),
        ({"attributes": "displayName"}, None),
    ):
        for body in (
            (await directory.get(path, **query)).json(),
            (await directory.get("/Groups", **query)).json()["Resources"][0],
        ):
            found = body.get("members")
            assert (found and set(found[0])) == shown, query
    whole = {**labels("Sales", ada), "MEMBERS": [{"value": ada["id"]}]}
    del whole["members"]
    assert ids((await directory.call("PUT", path, whole)).json()) == {ada["id"]}
    for wrong in ("x", [1], [{"display": "Ada"}], [{"value": 1}]):
        refused = await directory.call("PUT", path, {**labels("Sales"), "members": wrong})
        assert refused.status_code == 400, wrong
    assert ids((await directory.get(path)).json()) == {ada["id"]}


async def test_unknown_people_are_refused_and_nothing_is_made(
    directory: Directory, platform: Connection
) -> None:
    for wrong in (str(uuid4()), "nonsense", ""):
        body = {"schemas": [GROUP], "displayName": "Sales", "members": [{"value": wrong}]}
        answer = await directory.call("POST", "/Groups", body)
        assert refusal(answer) == (400, "invalidValue")
    assert await platform.fetchval("SELECT count(*) FROM directory_groups") == 0


async def test_two_clients_at_once_add_all_their_members(directory: Directory) -> None:
    people = [await directory.add(f"p{number}") for number in range(6)]
    group = await add(directory, labels("Sales"))

    def adding(user: dict[str, Any]) -> Any:
        operation = {"op": "add", "path": "members", "value": [{"value": user["id"]}]}
        return lambda: directory.patch(group, operation)

    answers = await together([adding(user) for user in people])
    assert {answer.status_code for answer in answers} == {200}
    read = (await directory.get(f"/Groups/{group['id']}")).json()
    assert ids(read) == {user["id"] for user in people}


async def test_labels_are_listed_with_the_members(
    directory: Directory, client: httpx.AsyncClient
) -> None:
    member = await directory.find(directory.team.member.email)
    for name in ("Sales", "Berlin"):
        await add(directory, labels(name, member))
    listed = (await client.get("/api/users?limit=100", headers=directory.leader)).json()["item1"]
    groups = {each["email_address"]: each["groups"] for each in listed}
    assert groups == {
        directory.team.leader.email: [],
        directory.team.member.email: ["Berlin", "Sales"],
    }


async def test_a_deleted_group_is_gone(directory: Directory) -> None:
    group = await add(directory, labels("Sales"))
    assert (await directory.call("DELETE", f"/Groups/{group['id']}")).status_code == 204
    assert refusal(await directory.get(f"/Groups/{group['id']}")) == (404, None)
    assert refusal(await directory.call("DELETE", f"/Groups/{group['id']}")) == (404, None)
