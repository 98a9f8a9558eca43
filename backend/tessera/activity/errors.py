from tessera.errors import TesseraError


class ExportRunning(TesseraError):
    status = 429
    code = "export_running"
