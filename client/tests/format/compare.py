"""Lets the client and the TypeScript reader read the same spaces, and compares what they say."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

from client.tests.copies import CODE
from client.tests.format.cases import write_case
from client.tests.format.verdicts import read_case
from client.tests.service import PASSPHRASE
from tessera_core.recovery import code_to_text

FRONTEND = Path(__file__).parents[3] / "frontend"


def bundle(name: str, target: Path, platform: str = "node") -> Path:
    """Bundles a program of the reader's tests."""
    source = f"src/vault/tests/{name}.ts"
    command = ["node", "scripts/vault-bundle.mjs", source, str(target), platform]
    subprocess.run(command, cwd=FRONTEND, check=True)
    return target


def differences(folder: Path, seeds: range) -> Iterator[str]:
    """Writes a space for each seed below the folder; says where the two readers disagree."""
    cases = folder / "cases"
    for seed in seeds:
        write_case(cases / f"{seed:06}", seed)
    program = bundle("format-reader", folder / "reader.mjs")
    # Both secrets are made for this test.
    command = ["node", str(program), str(cases), PASSPHRASE, code_to_text(CODE)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as reader:
        expectations = {case: read_case(case) for case in sorted(cases.iterdir())}
        assert reader.stdout
        lines = [json.loads(line) for line in reader.stdout]
    assert reader.returncode == 0
    answers = {line["case"]: line["spaces"] for line in lines}
    for case, expected in expectations.items():
        if answers.get(case.name) != expected:
            yield f"{case}: {_first_difference(expected, answers.get(case.name))}"


def _first_difference(expected: object, found: object, where: str = "") -> str:
    if isinstance(expected, dict) and isinstance(found, dict) and expected.keys() == found.keys():
        pairs = [(key, expected[key], found[key]) for key in expected]
    elif isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        pairs = [(str(at), *each) for at, each in enumerate(zip(expected, found, strict=True))]
    else:
        return f"{where}: {str(expected)[:500]} by the client, {str(found)[:500]} by the reader"
    for key, left, right in pairs:
        if left != right:
            return _first_difference(left, right, f"{where}/{key}")
    return f"{where}: equal"
