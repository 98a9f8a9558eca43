"""The product against docs/vectors/storage-v1.json."""

import subprocess
import sys
from pathlib import Path

import pytest

from core.tests import vector_checks
from core.tests.vector_checks import Vector

ROOT = Path(__file__).parents[2]
# Not checked group by group: constants, and what the console's tests look at.
OTHERS = {"about", "company", "space", "recoveryPublicKeys", "mustFail"}


def described(vector: Vector) -> str:
    if isinstance(vector, dict):
        return str(vector.get("reason", vector.get("about", "")))[:60]
    return str(vector)[:40]


CASES = [
    pytest.param(
        group,
        vector,
        id=f"{group}: {described(vector)}",
        marks=[pytest.mark.extended] if isinstance(vector, dict) and vector.get("slow") else [],
    )
    for group in vector_checks.GROUPS
    for vector in vector_checks.vectors_of(group)
]


@pytest.mark.extended
def test_the_file_is_what_its_script_makes() -> None:
    subprocess.run(
        [sys.executable, ROOT / "docs/vectors/make_storage.py", "--check"],
        check=True,
        env={"PYTHONPATH": ":".join(sys.path)},
    )


def test_every_group_is_checked() -> None:
    named = {*vector_checks.VECTORS, *(f"mustFail.{name}" for name in vector_checks.BAD)}
    assert named - OTHERS == {*vector_checks.GROUPS}


@pytest.mark.parametrize(("group", "vector"), CASES)
def test_vector_is_what_the_code_makes(group: str, vector: Vector) -> None:
    vector_checks.check(group, vector)


def test_words_of_the_vectors_are_derived() -> None:
    vector_checks.check_words(vector_checks.VECTORS["people"][0])


def test_segment_objects_of_the_vectors_are_decoded() -> None:
    for vector in vector_checks.VECTORS["rescue"]["everywhere"].items():
        vector_checks.check_segment_object(vector)
