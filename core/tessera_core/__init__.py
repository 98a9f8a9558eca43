"""Formats and cryptography shared by the service and the client. No I/O.

docs/storage-format.md describes every byte.
"""
