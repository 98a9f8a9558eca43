"""Looks up TXT records."""

from urllib.parse import urlsplit

import dns.asyncresolver
import dns.exception
import dns.resolver

from tessera.settings import Settings

# What one name may hold; the rest is not read.
MOST_RECORDS = 100


class LookupFailed(Exception):
    """No resolver answered, or not in time."""


async def txt_records(settings: Settings, name: str) -> list[str]:
    """Returns none if the name does not exist."""
    resolver = _resolver(settings)
    try:
        answer = await resolver.resolve(
            name, "TXT", search=False, lifetime=settings.dns_timeout_seconds
        )
    except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
        return []
    except (dns.exception.DNSException, OSError) as error:
        raise LookupFailed from error
    return [
        b"".join(record.strings).decode("utf-8", errors="replace")
        for record in list(answer)[:MOST_RECORDS]
    ]


def _resolver(settings: Settings) -> dns.asyncresolver.Resolver:
    if not settings.dns_resolver:
        try:
            return dns.asyncresolver.Resolver()
        except dns.resolver.NoResolverConfiguration as error:
            raise LookupFailed from error
    address = urlsplit(f"//{settings.dns_resolver}")
    resolver = dns.asyncresolver.Resolver(configure=False)
    resolver.nameservers = [address.hostname or ""]
    resolver.port = address.port or 53
    return resolver
