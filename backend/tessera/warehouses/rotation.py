"""Replaces a company's data key. In one transaction every credential is decrypted with the old key,
encrypted with the new one and decrypted again to be sure; only then is the old key destroyed."""

from tessera.activity.service import record
from tessera.auth.accounts import mail_team_leader
from tessera.authz.context import Access
from tessera.authz.queries import lock_company
from tessera.identity.sso import client_secrets
from tessera.kit import data_keys
from tessera.kit.encryption import CannotBeOpened, DataKey, Owner
from tessera.notifications import mails
from tessera.warehouses import key_queries
from tessera.warehouses.alerts import queries as alert_queries
from tessera.warehouses.errors import CredentialsUnreadable
from tessera.warehouses.schemas import NewKey
from tessera.warehouses.workflows import publish_health_files


async def rotate(access: Access) -> NewKey:
    connection, company_id = access.connection, access.current_user.company_id
    ring = data_keys.key_ring(access.context.resources)
    # Edits and other rotations wait here and then read this one's result.
    await lock_company(connection, company_id)
    stored = await data_keys.data_key(connection, company_id)
    version = stored.version + 1 if stored else 1
    new, wrapped = ring.new_data_key(company_id, version)
    await data_keys.add_data_key(connection, wrapped)
    rows = await key_queries.lock_sealed(connection, company_id)
    webhook = await alert_queries.webhook(connection, company_id)
    try:
        old = ring.unwrap(stored) if stored else None
        sealed = {row.id: _reseal(old, new, row.id, row.sealed) for row in rows}
        secret = _reseal(old, new, "webhook", webhook.sealed) if webhook else None
        await client_secrets.reseal(connection, access.context.resources, company_id, old, new)
    except CannotBeOpened:
        raise CredentialsUnreadable from None
    if sealed:
        await key_queries.replace_sealed(connection, company_id, version, sealed)
    if secret:
        await alert_queries.reseal(connection, company_id, secret, version)
    await data_keys.destroy_data_keys_before(connection, company_id, version)
    await publish_health_files.enqueue(
        connection, company_id, version, key=f"health-{company_id}-{version}"
    )
    await record(
        access,
        "encryptionKey.rotated",
        details={"keyVersion": version, "warehouses": len(sealed)},
    )
    link = f"{access.context.settings.public_url}/warehouses"
    mail = mails.KeyRotated(company=access.current_user.company_name, link=link)
    await mail_team_leader(connection, access.context.keys, company_id, mail)
    return NewKey(key_version=version, warehouses=len(sealed))


def _reseal(old: DataKey | None, new: DataKey, owner: Owner, sealed: bytes) -> bytes:
    if old is None:
        raise CannotBeOpened("there are credentials and no key")
    plaintext = old.open(owner, sealed)
    again = new.seal(owner, plaintext)
    if new.open(owner, again) != plaintext:
        raise CannotBeOpened("the credentials did not survive the new key")
    return again
