"""S3 servers for measurements: `rclone serve s3` on folders, each with TLS and a bucket."""

import os
import shutil
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address
from pathlib import Path

import httpx
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from tests.fixtures.process import free_port

ADDRESS = "127.0.0.1"
ACCESS_KEY, SECRET = "AKIAIOSFODNN7EXAMPLE", "benchmarkbenchmarkbenchmarkbenchmark1234"
REGION = "eu-west-1"
# Installed by `make bench`, so that everybody measures the same version.
RCLONE = Path(__file__).parents[1] / ".venv/bench/bin/rclone"
_LARGE_BYTES = 2**20


@dataclass(frozen=True)
class Store:
    bucket: str
    url: str
    folder: Path
    certificate: Path
    pid: int

    @contextmanager
    def missing(self) -> Iterator[None]:
        """Takes the bucket away."""
        bucket, away = self.folder / self.bucket, self.folder.with_name(f"{self.bucket}-away")
        bucket.rename(away)
        try:
            yield
        finally:
            # The service writes its logs to all stores, and the server makes the folder anew.
            shutil.rmtree(bucket, ignore_errors=True)
            away.rename(bucket)

    def remove_large_objects(self) -> None:
        """Frees the memory in which the system keeps them. With that full, a server spends a
        quarter more time on each write, which a cloud does on its own machines."""
        for path in (self.folder / self.bucket).rglob("*"):
            if path.is_file() and path.stat().st_size > _LARGE_BYTES:
                path.unlink()


@contextmanager
def running_stores(folder: Path, count: int) -> Iterator[list[Store]]:
    certificate, key = _certificate(folder)
    with ExitStack() as stack:
        yield [
            stack.enter_context(_running(folder, f"store-{number}", certificate, key))
            for number in range(count)
        ]


@contextmanager
def _running(folder: Path, bucket: str, certificate: Path, key: Path) -> Iterator[Store]:
    own = folder / f"server-{bucket}"
    (own / bucket).mkdir(parents=True)
    port = free_port()
    command = [str(RCLONE), "serve", "s3", "--addr", f"{ADDRESS}:{port}", str(own)]
    command += ["--auth-key", f"{ACCESS_KEY},{SECRET}", "--config", os.devnull]
    command += ["--cert", str(certificate), "--key", str(key)]
    # The servers share the cores with the programs, and would spend half of their time or more on
    # hashing each object several times; a cloud does that on its own machines.
    command += ["--etag-hash", "", "--ignore-checksum", "--no-checksum"]
    with (folder / f"{bucket}.log").open("wb") as log:
        # With HTTP/2, some requests are never answered.
        environment = {**os.environ, "GODEBUG": "http2server=0"}
        process = subprocess.Popen(command, stdout=log, stderr=log, env=environment)
        url = f"https://{ADDRESS}:{port}"
        trusted = ssl.create_default_context(cafile=str(certificate))
        try:
            while True:
                assert process.poll() is None, (folder / f"{bucket}.log").read_text()
                try:
                    httpx.get(url, verify=trusted)
                    break
                except httpx.TransportError:
                    time.sleep(0.02)
            yield Store(bucket, url, own, certificate, process.pid)
        finally:
            process.terminate()
            process.wait(timeout=30)


def _certificate(folder: Path) -> tuple[Path, Path]:
    key = generate_private_key(SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "bench")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=2))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(IPv4Address(ADDRESS))]), critical=False
        )
        .sign(key, SHA256())
    )
    paths = folder / "store.crt", folder / "store.key"
    paths[0].write_bytes(certificate.public_bytes(Encoding.PEM))
    paths[1].write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return paths
