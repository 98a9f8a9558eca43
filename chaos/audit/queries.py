"""Runs checks that are one query each: every row returned is a finding."""

from collections.abc import Mapping

from tessera.kit.database import Connection


async def run_all(connection: Connection, side: str, queries: Mapping[str, str]) -> list[str]:
    findings = []
    for name, query in queries.items():
        findings += [f"{side}: {name}: {row[0]}" for row in await connection.fetch(query)]
    return findings
