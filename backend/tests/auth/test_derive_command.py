import json
from pathlib import Path

from tessera_core import base64url
from tests.fixtures.command_line import Command

VECTORS = Path(__file__).parents[3] / "docs/vectors/crypto-v1.json"


async def test_prints_the_secret_and_nothing_else(run_without_settings: Command) -> None:
    vector = json.loads(VECTORS.read_text("ascii"))["derivations"][0]
    salt = base64url.encode(bytes.fromhex(vector["saltHex"]))
    ended = await run_without_settings("derive", "--salt", salt, stdin=vector["password"] + "\n")
    assert (ended.exit_code, ended.stdout, ended.stderr) == (0, vector["authSecret"] + "\n", "")
