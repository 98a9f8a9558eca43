"""The calls of Amazon S3, or a compatible service at TESSERA_S3_ENDPOINT."""

import base64
import hashlib
import hmac
from urllib.parse import quote, urlsplit

from tessera.integrations.clouds.protocol import ConnectionFailure, Link
from tessera.integrations.clouds.strategy import Credentials, LinkRequest, Strategy, prefix
from tessera.settings import Settings
from tessera_core.providers.s3 import PROVIDER, REGIONS


def _options(credentials: Credentials, settings: Settings) -> dict[str, str]:
    region = credentials["region"]
    suffix = "amazonaws.com.cn" if region.startswith("cn-") else "amazonaws.com"
    return {
        "endpoint": settings.s3_endpoint or f"https://s3.{region}.{suffix}",
        "region": region,
        "bucket": credentials["bucket_name"],
        "access_key_id": credentials["account_key"],
        "secret_access_key": credentials["secret"],
        "root": f"/{prefix(credentials)}",
        # Never use this machine's own credentials for a warehouse.
        "disable_config_load": "true",
        "disable_ec2_metadata": "true",
    }


async def _link(request: LinkRequest) -> Link:
    """Signs a request with Signature Version 4 in the query. An upload has to send these headers:
    S3 then refuses to replace an object, and any other content. Its length, which every HTTP client
    states by itself, is signed too, for services that do not compare checksums."""
    options = _options(request.credentials, request.settings)
    address = urlsplit(options["endpoint"])
    sent = {}
    if request.upload:
        checksum = base64.b64encode(request.upload.sha256).decode()
        sent = {"if-none-match": "*", "x-amz-checksum-sha256": checksum}
    signed = {"host": address.netloc, **sent}
    if request.upload:
        signed["content-length"] = str(request.upload.size)
    headers = dict(sorted(signed.items()))
    method = "PUT" if request.upload else "GET"
    path = f"{address.path}/{options['bucket']}/{quote(request.key, safe='/~')}"
    at = request.now.strftime("%Y%m%dT%H%M%SZ")
    scope = f"{at[:8]}/{options['region']}/s3/aws4_request"
    query = _query(
        {
            "X-Amz-Algorithm": "AWS4-HMAC-SHA256",
            "X-Amz-Credential": f"{options['access_key_id']}/{scope}",
            "X-Amz-Date": at,
            "X-Amz-Expires": str(request.seconds),
            "X-Amz-SignedHeaders": ";".join(headers),
        }
    )
    lines = "".join(f"{name}:{value}\n" for name, value in headers.items())
    canonical = f"{method}\n{path}\n{query}\n{lines}\n{';'.join(headers)}\nUNSIGNED-PAYLOAD"
    digest = hashlib.sha256(canonical.encode()).hexdigest()
    key = f"AWS4{options['secret_access_key']}".encode()
    for part in (*scope.split("/"), f"AWS4-HMAC-SHA256\n{at}\n{scope}\n{digest}"):
        key = hmac.digest(key, part.encode(), "sha256")
    url = f"{address.scheme}://{address.netloc}{path}?{query}&X-Amz-Signature={key.hex()}"
    return Link(method, url, sent, request.expires_at)


def _query(values: dict[str, str]) -> str:
    return "&".join(f"{name}={quote(value, safe='~')}" for name, value in values.items())


def _reconsider(credentials: Credentials, failure: ConnectionFailure) -> ConnectionFailure:
    """The region is part of the address, so an unknown one is unreachable."""
    if failure is ConnectionFailure.UNREACHABLE and credentials["region"] not in REGIONS:
        # A region missing there still works: the list only tells a typo from an outage.
        return ConnectionFailure.WRONG_REGION
    return failure


STRATEGY = Strategy(
    provider=PROVIDER,
    scheme="s3",
    options=_options,
    causes=(
        ("NoSuchBucket", ConnectionFailure.NO_SUCH_BUCKET),
        ("InvalidBucketName", ConnectionFailure.NO_SUCH_BUCKET),
        ("PermanentRedirect", ConnectionFailure.WRONG_REGION),
        ("TemporaryRedirect", ConnectionFailure.WRONG_REGION),
        ("IllegalLocationConstraint", ConnectionFailure.WRONG_REGION),
        ("; expecting '", ConnectionFailure.WRONG_REGION),
        ("AuthorizationHeaderMalformed", ConnectionFailure.WRONG_KEY),
        ("InvalidAccessKeyId", ConnectionFailure.WRONG_KEY),
        ("SignatureDoesNotMatch", ConnectionFailure.WRONG_KEY),
        ("InvalidToken", ConnectionFailure.WRONG_KEY),
        ("ExpiredToken", ConnectionFailure.WRONG_KEY),
        ("RequestTimeTooSkewed", ConnectionFailure.UNREACHABLE),
    ),
    place=lambda credentials: credentials["bucket_name"],
    account=lambda credentials: credentials["account_key"],
    link=_link,
    reconsider=_reconsider,
)
