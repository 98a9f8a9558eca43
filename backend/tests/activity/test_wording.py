"""Every action and every change has its words, in every language."""

import re
from pathlib import Path
from typing import Any

import httpx
import pytest

import tessera
from tessera.activity.wording import action_text, change_texts, known_actions
from tessera.kit.i18n import Language, translate
from tests.factories.accounts import Factory
from tests.factories.people import People, Team
from tests.warehouses.leader import S3, Leader

EN = Language.EN


def recorded_actions() -> set[str]:
    """What the code records, as far as its calls name it literally."""
    sources = [path.read_text() for path in Path(tessera.__file__).parent.rglob("*.py")]
    calls = [
        after.split("\n\n")[0]
        for source in sources
        for after in re.split(r"\b_?record(?:_for|_system)?\(|\.action = |_ACTIONS = ", source)[1:]
    ]
    return {
        code
        for call in calls
        for code in re.findall(r'"([a-z][A-Za-z]*\.[a-z][A-Za-z]*)"', call[:400])
    }


def test_every_recorded_action_has_a_text() -> None:
    recorded = recorded_actions()
    assert len(recorded) > 40
    assert recorded - known_actions(EN).keys() == set()


def test_an_action_without_a_text_is_readable() -> None:
    assert action_text("warehouse.keyRotated", {}, EN) == "warehouse key rotated"


def test_every_changed_field_has_a_text() -> None:
    sources = [path.read_text() for path in Path(tessera.__file__).parent.rglob("*.py")]
    calls = [
        after.split(")")[0] for source in sources for after in re.split(r"\bchanged\(", source)[1:]
    ]
    fields = {name for call in calls for name in re.findall(r'"([a-z][A-Za-z]*)":', call)}
    assert {"firstName", "email"} <= fields
    paths = {f"activity.fields.{name}" for name in fields}
    assert {path for path in paths if translate(path, EN) == path} == set()


def test_a_field_without_a_text_is_readable() -> None:
    details = {"changes": [{"field": "favouriteColour", "from": "", "to": "Engineer"}]}
    assert change_texts("member.updated", "", details, EN) == ["Favourite colour set to Engineer"]


@pytest.mark.parametrize(
    ("action", "details", "texts"),
    [
        (
            "member.updated",
            {"changes": [{"field": "lastName", "from": "Brown", "to": "Black"}]},
            ["Last name: from Brown to Black"],
        ),
        (
            "company.updated",
            {"changes": [{"field": "city", "from": "", "to": "İzmir"},
                         {"field": "addressLine2", "from": "2b", "to": ""}]},
            ["City set to İzmir", "Apt/Suite removed (2b)"],
        ),
        ("warehouse.updated", {"changes": [{"field": "secret"}]}, ["Secret changed"]),
        (
            "language.changed",
            {"changes": [{"field": "language", "from": "en", "to": "tr"}]},
            ["Language: from English to Turkish"],
        ),
        ("subscription.planChanged", {"planId": 2}, ["Plan set to Basic Yearly"]),
        ("leadership.reassigned", {"from": "a@x.test"},
         ["Team leader: from a@x.test to b@x.test"]),
        ("subscription.cancelAsked", {"reason": "Too {dear}"}, ["Reason: Too {dear}"]),
        ("passphrase.revealed", {"epoch": 3}, []),
    ],
)  # fmt: skip
def test_recorded_change_is_put_into_words(
    action: str, details: dict[str, Any], texts: list[str]
) -> None:
    assert change_texts(action, "b@x.test", details, EN) == texts


def test_a_changed_state_names_both_states_and_the_cause() -> None:
    details = {"from": 2, "to": 0, "cause": "wrong_key"}
    first, second = change_texts("warehouse.statusChanged", "Frankfurt", details, EN)
    assert first == "Status: from Active to Not Connected"
    assert second == "The provider rejects these credentials."


class TestRecords:
    @pytest.fixture
    async def team(self, people: People) -> Team:
        return await people.team(warehouses=True)

    @pytest.fixture
    async def leader(self, client: httpx.AsyncClient, make: Factory, team: Team) -> Leader:
        return Leader(client, await make.session(team.leader, verified=True), team)

    async def newest(self, leader: Leader, language: str = "en") -> tuple[str, list[str]]:
        headers = {"Accept-Language": language}
        row = (await leader.ok("GET", "/activity", headers=headers))["item1"][0]
        return row["text"], row["changes"]

    async def test_edited_member_is_recorded_in_words(self, leader: Leader, team: Team) -> None:
        form = {
            "uuid": str(team.member.uuid),
            "firstName": "Omar",
            "lastName": "Black",
            "email_address": team.member.email,
            "phoneNumber": team.member.phone_number,
        }
        await leader.ok("PUT", "/user", json=form)
        text, changes = await self.newest(leader)
        assert changes == ["Last name: from Haddad to Black"]
        _, changes = await self.newest(leader, "ar")
        assert "Haddad" in changes[0]
        assert not changes[0].startswith("Last name")
        exported = await leader.call("GET", "/activity/export")
        assert f',"{text}",' in exported.text
        assert "Last name: from Haddad to Black" in exported.text
        assert "member.updated" not in exported.text

    async def test_a_switched_language_is_not_an_edited_profile(self, leader: Leader) -> None:
        form = {"firstName": "Omar", "lastName": "Haddad", "language": "tr"}
        for _ in range(2):
            await leader.ok("PUT", "/auth/profile", json=form)
        rows = (await leader.ok("GET", "/activity"))["item1"]
        assert [row["action"] for row in rows] == ["language.changed"]
        assert rows[0]["changes"] == ["Language: from English to Turkish"]

    async def test_an_edited_warehouse_names_fields_and_no_secret(self, leader: Leader) -> None:
        added = await leader.add()
        changed = {"path": "other", "secret": "anotherS3secretKEY0123456789"}
        await leader.ok("PUT", "/warehouse", json={**S3, **changed, "id": added["id"]})
        rows = (await leader.ok("GET", "/activity"))["item1"]
        (updated,) = [row for row in rows if row["action"] == "warehouse.updated"]
        assert updated["changes"] == ["Secret changed", "Path: from tessera to other"]
        assert "S3secretKEY" not in str(updated)

    async def test_the_filter_s_choices(self, leader: Leader) -> None:
        headers = {"Accept-Language": "tr"}
        listed = await leader.ok("GET", "/activity/actions", headers=headers)
        assert {each["action"]: each["text"] for each in listed} == known_actions(Language.TR)
