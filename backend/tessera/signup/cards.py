"""Card entry before there is a company: what the card form needs, against a sign-up ticket."""

from tessera.auth.limits import limit
from tessera.authz.context import Identity, Visit
from tessera.integrations.cards import card_provider, publishable_key
from tessera.integrations.cards.errors import CardProviderError
from tessera.signup import tickets
from tessera.subscription import operations
from tessera.subscription.carrying import understood
from tessera.subscription.schemas import SetupIntentRead

MOST_A_TICKET = 20


async def setup_intent_for_company(identity: Identity) -> SetupIntentRead:
    return await operations.setup_intent(identity)


async def setup_intent_for_ticket(visit: Visit, ticket: str) -> SetupIntentRead:
    """Without a customer: the card is tied to one when the company is registered."""
    ticket_id = await tickets.living_ticket(visit, ticket)
    await limit(visit, f"signup-cards|{ticket_id}", MOST_A_TICKET)
    house = visit.resources
    provider = card_provider(house.settings, house.database)
    try:
        intent = await provider.new_setup_intent(
            key=f"setup-ticket-{ticket_id}-{visit.request_id}", customer_id=None
        )
    except CardProviderError as error:
        raise understood(error) from error
    return SetupIntentRead(
        id=intent.id,
        client_secret=intent.client_secret,
        publishable_key=publishable_key(house.settings),
    )
