"""Whether a cloud's CORS rules let a page in a browser read objects. Shares are read like that;
where it is not allowed, their pieces pass through the service."""

import httpx

from tessera.integrations.clouds.protocol import Cloud, CloudError, LinkTarget

LINK_SECONDS = 60
TIMEOUT_SECONDS = 5.0
# Of a page without an origin, as browsers send it.
NO_ORIGIN = "null"


async def lets_browsers_read(cloud: Cloud, path: str, origin: str) -> bool | None:
    """Asks as a page of the origin would. None if the cloud gave no answer to judge by."""
    try:
        [link] = await cloud.links([LinkTarget(path)], seconds=LINK_SECONDS)
    except CloudError:
        return None
    if isinstance(link, CloudError):
        return None
    headers = {**link.headers, "Origin": origin}
    try:
        async with (
            httpx.AsyncClient(timeout=TIMEOUT_SECONDS) as http,
            http.stream(link.method, link.url, headers=headers) as answer,
        ):
            allowed = answer.headers.get("access-control-allow-origin", "")
            return answer.is_success and allowed in {"*", origin}
    except (httpx.HTTPError, httpx.InvalidURL):
        return None
