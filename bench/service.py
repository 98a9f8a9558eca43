"""Creates an empty, migrated database for one measurement, on the embedded PostgreSQL."""

import asyncio
import os
import shutil
import tempfile
from base64 import b64decode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

import asyncpg

from tessera.kit.embedded_postgres import EmbeddedPostgres, EmbeddedUrls
from tessera.kit.keys import Keys
from tessera.kit.migrations import migrate
from tessera.kit.tokens import hash_handle, new_handle, sign_token
from tessera.settings import Settings

KEY = "YmVuY2htYXJrcyB1c2UgYSBrZXkgb2YgdGhpcnR5LTI="
Owner = asyncpg.Connection


@dataclass(frozen=True)
class RunningService:
    settings: Settings
    urls: EmbeddedUrls
    owner: Owner
    folder: Path

    @property
    def keys(self) -> Keys:
        return Keys(b64decode(KEY))

    def authorize(self, handle: str) -> dict[str, str]:
        """Headers of calls in the session."""
        token = sign_token(self.keys, handle, datetime.now(UTC) + SESSION_ENDS)
        return {"Authorization": f"Bearer {token}"}


def _folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="tessera-bench-"))
    folder.chmod(0o755)
    return folder


@asynccontextmanager
async def running_service() -> AsyncIterator[RunningService]:
    folder = _folder()
    postgres = await asyncio.to_thread(EmbeddedPostgres, folder)
    try:
        urls = await asyncio.to_thread(postgres.ensure_database)
        settings = Settings(
            _env_file=None,
            database_url=urls.app,
            database_owner_url=urls.owner,
            database_platform_url=urls.platform,
            platform_key=KEY,
            log_level="critical",
            data_dir=folder,
        )
        await migrate(settings)
        owner = await asyncpg.connect(urls.superuser)
        yield RunningService(settings, urls, owner, folder)
        await owner.close()
    finally:
        await asyncio.to_thread(postgres.stop)
        shutil.rmtree(folder, ignore_errors=True)


SESSION_ENDS = timedelta(hours=12)


async def new_company(owner: Owner) -> int:
    company: int = await owner.fetchval(
        "INSERT INTO companies (uuid, name, email, phone_number, subscribed_until) VALUES"
        " (gen_random_uuid(), 'The measured one', 'a@b.test', '+12025550100',"
        "  now() + interval '1 day') RETURNING id"
    )
    return company


async def new_session(owner: Owner, company: int, role: str) -> str:
    """Creates a user with a session and returns the session's handle."""
    user = await owner.fetchval(
        "INSERT INTO users (uuid, company_id, first_name, last_name, email, email_folded,"
        " phone_number, role, salt, password_hash, sealed_user_key) VALUES ($1, $2, 'A', 'B',"
        " $3, $3, '', $4, $5, '!', '') RETURNING id",
        uuid4(), company, f"{uuid4().hex}@bench.test", role, os.urandom(16),
    )  # fmt: skip
    handle = new_handle(company)
    await owner.execute(
        "INSERT INTO sessions (company_id, user_id, handle_hash, expires_at, origin,"
        " last_seen_at) VALUES ($1, $2, $3, $4, '', now() + interval '11 hours')",
        company, user, hash_handle(handle), datetime.now(UTC) + SESSION_ENDS,
    )  # fmt: skip
    return handle
