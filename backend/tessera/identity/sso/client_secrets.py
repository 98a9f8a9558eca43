"""The secrets of the company's OpenID providers, sealed like the credentials of its warehouses.

Version 0.8.0 sealed them by the platform key, and opens no others. They are sealed so until a
contract migration has run, which ends its use; from then on with the next change of the provider or
of the company's key.
"""

from cryptography.exceptions import InvalidTag

from tessera.authz.context import Access
from tessera.identity.sso import errors, provider_queries
from tessera.identity.sso.provider_queries import Provider, SealedSecret
from tessera.kit.data_keys import current_key, key_ring
from tessera.kit.database import Connection
from tessera.kit.encryption import CannotBeOpened, DataKey
from tessera.kit.keys import Keys
from tessera.kit.workflows import Resources

_PURPOSE = "sso-secrets"


async def seal(access: Access, provider_id: int, issuer: str, secret: str) -> SealedSecret:
    """The company must be locked."""
    connection, company_id = access.connection, access.current_user.company_id
    resources = access.context.resources
    if await provider_queries.may_first_version_run(connection):
        place = _place(company_id, provider_id, issuer)
        sealed = resources.keys.seal(_PURPOSE, secret.encode(), place)
        return SealedSecret(provider_id, issuer, sealed, None)
    try:
        key = await current_key(connection, resources, company_id)
    except CannotBeOpened:
        raise errors.SsoSecretUnreadable from None
    sealed = key.seal(_owner(provider_id, issuer), secret.encode())
    return SealedSecret(provider_id, issuer, sealed, key.version)


def open_secret(resources: Resources, provider: Provider) -> str:
    """Also works while the platform key is being replaced."""
    sealed = SealedSecret(
        provider.id, provider.issuer, provider.sealed_secret, provider.key_version
    )
    try:
        key = key_ring(resources).unwrap(provider.data_key) if provider.data_key else None
        return _open(resources, provider.company_id, sealed, key).decode()
    except CannotBeOpened:
        raise errors.SsoSecretUnreadable from None


async def reseal(
    connection: Connection, resources: Resources, company_id: int, old: DataKey | None, new: DataKey
) -> None:
    """Raises CannotBeOpened. The company must be locked."""
    if await provider_queries.may_first_version_run(connection):
        return
    for secret in await provider_queries.lock_secrets(connection, company_id):
        plaintext = _open(resources, company_id, secret, old)
        owner = _owner(secret.id, secret.issuer)
        sealed = new.seal(owner, plaintext)
        if new.open(owner, sealed) != plaintext:
            raise CannotBeOpened("the secret did not survive the new key")
        await provider_queries.replace_secret(
            connection, company_id, secret.id, sealed, new.version
        )


def _open(
    resources: Resources, company_id: int, sealed: SealedSecret, key: DataKey | None
) -> bytes:
    if sealed.key_version is not None:
        if key is None or key.version != sealed.key_version:
            raise CannotBeOpened("the secret is of another key version")
        return key.open(_owner(sealed.id, sealed.issuer), sealed.sealed_secret)
    old = resources.settings.platform_key_old_bytes
    place = _place(company_id, sealed.id, sealed.issuer)
    for keys in (resources.keys, Keys(old) if old else None):
        if keys is None:
            continue
        try:
            return keys.open(_PURPOSE, sealed.sealed_secret, place)
        except InvalidTag:
            continue
    raise CannotBeOpened("the secret cannot be opened")


def _owner(provider_id: int, issuer: str) -> str:
    """A secret never goes to another provider than it was entered for."""
    return f"sso|{provider_id}|{issuer}"


def _place(company_id: int, provider_id: int, issuer: str) -> str:
    return f"sso-secret|{company_id}|{provider_id}|{issuer}"
