from weakref import WeakKeyDictionary

import httpx

from tessera.integrations.cards.live import StripeCards
from tessera.integrations.cards.protocol import CardProvider
from tessera.kit.database import Database
from tessera.kit.keys import Keys
from tessera.settings import Settings

SANDBOX_SECRET_KEY = "sk_test_tessera_sandbox"  # noqa: S105 - valid in the payment sandbox only
SANDBOX_PUBLISHABLE_KEY = "pk_test_tessera_sandbox"

# One provider per running service, so that its connections are shared.
_providers: WeakKeyDictionary[Database, StripeCards] = WeakKeyDictionary()


def card_provider(settings: Settings, database: Database) -> CardProvider:
    found = _providers.get(database)
    if found is None:
        found = connect(settings, database)
    return found


def connect(
    settings: Settings, database: Database, transport: httpx.AsyncBaseTransport | None = None
) -> StripeCards:
    """`transport` calls a payment sandbox that is not listening on the network."""
    provider = StripeCards(
        secret_key(settings),
        url=settings.stripe_url or (f"{settings.public_url}/sandbox/stripe" * settings.sandbox),
        timeout=settings.stripe_timeout_seconds,
        retries=settings.stripe_retries,
        transport=transport,
    )
    _providers[database] = provider
    return provider


async def disconnect(database: Database) -> None:
    provider = _providers.pop(database, None)
    if provider is not None:
        await provider.close()


def secret_key(settings: Settings) -> str:
    return settings.stripe_secret_key.get_secret_value() or SANDBOX_SECRET_KEY


def publishable_key(settings: Settings) -> str:
    return settings.stripe_publishable_key or SANDBOX_PUBLISHABLE_KEY


def webhook_secret(settings: Settings, keys: Keys) -> str:
    """In the sandbox, webhooks are signed with a built-in secret."""
    data = settings.stripe_webhook_secret.get_secret_value()
    return data or f"whsec_{keys.derive('sandbox-webhooks').hex()}"


def is_live(settings: Settings) -> bool:
    """Returns whether payments are real; every webhook of the provider says so too."""
    return secret_key(settings).split("_")[1:2] == ["live"]
