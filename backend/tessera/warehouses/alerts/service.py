"""The leader's settings for alerts: recipients and the webhook."""

from uuid import UUID

from tessera import limits
from tessera.activity.service import record
from tessera.authz.context import Access, Identity
from tessera.authz.queries import lock_company
from tessera.authz.rate_limits import limit
from tessera.integrations import webhooks
from tessera.integrations.webhooks import CannotDeliver, DeliveryError
from tessera.kit import clock
from tessera.kit.data_keys import current_key
from tessera.kit.encryption import CannotBeOpened
from tessera.warehouses.alerts import errors, queries, schemas
from tessera.warehouses.alerts.publish import publish_event
from tessera.warehouses.alerts.signing import Secrets
from tessera.warehouses.errors import CredentialsUnreadable

SHOWN_DELIVERIES = 20

URL_CODES = {
    DeliveryError.INVALID_URL: "webhook_url",
    DeliveryError.UNENCRYPTED: "webhook_https",
    DeliveryError.HOST_NOT_FOUND: "webhook_host",
    DeliveryError.ADDRESS_REFUSED: "webhook_address",
}


async def read_warehouse_alerts(access: Access) -> schemas.WarehouseAlerts:
    connection, company_id = access.connection, access.current_user.company_id
    recipients = await queries.recipients(connection, company_id)
    return schemas.WarehouseAlerts(
        recipients=[schemas.AlertRecipient.of(each) for each in recipients],
        max_recipients=limits.ALERT_RECIPIENTS.maximum,
        webhook=await _read_webhook(access),
    )


async def _read_webhook(access: Access) -> schemas.WebhookRead | None:
    connection, company_id = access.connection, access.current_user.company_id
    webhook = await queries.webhook(connection, company_id)
    if webhook is None:
        return None
    deliveries = await queries.deliveries(connection, company_id, SHOWN_DELIVERIES)
    return schemas.WebhookRead.of(webhook, deliveries=deliveries)


async def add_recipient(access: Access, uuid: UUID) -> None:
    connection, company_id = access.connection, access.current_user.company_id
    await lock_company(connection, company_id)
    member = await queries.eligible_member(connection, company_id, uuid)
    if member is None:
        raise errors.AlertRecipientNotFound
    present = await queries.recipients(connection, company_id)
    if member in present:
        return
    if len(present) >= limits.ALERT_RECIPIENTS.maximum:
        raise errors.TooManyAlertRecipients(maximum=limits.ALERT_RECIPIENTS.maximum)
    await queries.add_recipient(connection, company_id, member.id)
    await record(access, "alertRecipient.added", target=member.email)


async def remove_recipient(access: Access, uuid: UUID) -> None:
    connection, company_id = access.connection, access.current_user.company_id
    await lock_company(connection, company_id)
    present = await queries.recipients(connection, company_id)
    member = next((each for each in present if each.uuid == uuid), None)
    if member is None:
        raise errors.AlertRecipientNotFound
    await queries.remove_recipient(connection, company_id, member.id)
    await record(access, "alertRecipient.removed", target=member.email)


async def save_webhook(identity: Identity, url: str) -> schemas.WebhookSecret:
    """Adds the webhook, changes its address, or turns a disabled one on again."""
    context, company_id = identity.context, identity.current_user.company_id
    await limit(context, limits.WEBHOOK_CALLS, company_id)
    try:
        await webhooks.check_target(context.settings, url)
    except CannotDeliver as error:
        raise errors.WebhookAddressRefused(fields={"url": URL_CODES[error.reason]}) from None
    async with identity.access() as access:
        await lock_company(access.connection, company_id)
        if await queries.webhook(access.connection, company_id):
            await queries.set_url(access.connection, company_id, url)
            await record(access, "webhook.updated", target=schemas.host_of(url))
            return schemas.WebhookSecret(secret=None)
        secrets = Secrets.new()
        sealed, version = await _seal(access, secrets)
        await queries.add_webhook(access.connection, company_id, url, sealed, version)
        await record(access, "webhook.added", target=schemas.host_of(url))
    return schemas.WebhookSecret(secret=secrets.current)


async def rotate_secret(access: Access) -> schemas.WebhookSecret:
    connection, company_id = access.connection, access.current_user.company_id
    await lock_company(connection, company_id)
    webhook = await queries.webhook(connection, company_id)
    if webhook is None:
        raise errors.WebhookNotFound
    try:
        key = await current_key(connection, access.context.resources, company_id)
        former = Secrets.decode(key.open("webhook", webhook.sealed))
    except CannotBeOpened:
        raise CredentialsUnreadable from None
    secrets = former.rotated(clock.now())
    sealed, version = await _seal(access, secrets)
    await queries.set_secret(connection, company_id, sealed, version)
    await record(access, "webhook.secretRotated", target=schemas.host_of(webhook.url))
    return schemas.WebhookSecret(secret=secrets.current)


async def _seal(access: Access, secrets: Secrets) -> tuple[bytes, int]:
    """Returns what to store, and the version of the key. The company must be locked."""
    company_id = access.current_user.company_id
    try:
        key = await current_key(access.connection, access.context.resources, company_id)
    except CannotBeOpened:
        raise CredentialsUnreadable from None
    return key.seal("webhook", secrets.encode()), key.version


async def remove_webhook(access: Access) -> None:
    connection, company_id = access.connection, access.current_user.company_id
    await lock_company(connection, company_id)
    webhook = await queries.webhook(connection, company_id)
    if webhook is None:
        raise errors.WebhookNotFound
    await queries.remove_webhook(connection, company_id)
    await record(access, "webhook.removed", target=schemas.host_of(webhook.url))


async def send_test_event(identity: Identity) -> None:
    company_id = identity.current_user.company_id
    await limit(identity.context, limits.WEBHOOK_CALLS, company_id)
    async with identity.access() as access:
        if not await publish_event(access.connection, company_id, schemas.Event.TEST, {}):
            raise errors.WebhookNotFound
