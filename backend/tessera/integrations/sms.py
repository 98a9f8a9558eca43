"""SMS: by Twilio, in the sandbox into the outbox."""

from dataclasses import dataclass

from twilio.http.async_http_client import AsyncTwilioHttpClient
from twilio.rest import Client

from tessera.integrations import outbox
from tessera.kit.workflows import Resources


@dataclass(frozen=True)
class Sms:
    to: str
    text: str
    code: str | None = None


async def send_sms(resources: Resources, message_id: int, sms: Sms) -> None:
    settings = resources.settings
    if settings.sandbox:
        await outbox.put(resources.database, message_id, "sms", sms.to, sms.text, code=sms.code)
        return
    async with AsyncTwilioHttpClient(timeout=30) as http:
        token = settings.twilio_auth_token.get_secret_value()
        client = Client(settings.twilio_account_sid, token, http_client=http)
        await client.messages.create_async(to=sms.to, from_=settings.twilio_from, body=sms.text)
