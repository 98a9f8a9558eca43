"""The types of warehouses by name."""

from tessera_core.providers import azure, connectable, dropbox, google, s3

DROPBOX = dropbox.PROVIDER.type
S3 = s3.PROVIDER.type
AZURE = azure.PROVIDER.type
GOOGLE = google.PROVIDER.type
ALL = [provider.type for provider in connectable()]
