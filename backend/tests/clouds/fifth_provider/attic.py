"""The calls of the invented provider: its shelves are folders of this machine."""

from tessera.integrations.clouds import ConnectionFailure, Link, Strategy
from tessera.integrations.clouds.strategy import Credentials, LinkRequest, prefix
from tessera.settings import Settings
from tessera_core.providers import find_provider


def _options(credentials: Credentials, settings: Settings) -> dict[str, str]:
    folder = settings.data_dir / "attic" / credentials["shelf"] / prefix(credentials)
    return {"root": str(folder)}


async def _link(request: LinkRequest) -> Link:
    shelf = request.credentials["shelf"]
    method = "PUT" if request.upload else "GET"
    return Link(method, f"https://{shelf}.attic.example/{request.key}", {}, request.expires_at)


STRATEGY = Strategy(
    provider=find_provider(77),
    scheme="fs",
    options=_options,
    causes=(("locked", ConnectionFailure.WRONG_KEY),),
    place=lambda credentials: credentials["shelf"],
    account=lambda credentials: credentials["padlock"],
    link=_link,
)
