"""The providers whose storage can be connected. Each module here describes one as `PROVIDER`;
`tessera.integrations.clouds` has a module of the same name with its calls."""

from importlib import import_module
from pkgutil import iter_modules

from tessera_core.provider import Provider


class UnknownProvider(LookupError):
    def __init__(self, type_: int) -> None:
        super().__init__(f"no provider is described for the warehouse type {type_}")


def load() -> dict[int, Provider]:
    """Reads every description, by type and in the order of lists."""
    modules = [import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__)]
    providers: list[Provider] = [module.PROVIDER for module in modules]
    return {
        provider.type: provider
        for provider in sorted(providers, key=lambda provider: provider.position)
    }


DESCRIBED = load()


def connectable() -> list[Provider]:
    return [provider for provider in DESCRIBED.values() if provider.is_connectable]


def find_provider(type_: int) -> Provider:
    provider = DESCRIBED.get(type_)
    if provider is None or not provider.is_connectable:
        raise UnknownProvider(type_)
    return provider


def field_names() -> list[str]:
    """The fields of all providers together, each once."""
    fields = [field.name for provider in connectable() for field in provider.fields]
    return list(dict.fromkeys(fields))


def is_link_host(host: str) -> bool:
    """Whether signed links of a provider lead to the host."""
    return any(
        host.endswith(known) if known.startswith(".") else host == known
        for provider in connectable()
        for known in provider.link_hosts
    )
