"""Creates an account from a password, for the command line and demo data. Users who sign up do the
same in their browser, and the server sees only the result."""

import asyncio
from dataclasses import dataclass, field
from uuid import UUID, uuid4

from tessera.auth import queries
from tessera.auth.passwords.hashing import hash_secret
from tessera.authz.permissions import Role
from tessera.kit.database import Connection
from tessera.kit.i18n import Language
from tessera.kit.schemas import normalize_email
from tessera_core.envelopes import new_key, seal_passphrase_pair, seal_user_key
from tessera_core.kdf import derive, new_salt


@dataclass(frozen=True)
class Person:
    first_name: str
    last_name: str
    email: str
    phone_number: str
    role: Role
    language: Language = Language.EN


@dataclass(frozen=True)
class NewAccount:
    user_id: int
    uuid: UUID
    user_key: bytes = field(repr=False)


async def add_account(
    connection: Connection, company_id: int, company_uuid: UUID, person: Person, password: str
) -> NewAccount:
    uid, salt, user_key = uuid4(), new_salt(), new_key()
    derived = await asyncio.to_thread(derive, password, salt)
    sealed = seal_user_key(
        user_key, wrap_key=derived.wrap_key, uid=str(uid), cid=str(company_uuid), salt=salt
    )
    user_id = await queries.add_user(
        connection,
        uuid=uid,
        company_id=company_id,
        first_name=person.first_name,
        last_name=person.last_name,
        email=person.email,
        email_folded=normalize_email(person.email),
        phone_number=person.phone_number,
        role=person.role,
        language=person.language,
        salt=salt,
        password_hash=await hash_secret(derived.auth),
        sealed_user_key=sealed,
    )
    return NewAccount(user_id, uid, user_key)


async def set_first_passphrase(
    connection: Connection,
    company_id: int,
    company_uuid: UUID,
    holder: NewAccount,
    passphrase: str,
) -> None:
    pair = seal_passphrase_pair(
        passphrase,
        user_key=holder.user_key,
        uid=str(holder.uuid),
        cid=str(company_uuid),
        epoch=1,
    )
    sealed_key, sealed_passphrase = pair.split("~")
    await queries.set_passphrase(
        connection,
        company_id=company_id,
        user_id=holder.user_id,
        epoch=1,
        sealed_company_key=sealed_key,
        sealed_passphrase=sealed_passphrase,
    )
