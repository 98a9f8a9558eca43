"""The service's log. It is bounded, and holds no name of a file or folder."""

import logging
from logging.handlers import RotatingFileHandler
from pathlib import Path

from tessera_client.vault.profile import StateFolder

MAX_BYTES = 512 * 1024
FILES = 3

_NAME = "service.log"


def log_path(folder: StateFolder) -> Path:
    return folder.path / _NAME


def open_log(folder: StateFolder) -> logging.Logger:
    folder.path.mkdir(mode=0o700, parents=True, exist_ok=True)
    handler = RotatingFileHandler(
        log_path(folder), maxBytes=MAX_BYTES, backupCount=FILES - 1, encoding="utf-8"
    )
    handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
    log = logging.Logger("tessera.service")
    log.addHandler(handler)
    return log
