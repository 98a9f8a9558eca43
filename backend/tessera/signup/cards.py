"""Card entry before the company exists: what the card form needs, for a sign-up ticket."""

from tessera.auth.rate_limits import limit
from tessera.authz.context import Identity, RequestContext
from tessera.integrations.cards import card_provider, publishable_key
from tessera.integrations.cards.errors import CardProviderError
from tessera.signup import tickets
from tessera.subscription import service as subscription_service
from tessera.subscription.operations.runner import to_api_error
from tessera.subscription.schemas import SetupIntentRead

MOST_A_TICKET = 20


async def setup_intent_for_company(identity: Identity) -> SetupIntentRead:
    return await subscription_service.setup_intent(identity)


async def setup_intent_for_ticket(context: RequestContext, ticket: str) -> SetupIntentRead:
    """Has no customer yet: the card is attached to one when the company is registered."""
    ticket_id = await tickets.require_ticket(context, ticket)
    await limit(context, f"signup-cards|{ticket_id}", MOST_A_TICKET)
    resources = context.resources
    provider = card_provider(resources.settings, resources.database)
    try:
        intent = await provider.new_setup_intent(
            key=f"setup-ticket-{ticket_id}-{context.request_id}", customer_id=None
        )
    except CardProviderError as error:
        raise to_api_error(error) from error
    return SetupIntentRead(
        id=intent.id,
        client_secret=intent.client_secret,
        publishable_key=publishable_key(resources.settings),
    )
