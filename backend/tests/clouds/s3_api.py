"""Creates buckets, users and permissions in moto, before it starts to enforce them."""

import json
import re
from dataclasses import dataclass

import httpx

from tests.clouds import signed_queries
from tests.clouds.proxy import Answer, Asked

REGION = "eu-west-1"
BUCKET = "northwind-tiles"
RETURNED = {"content-length", "content-type", "etag", "last-modified"}

READ = ["s3:GetObject", "s3:ListBucket"]
OWN = [f"arn:aws:s3:::{BUCKET}", f"arn:aws:s3:::{BUCKET}/*"]


@dataclass(frozen=True)
class Key:
    id: str
    secret: str


def prepare(url: str) -> dict[str, Key]:
    with httpx.Client(trust_env=False, base_url=url) as http:
        create_bucket(http)
        keys = {
            "writer": _user(http, "writer", [*READ, "s3:PutObject"], OWN),
            "reader": _user(http, "reader", READ, OWN),
            "anywhere": _user(http, "anywhere", ["s3:*"], ["*"]),
        }
        http.post("/moto-api/reset-auth", content="0").raise_for_status()
    return keys


def create_bucket(http: httpx.Client, name: str = BUCKET) -> None:
    made = http.put(
        f"/{name}",
        headers=_signed_for("s3"),
        content=f"<CreateBucketConfiguration><LocationConstraint>{REGION}"
        "</LocationConstraint></CreateBucketConfiguration>",
    )
    assert made.status_code == 200, made.text


class Amazon:
    """Checks signatures in the query, in front of moto, which does everything else."""

    def __init__(self, key: Key, moto: str) -> None:
        self._key = key
        self._http = httpx.Client(trust_env=False, base_url=moto)
        create_bucket(self._http)

    def __call__(self, asked: Asked) -> Answer:
        headers = {name.lower(): value for name, value in asked.headers.items()}
        check = signed_queries.amazon(self._key.secret)
        if signed_queries.is_signed(asked, "Amz"):
            if not signed_queries.verified(asked, "Amz", check):
                return Answer(403, b"<Error><Code>SignatureDoesNotMatch</Code></Error>")
        elif "authorization" not in headers:
            return Answer(403, b"<Error><Code>AccessDenied</Code></Error>")
        del headers["host"]
        got = self._http.request(asked.method, asked.target, headers=headers, content=asked.body)
        kept = {name: value for name, value in got.headers.items() if name in RETURNED}
        return Answer(got.status_code, got.content, kept)


def _user(http: httpx.Client, name: str, actions: list[str], resources: list[str]) -> Key:
    _iam(http, Action="CreateUser", UserName=name)
    statement = {"Effect": "Allow", "Action": actions, "Resource": resources}
    rights = json.dumps({"Version": "2012-10-17", "Statement": [statement]})
    _iam(http, Action="PutUserPolicy", UserName=name, PolicyName="tiles", PolicyDocument=rights)
    made = _iam(http, Action="CreateAccessKey", UserName=name)
    found = re.search(r"<AccessKeyId>(\w+)</AccessKeyId>", made)
    secret = re.search(r"<SecretAccessKey>([^<]+)</SecretAccessKey>", made)
    assert found
    assert secret
    return Key(found[1], secret[1])


def _iam(http: httpx.Client, **form: str) -> str:
    answer = http.post("/", data={**form, "Version": "2010-05-08"}, headers=_signed_for("iam"))
    assert answer.status_code == 200, answer.text
    return answer.text


def _signed_for(service: str) -> dict[str, str]:
    scope = f"20260101/us-east-1/{service}/aws4_request"
    parts = f"Credential=AKIASETUP/{scope}, SignedHeaders=host, Signature=0"
    return {"Authorization": f"AWS4-HMAC-SHA256 {parts}"}
