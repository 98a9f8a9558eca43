"""Audits stored files: the tables against the objects in the clouds, and every byte against what
was put in, read from plain copies of the clouds with a recovery kit alone."""

import asyncio
import hashlib
import json
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from chaos.audit.queries import run_all
from chaos.file_company import SPACE, FileCompany, Kit
from chaos.file_user import GONE, FileUser, digest_of
from tessera.kit.database import Connection
from tessera.limits import UPLOADED_BYTES
from tessera.storage.quota.service import SHARE
from tessera_client.errors import PARTLY_DONE
from tessera_core.objects import ShardObject

# What a put replaces without having seen it, here what was moved before, is kept under such a name.
CONFLICT = " (conflict, "

QUERIES = {
    "a pack in the log with too few shards": (
        "SELECT encode(p.id, 'hex') FROM packs p WHERE sequence IS NOT NULL AND deleted_at IS NULL"
        " AND k > (SELECT count(*) FROM pack_shards s WHERE s.company_id = p.company_id"
        "  AND s.pack_id = p.id AND s.is_stored)"
    ),
    "usage that differs from the packs": (
        "SELECT company_id, author FROM (SELECT company_id, author, sum(length + excess) AS bytes,"
        "  count(*) AS packs FROM packs WHERE booked_at IS NOT NULL GROUP BY 1, 2) p"
        " FULL JOIN (SELECT company_id, member AS author, sum(bytes) AS bytes,"
        "  sum(packs) AS packs FROM usage_months GROUP BY 1, 2) u USING (company_id, author)"
        " WHERE (p.bytes, p.packs) IS DISTINCT FROM (u.bytes, u.packs)"
    ),
    "a reservation of a pack that is booked": (
        "SELECT encode(p.id, 'hex') FROM upload_reservations r JOIN packs p"
        " ON p.company_id = r.company_id AND p.id = r.pack_id"
        " WHERE p.booked_at IS NOT NULL AND r.bytes > 0"
    ),
    "a member with more than a share under way": (
        "SELECT p.author FROM upload_reservations r JOIN packs p"
        " ON p.company_id = r.company_id AND p.id = r.pack_id"
        f" GROUP BY p.company_id, p.author HAVING sum(r.bytes) > {UPLOADED_BYTES.default // SHARE}"
    ),
    "a log with a gap": (
        "SELECT s.id FROM spaces s WHERE sequence <> (SELECT count(*) FROM log_entries e"
        " WHERE e.company_id = s.company_id AND e.space_id = s.id AND e.sequence <= s.sequence)"
    ),
    "a change of members that was not recorded": (
        "SELECT company_id FROM (SELECT company_id, count(*) FROM log_entries"
        "  WHERE kind IN (2, 3) GROUP BY 1) e"
        " FULL JOIN (SELECT company_id, count(*) FROM activity"
        "  WHERE action IN ('space.memberAdded', 'space.memberRemoved') GROUP BY 1) a"
        " USING (company_id) WHERE e.count IS DISTINCT FROM a.count"
    ),
}


async def compare_stored(connection: Connection, company: FileCompany) -> list[str]:
    """Compares the tables with each other, and with the clouds that nobody damaged."""
    findings = await run_all(connection, "files", QUERIES)
    rows = await connection.fetch(
        "SELECT c.uuid, s.pack_id, s.index, s.sha256, s.warehouse_id"
        " FROM pack_shards s JOIN companies c ON c.id = s.company_id"
        " WHERE c.uuid = $1 AND s.is_stored ORDER BY s.pack_id, s.index",
        company.client.uuid,
    )
    places = {
        each["id"]: folder
        for each in (await company.client.ask("/all"))["item1"]
        for folder in company.clouds[1:]
        if folder.name == each["path"]
    }
    for row in rows:
        folder = places.get(row["warehouse_id"])
        if folder is None:
            continue
        path = folder / str(ShardObject(row["uuid"], row["pack_id"], row["index"]))
        if not path.is_file() or hashlib.sha256(path.read_bytes()).digest() != row["sha256"]:
            findings.append(f"files: a stored shard that is not in its cloud: {path.name}")
    return findings


async def compare_rescued(company: FileCompany) -> list[str]:
    """Rescues from the clouds as they are, damage included, and from the others alone; with the
    first kit and with the last one."""
    with tempfile.TemporaryDirectory(prefix="tessera-chaos-rescue-") as folder:
        return await _compare_rescued(company, Path(folder))


async def _compare_rescued(company: FileCompany, folder: Path) -> list[str]:
    copies = [
        await asyncio.to_thread(shutil.copytree, cloud, folder / f"copy{number}")
        for number, cloud in enumerate(company.clouds)
    ]
    rescues = (
        _rescue(copies, company.kits[-1], folder / "all", company),
        _rescue(copies[1:], company.kits[0], folder / "two", company),
    )
    return [finding for found in await asyncio.gather(*rescues) for finding in found]


async def _rescue(copies: list[Path], kit: Kit, to: Path, company: FileCompany) -> list[str]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tessera_client", "rescue", *map(str, copies), "--to", str(to)),
        "--json",
        env={
            **{name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ},
            "HOME": str(to.parent),
            "TESSERA_CLIENT_DIR": str(to.with_name(f"{to.name}-state")),
            "TESS_PASSPHRASE": kit.passphrase,
            "TESS_RECOVERY_CODE": kit.code,
        },
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    output, errors = await process.communicate()
    if process.returncode not in {0, PARTLY_DONE}:
        text = (output or errors).decode(errors="replace")[-2_000:]
        return [f"files: the rescue ended with {process.returncode}: {text}"]
    report = json.loads(output)
    failed = [each["path"] for each in report["failed"]]
    promised = f"{SPACE}/{company.hostile.user.folder}/"
    findings = [f"files: not rescued: {path}" for path in failed if not path.startswith(promised)]
    if report["losses"] != len(failed):
        findings.append(f"files: the rescue reports losses: {_reported_losses(report)}")
    return findings + await asyncio.to_thread(differences, company, to / SPACE)


def _reported_losses(report: dict[str, Any]) -> list[Any]:
    found = [*report["findings"], *(one for each in report["spaces"] for one in each["findings"])]
    return [each for each in found if each["lost"]]


async def compare_fetched(company: FileCompany) -> list[str]:
    """Fetches everybody's files from the service, as the leader and as a member."""
    findings = []
    for reader in (company.leader, company.members[0]):
        folder = fetched(reader)
        for owner in company.users:
            if owner.known():
                place = f"{SPACE}:/{owner.folder}"
                await reader.computer.run("get", place, folder / owner.folder)
        findings += await asyncio.to_thread(differences, company, folder)
    return findings


def fetched(reader: FileUser) -> Path:
    return reader.computer.folder / "fetched"


def differences(company: FileCompany, folder: Path) -> list[str]:
    """What the hostile member has put in is left out."""
    found = {
        str(path.relative_to(folder)): digest_of(path.read_bytes())
        for path in folder.rglob("*")
        if path.is_file() and path.relative_to(folder).parts[0] != company.hostile.user.folder
    }
    expected = {
        f"{user.folder}/{path}": digests
        for user in company.users
        for path, digests in user.expected.items()
    }
    findings = [
        f"files: another content of {path} than was put in"
        for path, digests in expected.items()
        if found.get(path, GONE) not in digests
    ]
    stored = {user.folder: user.stored for user in company.users}
    findings += [
        f"files: nobody has put in {path}"
        for path in found.keys() - expected.keys()
        if not (CONFLICT in path and found[path] in stored.get(Path(path).parts[0], ()))
    ]
    return findings
