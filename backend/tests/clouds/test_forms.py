import base64

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from tessera.integrations.clouds import strategy_of
from tessera.integrations.clouds.azure import NotAConnectionString, parse
from tessera.kit.i18n import Language, catalogue
from tessera_core.providers import find_provider
from tests.clouds import provider_types
from tests.clouds.test_secrecy import FORMS

KEY = base64.b64encode(b"k" * 64).decode()


def check(kind: int, **changes: str) -> dict[str, str]:
    return strategy_of(kind).check({**FORMS[kind], **changes})


def pem(key: rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey, password: bytes | None = None) -> str:
    hidden = (
        serialization.BestAvailableEncryption(password)
        if password
        else serialization.NoEncryption()
    )
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, hidden
    ).decode()


class TestEveryType:
    @pytest.mark.parametrize("kind", provider_types.ALL)
    def test_a_sound_form_has_no_problem(self, kind: int) -> None:
        assert check(kind) == {}

    @pytest.mark.parametrize("kind", provider_types.ALL)
    def test_names_what_is_missing(self, kind: int) -> None:
        strategy, provider = strategy_of(kind), find_provider(kind)
        missing = dict.fromkeys(provider.required_fields({}), "missing")
        assert strategy.check({}) == missing
        assert strategy.check({field.name: "  " for field in provider.fields}) == missing

    @pytest.mark.parametrize("kind", provider_types.ALL)
    def test_warehouse_type_knows_its_fields(self, kind: int) -> None:
        strategy, provider = strategy_of(kind), find_provider(kind)
        assert strategy.provider is provider
        names = {field.name for field in provider.fields}
        assert {name for group in provider.alternatives for name in group} <= names
        assert strategy.checks.keys() <= names
        assert provider.secrets

    @pytest.mark.parametrize("kind", provider_types.ALL)
    def test_refuses_lines_and_lengths_that_do_not_belong(self, kind: int) -> None:
        for name in [field.name for field in find_provider(kind).fields]:
            for odd in ("x\0", "x\r\nHost: evil.example", "x" * 9000, "a\\b"):
                assert name in check(kind, **{name: odd})

    @pytest.mark.parametrize("kind", provider_types.ALL)
    def test_stand_ins_count_in_the_sandbox_only(self, kind: int) -> None:
        strategy = strategy_of(kind)
        for name in strategy.provider.secrets & FORMS[kind].keys():
            for value in ("wrong", "demo"):
                form = {**FORMS[kind], name: value}
                assert name in strategy.check(form)
                assert strategy.check(form, sandbox=True) == {}
            assert name in strategy.check({**FORMS[kind], name: "é"}, sandbox=True)

    def test_field_problem_has_its_sentence(self) -> None:
        general = catalogue(Language.EN)["fields"].keys()
        odd = ("", "x", "é", "x" * 9000, "x\0", "../x")
        codes = {
            code: code in field.problems or code in general
            for strategy in map(strategy_of, provider_types.ALL)
            for field in strategy.provider.fields
            for value in odd
            for name, code in strategy.check({field.name: value}).items()
            if name == field.name
        }
        assert all(codes.values())
        assert {
            "path",
            "bucket",
            "region",
            "connection_string",
            "private_key",
            "cert",
        } <= codes.keys()


class TestS3:
    @pytest.mark.parametrize(
        "region",
        [
            *("us-east-1.evil.example", "us-east-1/", "us-east-1#", "us-east-1@evil.example"),
            *("169.254.169.254", "US-EAST-1", "us-east", "us east 1", "x", "us-east-1\n"),
        ],
    )
    def test_a_region_cannot_lead_elsewhere(self, region: str) -> None:
        assert check(provider_types.S3, region=region) == {"region": "region"}

    @pytest.mark.parametrize(
        "region", ["us-east-1", "us-gov-west-1", "cn-northwest-1", "eu-isoe-west-1", "ap-east-2"]
    )
    def test_regions_of_amazon_are_accepted(self, region: str) -> None:
        assert check(provider_types.S3, region=region) == {}

    @pytest.mark.parametrize(
        "bucket", ["ab", "A-bucket", "-bucket", "a..b", "10.0.0.1", "a/b", "a?b", "x" * 64]
    )
    def test_what_is_no_bucket(self, bucket: str) -> None:
        assert check(provider_types.S3, bucket_name=bucket) == {"bucket_name": "bucket"}

    def test_a_bucket_with_dots(self) -> None:
        assert check(provider_types.S3, bucket_name="tiles.northwind.example") == {}


