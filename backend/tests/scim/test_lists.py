"""Filters and pages."""

import pytest

from tests.scim.directory import Directory, refusal


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('userName eq "ADA@company.test"', {"ada"}),
        ('externalId eq "7f"', {"ada"}),
        ('externalId eq "7F"', set()),
        ('emails.value eq "eda@company.test"', {"eda"}),
        ('emails eq "eda@company.test"', {"eda"}),
        ('emails[value eq "Eda@company.test"]', {"eda"}),
        ('name.givenName sw "a" and not (userName sw "b")', {"ada"}),
        ('name.familyName co "LMA"', {"ada", "eda"}),
        ('userName ew "company.test" and active eq false', {"eda"}),
        ("displayName pr", {"ada"}),
        ('displayName eq null and userName sw "ed"', {"eda"}),
        ('displayName ne "Ada L." and userName sw "ed"', {"eda"}),
        ('userName gt "b" and userName lt "f" and externalId eq "8f"', {"eda"}),
        ('externalId eq "7f" or externalId eq "8f"', {"ada", "eda"}),
        ('meta.created gt "2020-01-01T00:00:00Z" and externalId pr', {"ada", "eda"}),
        ('userName eq "\\" OR true --"', set()),
        ('urn:ietf:params:scim:schemas:core:2.0:User:userName sw "ad"', {"ada"}),
    ],
)
async def test_a_filter_finds_whom_it_describes(
    directory: Directory, text: str, names: set[str]
) -> None:
    await directory.add("ada", externalId="7f", displayName="Ada L.")
    await directory.add("eda", externalId="8f", active=False)
    for answer in (
        await directory.get("/Users", filter=text),
        await directory.call("POST", "/Users/.search", {"filter": text}),
    ):
        assert answer.status_code == 200, answer.text
        found = answer.json()
        assert {user["userName"].partition("@")[0] for user in found["Resources"]} == names
        assert found["totalResults"] == len(names)


@pytest.mark.parametrize(
    "text",
    [
        "userName",
        "userName eq",
        'userName eq "a',
        'userName is "a"',
        'password eq "a"',
        'nonsense eq "a"',
        'active eq "yes"',
        "active gt true",
        'meta.created gt "yesterday"',
        'meta.created gt "2020-01-01T00:00:00"',
        'emails[type eq "work"]',
        'userName eq "a\\u0000b"',
        " or ".join(['userName eq "a"'] * 60),
        f'userName eq "{"x" * 3_000}"',
        "",
    ],
)
async def test_a_filter_that_cannot_be_answered_is_refused(directory: Directory, text: str) -> None:
    answer = await directory.get("/Users", filter=text)
    assert refusal(answer) == (400, "invalidFilter"), answer.text


@pytest.mark.parametrize(
    "params",
    [
        {"startIndex": "x"},
        {"count": "1.5"},
        {"startIndex": "9" * 400},
        {"startIndex": "9999999999"},
        {"attributes": "userName", "excludedAttributes": "name"},
        {"startIndex": ["1", "2"]},
        {"sortBy": "nonsense"},
    ],
)
async def test_wrong_paging_is_refused(directory: Directory, params: dict[str, str]) -> None:
    answer = await directory.get("/Users", **params)
    assert refusal(answer)[0] == 400, answer.text


async def test_pages_hold_everybody_once(directory: Directory) -> None:
    for name in "abcde":
        await directory.add(name)
    seen, start = [], 1
    while True:
        page = (await directory.get("/Users", startIndex=start, count=3)).json()
        assert page["totalResults"] == 7
        assert page["startIndex"] == start
        if not page["Resources"]:
            break
        seen += [user["id"] for user in page["Resources"]]
        start += page["itemsPerPage"]
    assert len(seen) == len(set(seen)) == 7
    none = (await directory.get("/Users", count=0)).json()
    assert (none["totalResults"], none["Resources"]) == (7, [])
    below = (await directory.get("/Users", startIndex=-5, count=-1)).json()
    assert (below["startIndex"], below["Resources"]) == (1, [])


async def test_only_wanted_attributes_are_sent(directory: Directory) -> None:
    user = await directory.add("ada")
    wanted = await directory.get(f"/Users/{user['id']}", attributes="userName")
    assert wanted.json().keys() == {"schemas", "id", "userName"}
    unwanted = await directory.get("/Users", excludedAttributes="emails,meta")
    assert all(not {"emails", "meta"} & each.keys() for each in unwanted.json()["Resources"])
