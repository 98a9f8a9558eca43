from twilio.http.async_http_client import AsyncTwilioHttpClient
from twilio.rest import Client

from tessera.integrations.sms.protocol import Sms
from tessera.settings import Settings


class TwilioSmsSender:
    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    async def send(self, message_id: int, sms: Sms) -> None:  # noqa: ARG002
        async with AsyncTwilioHttpClient(timeout=30) as http:
            client = Client(
                self._settings.twilio_account_sid,
                self._settings.twilio_auth_token.get_secret_value(),
                http_client=http,
            )
            await client.messages.create_async(
                to=sms.to, from_=self._settings.twilio_from, body=sms.text
            )
