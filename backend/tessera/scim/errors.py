"""Errors of SCIM calls. `scim_type` is the standard's word for them (RFC 7644, 3.12)."""

from typing import ClassVar

from tessera.errors import TesseraError


class ScimError(TesseraError):
    scim_type: ClassVar[str] = ""


class ScimTokenInvalid(ScimError, status=401): ...


class ScimCallUnknown(ScimError, status=404): ...


class ScimMethodNotAllowed(ScimError, status=405): ...


class ScimUserNotFound(ScimError, status=404): ...


class ScimGroupNotFound(ScimError, status=404): ...


class ScimSearchNotSupported(ScimError, status=501): ...


class ScimBodyInvalid(ScimError, status=400):
    scim_type = "invalidSyntax"


class ScimPagingInvalid(ScimError, status=400):
    scim_type = "invalidValue"


class ScimFilterNotSupported(ScimError, status=400):
    scim_type = "invalidFilter"


class ScimPatchTooLarge(ScimError, status=413): ...


class ScimVersionInvalid(ScimError, status=400):
    """`If-Match` or `If-None-Match` names no version."""

    scim_type = "invalidVers"


class ScimVersionChanged(ScimError, status=412): ...


class ScimUserExists(ScimError, status=409):
    scim_type = "uniqueness"


class ScimDeletionPending(ScimError, status=409):
    scim_type = "uniqueness"


class ScimAddressInvalid(ScimError, status=400):
    scim_type = "invalidValue"


class ScimNameInvalid(ScimError, status=400):
    scim_type = "invalidValue"


class ScimTextInvalid(ScimError, status=400):
    scim_type = "invalidValue"


class ScimMemberUnknown(ScimError, status=400):
    """A group names a user whom the directory does not have."""

    scim_type = "invalidValue"


class ScimAddressNotProved(ScimError, status=400):
    scim_type = "mutability"


class ScimLeaderProtected(ScimError, status=403): ...


class TooManyDirectoryUsers(ScimError, status=403): ...


class TooManyDirectoryGroups(ScimError, status=403): ...


class ScimFilterForbidden(ScimError, status=403):
    """The lists of schemas and resource types cannot be filtered (RFC 7644, 4)."""
