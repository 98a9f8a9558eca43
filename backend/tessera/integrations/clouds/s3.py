"""Amazon S3, or a compatible service at TESSERA_S3_ENDPOINT."""

import base64
import hashlib
import hmac
from urllib.parse import quote, urlsplit

from tessera.integrations.clouds.patterns import shaped
from tessera.integrations.clouds.protocol import ConnectionFailure, Link, WarehouseType
from tessera.integrations.clouds.strategy import Form, LinkRequest, Strategy, prefix
from tessera.settings import Settings

# A region missing here still works; the list only tells a typo from an outage.
REGIONS = frozenset(
    {
        *("af-south-1", "ap-east-1", "ap-east-2", "ap-northeast-1", "ap-northeast-2"),
        *("ap-northeast-3", "ap-south-1", "ap-south-2", "ap-southeast-1", "ap-southeast-2"),
        *("ap-southeast-3", "ap-southeast-4", "ap-southeast-5", "ap-southeast-6"),
        *("ap-southeast-7", "ca-central-1", "ca-west-1", "cn-north-1", "cn-northwest-1"),
        *("eu-central-1", "eu-central-2", "eu-north-1", "eu-south-1", "eu-south-2", "eu-west-1"),
        *("eu-west-2", "eu-west-3", "il-central-1", "me-central-1", "me-south-1", "mx-central-1"),
        *("sa-east-1", "us-east-1", "us-east-2", "us-gov-east-1", "us-gov-west-1", "us-west-1"),
        "us-west-2",
    }
)


def _options(form: Form, settings: Settings) -> dict[str, str]:
    region = form["region"]
    suffix = "amazonaws.com.cn" if region.startswith("cn-") else "amazonaws.com"
    return {
        "endpoint": settings.s3_endpoint or f"https://s3.{region}.{suffix}",
        "region": region,
        "bucket": form["bucket_name"],
        "access_key_id": form["account_key"],
        "secret_access_key": form["secret"],
        "root": f"/{prefix(form)}",
        # Never use this machine's own credentials for a warehouse.
        "disable_config_load": "true",
        "disable_ec2_metadata": "true",
    }


async def _link(request: LinkRequest) -> Link:
    """Signs a request with Signature Version 4 in the query. An upload has to send these headers:
    S3 then refuses to replace an object, and any other content. Its length, which every HTTP client
    states by itself, is signed too, for services that do not compare checksums."""
    options = _options(request.form, request.settings)
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


def _reconsider(form: Form, failure: ConnectionFailure) -> ConnectionFailure:
    """The region is part of the address, so an unknown one is unreachable."""
    if failure is ConnectionFailure.UNREACHABLE and form["region"] not in REGIONS:
        return ConnectionFailure.WRONG_REGION
    return failure


S3 = Strategy(
    type=WarehouseType.S3,
    fields=("bucket_name", "account_key", "secret", "region", "path"),
    required=frozenset({"bucket_name", "account_key", "secret", "region", "path"}),
    secret=frozenset({"account_key", "secret"}),
    checks={
        "bucket_name": shaped(
            r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]", "bucket", without=r"\.\.|^[0-9.]+$"
        ),
        "account_key": shaped(r"[A-Za-z0-9]{16,128}", "access_key"),
        "secret": shaped(r"[A-Za-z0-9/+=]{16,128}", "secret_key"),
        "region": shaped(r"[a-z]{2,3}(-[a-z]{2,12}){1,3}-[0-9]{1,2}", "region"),
    },
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
    place=lambda form: form["bucket_name"],
    account=lambda form: form["account_key"],
    bucket_field="bucket_name",
    link=_link,
    reconsider=_reconsider,
)
