"""A company whose activity is chained and streamed by hand, and what a company does with it."""

import hashlib
import inspect
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tessera.audit import workflows
from tessera.audit.queries import Link
from tessera.audit.stream_queries import TARGETS
from tessera.audit.verification import Problem, Verification, verify
from tessera.kit.data_keys import key_ring
from tessera.kit.database import Connection
from tessera.kit.workflows import Resources
from tests.factories.accounts import Company
from tests.fixtures.webhook_receiver import Posted

_DOCUMENTED = Path(__file__).parents[3] / "docs" / "audit.md"


class Audited:
    def __init__(self, resources: Resources, company: Company, platform: Connection) -> None:
        self.resources = resources
        self.company = company
        self.platform = platform

    async def record(self, *actions: str, days_ago: int = 0, details: str = "{}") -> None:
        for action in actions:
            await self.platform.execute(
                "INSERT INTO activity (company_id, actor_name, action, target, origin, details, at)"
                " VALUES ($1, 'Zoë 日', $2, 'x@x.test', '192.0.2.7', $4,"
                " now() - make_interval(days => $3))",
                self.company.id, action, days_ago, details,
            )  # fmt: skip

    async def chain(self) -> None:
        await workflows.chain_company(self.resources.database, self.company.id)

    async def recorded(self, *actions: str, days_ago: int = 0) -> None:
        await self.record(*actions, days_ago=days_ago)
        await self.chain()

    async def round(self) -> None:
        """Chains, begins the streams, and runs what that enqueued until nothing is left."""
        await inspect.unwrap(workflows.activity_round)()
        await self.run_batches()

    async def run_batches(self, most: int = 50) -> None:
        run: Callable[..., Any] = inspect.unwrap(workflows.send_batch.run)
        for _ in range(most):
            rows = await self.platform.fetch(
                "SELECT company_id, target, sequence, replays, attempts FROM activity_streams"
                " WHERE until IS NOT NULL AND next_attempt_at <= now() ORDER BY target"
            )
            if not rows:
                return
            for row in rows:
                number = TARGETS.index(row["target"])
                await run(
                    row["company_id"], number, row["sequence"], row["replays"], row["attempts"]
                )

    async def let_the_wait_pass(self) -> None:
        await self.platform.execute(
            "UPDATE activity_streams SET next_attempt_at = now() WHERE until IS NOT NULL"
        )

    async def verify(self, head: Link | None = None) -> Verification:
        return await verify(
            self.resources.database, key_ring(self.resources), self.company.id, head
        )

    async def problems(self, head: Link | None = None) -> list[Problem]:
        return (await self.verify(head)).problems

    async def head(self) -> Link:
        found = await self.verify()
        return Link(found.sequence, found.hash)


def records_of(posted: list[Posted]) -> list[dict[str, Any]]:
    return [event for each in posted for event in json.loads(each.body)["data"]["records"]]


def actions_of(events: list[dict[str, Any]]) -> list[str]:
    return [event["metadata"]["event_code"] for event in events]


def documented_check() -> Callable[..., str]:
    """The example of docs/audit.md."""
    (example,) = re.findall(r"```python\n(.*?)```", _DOCUMENTED.read_text("utf-8"), re.DOTALL)
    names: dict[str, Any] = {"hashlib": hashlib}
    exec(compile(example, str(_DOCUMENTED), "exec"), names)
    check: Callable[..., str] = names["check"]
    return check
