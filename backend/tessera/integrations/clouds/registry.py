from functools import cache
from importlib import import_module

from tessera.integrations.clouds.strategy import Strategy
from tessera_core.providers import find_provider


@cache
def strategy_of(warehouse_type: int) -> Strategy:
    """The module with a provider's calls is named after the provider's key."""
    module = import_module(f"{__package__}.{find_provider(warehouse_type).key}")
    strategy: Strategy = module.STRATEGY
    return strategy
