"""Countries that SMS are sent to. Expensive destinations are what SMS pumping profits from."""

import phonenumbers

from tessera.auth.errors import CountryNotServed
from tessera.authz.context import RequestContext


def check_country(context: RequestContext, phone_number: str) -> None:
    """Call before sending a code to a number that a user typed in."""
    allowed = context.settings.sms_countries
    if not allowed:
        return
    codes = {phonenumbers.country_code_for_region(region) for region in allowed}
    if phonenumbers.parse(phone_number).country_code not in codes:
        raise CountryNotServed(fields={"phoneNumber": "phone"})