class TestAzure:
    @pytest.mark.parametrize(
        "text",
        [
            f"AccountName=northwind;AccountKey={KEY}",
            f"AccountName=northwind;AccountKey={KEY};",
            f"DefaultEndpointsProtocol=https;AccountName=northwind;AccountKey={KEY}",
            f" AccountKey={KEY};AccountName=northwind;EndpointSuffix=core.windows.net ",
        ],
    )
    def test_connection_strings_of_azure_are_parsed(self, text: str) -> None:
        account = parse(text)
        assert (account.name, account.key) == ("northwind", KEY)
        assert KEY not in repr(account)

    @pytest.mark.parametrize(
        "text",
        [
            "",
            ";",
            "northwind",
            KEY,
            "UseDevelopmentStorage=true",
            "AccountName=northwind",
            f"AccountKey={KEY}",
            f"AccountName=;AccountKey={KEY}",
            f"AccountName=no;AccountKey={KEY}",
            f"AccountName=North;AccountKey={KEY}",
            f"AccountName=evil.example/;AccountKey={KEY}",
            f"AccountName=evil.example#;AccountKey={KEY}",
            f"AccountName=a@evil.example;AccountKey={KEY}",
            f"AccountName={'n' * 25};AccountKey={KEY}",
            "AccountName=northwind;AccountKey=short",
            "AccountName=northwind;AccountKey=c2hvcnQ=",
            f"AccountName=northwind;AccountKey={KEY}!",
            f"AccountName=northwind;AccountName=evil;AccountKey={KEY}",
            f"AccountName=northwind;AccountKey={KEY};;",
            f"AccountName=northwind;AccountKey={KEY};BlobEndpoint=https://evil.example",
            f"AccountName=northwind;AccountKey={KEY};blobendpoint=https://evil.example",
            f"AccountName=northwind;AccountKey={KEY};BlobSecondaryEndpoint=https://evil.example",
            f"AccountName=northwind;AccountKey={KEY};SharedAccessSignature=sv=2022",
            f"AccountName=northwind;AccountKey={KEY};EndpointSuffix=evil.example",
            f"AccountName=northwind;AccountKey={KEY};EndpointSuffix=core.windows.net.evil.example",
            f"AccountName=northwind;AccountKey={KEY};DefaultEndpointsProtocol=http",
            f"AccountName=northwind;AccountKey={KEY};DevelopmentStorageProxyUri=http://127.0.0.1",
        ],
    )
    def test_what_could_lead_elsewhere_is_refused(self, text: str) -> None:
        with pytest.raises(NotAConnectionString):
            parse(text)
        wanted = "connection_string" if text.strip() else "missing"
        assert check(provider_types.AZURE, account_key=text) == {"account_key": wanted}

    @pytest.mark.parametrize("container", ["ab", "a--b", "-ab", "Abc", "a_b", "a/b", "$root"])
    def test_what_is_no_container(self, container: str) -> None:
        problems = check(provider_types.AZURE, application_name=container)
        assert problems == {"application_name": "container"}


class TestGoogle:
    @pytest.mark.parametrize(
        "email",
        [
            "somebody@gmail.com",
            "a@b.iam.gserviceaccount.com.evil.example",
            "a@evil.example/.iam.gserviceaccount.com",
            "a b@c.iam.gserviceaccount.com",
            "@c.iam.gserviceaccount.com",
        ],
    )
    def test_what_is_no_service_account(self, email: str) -> None:
        assert check(provider_types.GOOGLE, client_email=email) == {"client_email": "client_email"}

    @pytest.mark.parametrize(
        "cert",
        [
            "http://www.googleapis.com/robot/v1/metadata/x509/a",
            "https://evil.example/robot/v1/metadata/x509/a",
            "https://www.googleapis.com.evil.example/robot/v1/metadata/x509/a",
            "https://www.googleapis.com/robot/v1/metadata/x509/",
            "https://www.googleapis.com/robot/v1/metadata/x509/../../a",
        ],
    )
    def test_what_is_no_certificate_of_google(self, cert: str) -> None:
        assert check(provider_types.GOOGLE, cert=cert) == {"cert": "cert"}

    def test_what_is_no_private_key(self) -> None:
        good = FORMS[provider_types.GOOGLE]["private_key"]
        wrong = [
            good.replace("PRIVATE KEY", "PUBLIC KEY"),
            good[: len(good) // 2],
            good.replace("-----BEGIN", "-----"),
            pem(ec.generate_private_key(ec.SECP256R1())),
            '{"type": "external_account", "token_url": "https://evil.example"}',
        ]
        for text in wrong:
            problems = check(provider_types.GOOGLE, private_key=text)
            assert problems == {"private_key": "private_key"}, text

    @pytest.mark.parametrize("bits", [1024, 2040, 4104])
    def test_a_private_key_of_another_size(self, bits: int) -> None:
        """Its factors are not prime, which nobody checks: to find some takes seconds."""
        p, q = 2 ** (bits // 2) - 1, 2 ** (bits // 2) - 3
        public = rsa.RSAPublicNumbers(65537, p * q)
        numbers = rsa.RSAPrivateNumbers(p, q, d=3, dmp1=3, dmq1=3, iqmp=3, public_numbers=public)
        text = pem(numbers.private_key(unsafe_skip_rsa_key_validation=True))
        problems = check(provider_types.GOOGLE, private_key=text)
        assert problems == {"private_key": "private_key_size"}

    def test_a_key_that_needs_a_password(self) -> None:
        key = rsa.generate_private_key(65537, 2048)
        hidden = pem(key, b"password")
        assert check(provider_types.GOOGLE, private_key=hidden) == {"private_key": "private_key"}

    def test_path_may_be_left_out(self) -> None:
        form = {**FORMS[provider_types.GOOGLE]}
        del form["path"]
        assert strategy_of(provider_types.GOOGLE).check(form) == {}
