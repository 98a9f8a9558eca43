"""Every mail of the service, with what its texts name. The texts stand in the catalogues under
`mails`, by the name of the class with a small first letter; `tests/notifications/test_mails.py`
compares both. A mail with an `action` in its texts has a `link`."""

from datetime import datetime
from typing import Annotated, ClassVar, Literal, TypeAlias

from msgspec import Struct

from tessera.errors import Text

# Mail programs must not turn what one user chose and another reads into a link, so text is changed
# where they would see one. Verbatim is what may be copied from the mail, or what an admin wrote.
Verbatim: TypeAlias = Annotated[str, "verbatim"]

# Why the recipient gets the mail: a key under `mails` in the catalogues.
Footer = Literal[
    "footer", "footerManager", "footerInvited", "footerAccess", "footerAlerts", "footerBilling"
]


class Money(Struct, frozen=True):
    cents: int
    currency: str


class Count(Struct, frozen=True):
    number: int
    unit: Literal["days", "minutes"]


class Mail(Struct, frozen=True):
    footer: ClassVar[Footer] = "footer"


class ManagerMail(Mail, frozen=True):
    footer: ClassVar[Footer] = "footerManager"


class AlertMail(ManagerMail, frozen=True):
    """Members who get alerts but may not open the page get it without the link."""

    link: str | None


class BillingMail(ManagerMail, frozen=True):
    """Goes to the billing address too, whose footer names the company."""

    company: str
    link: str


class InviteMail(Mail, frozen=True):
    footer: ClassVar[Footer] = "footerInvited"

    company: str
    inviter: str


# Invitations and access


class Invite(InviteMail, frozen=True):
    days: Count
    link: str


class InviteKnown(InviteMail, frozen=True): ...


class InviteRequested(ManagerMail, frozen=True):
    address: Verbatim
    link: str


class AccessMail(Mail, frozen=True):
    footer: ClassVar[Footer] = "footerAccess"


class AccessReceived(AccessMail, frozen=True): ...


class AccessApproved(AccessMail, frozen=True):
    company: str
    days: Count
    link: str


class AccessDeclined(AccessMail, frozen=True): ...


class AccessRequested(Mail, frozen=True):
    """Tells platform admins how many requests are new since the last mail."""

    number: int
    link: str


class Welcome(Mail, frozen=True):
    company: str
    link: str


# The own account


class ResetLink(Mail, frozen=True):
    minutes: Count
    link: str


class PasswordReset(Mail, frozen=True): ...


class PasswordChanged(Mail, frozen=True): ...


class ConfirmAddress(Mail, frozen=True):
    link: str


class AddressChangeRequested(Mail, frozen=True):
    address: Verbatim


class AddressChangeProposed(Mail, frozen=True):
    address: Verbatim


class AddressSetByDirectory(Mail, frozen=True):
    former: Verbatim
    address: Verbatim


class ResetNotPossible(Mail, frozen=True):
    link: str


class PhoneChangeProposed(Mail, frozen=True):
    phone: str
    link: str


class PhoneChanged(Mail, frozen=True):
    phone: str


class AuthenticatorTurnedOn(Mail, frozen=True): ...


class AuthenticatorTurnedOff(Mail, frozen=True):
    phone: str


class AuthenticatorRemoved(Mail, frozen=True): ...


class SmsTurnedOff(Mail, frozen=True):
    phone: str


class SmsTurnedOn(Mail, frozen=True):
    phone: str


class RecoveryCodesRenewed(Mail, frozen=True): ...


class RecoveryCodeUsed(Mail, frozen=True):
    left: int


class PasskeyAdded(Mail, frozen=True):
    passkey: str


class PasskeyRemoved(Mail, frozen=True):
    passkey: str


class CompanyAccountLinked(Mail, frozen=True):
    provider: str


class TwoFactorReset(Mail, frozen=True):
    phone: str


class MemberDisabled(Mail, frozen=True):
    company: str


class MemberRemoved(Mail, frozen=True):
    company: str


# Leadership and the company's key


class LeadershipTransferred(Mail, frozen=True):
    leader: str


class LeadershipChangedByPlatform(Mail, frozen=True):
    leader: str


class LeadershipReceived(Mail, frozen=True):
    leader: str


class LeadershipReceivedWithKey(Mail, frozen=True):
    leader: str


class LeadershipReceivedByHolder(Mail, frozen=True):
    leader: str


class KeyHolderNamed(Mail, frozen=True):
    leader: str
    company: str
    link: str


class KeyHolderRemoved(Mail, frozen=True):
    leader: str
    company: str


class KeyHolderRevealed(ManagerMail, frozen=True):
    member: str
    company: str
    date: datetime


class KeyHolderLost(ManagerMail, frozen=True):
    member: str


class LeaderNeedsKey(Mail, frozen=True):
    leader: str
    link: str


class KeyHandedToLeader(Mail, frozen=True):
    member: str


class PassphraseChanged(ManagerMail, frozen=True):
    company: str
    date: datetime


class PoliciesChanged(ManagerMail, frozen=True):
    company: str
    date: datetime


class PoliciesLifted(ManagerMail, frozen=True):
    company: str


class SsoRequired(ManagerMail, frozen=True):
    company: str
    date: datetime


class SsoOptional(ManagerMail, frozen=True):
    company: str
    date: datetime


class SsoLifted(ManagerMail, frozen=True):
    company: str


class DomainRecordMissing(ManagerMail, frozen=True):
    domain: str
    days: Count
    link: str


class DomainLost(ManagerMail, frozen=True):
    domain: str
    link: str


class DomainPassedOn(ManagerMail, frozen=True):
    domain: str
    link: str


class KeyRotated(ManagerMail, frozen=True):
    company: str
    link: str


# The company


class CompanyDisabled(ManagerMail, frozen=True):
    company: str


class CompanyDisabledForReason(ManagerMail, frozen=True):
    company: str
    reason: Verbatim


class CompanyEnabled(ManagerMail, frozen=True):
    company: str
    link: str


class CompanyLeaving(ManagerMail, frozen=True):
    company: str
    ends: datetime
    deletion: datetime
    link: str


class CompanyDeletionNear(ManagerMail, frozen=True):
    company: str
    deletion: datetime
    link: str


class CompanyDeleted(Mail, frozen=True):
    """The proof of deletion, sent when nothing is left in shared warehouses."""

    company: str
    uuid: str
    asked: datetime | Text
    deleted: datetime
    finished: datetime
    members: int
    spaces: int
    packs: int
    bytes: int
    objects: int


# Billing


class TrialEnding(BillingMail, frozen=True):
    left: Count
    trial: datetime
    price: Money
    deadline: datetime


class PaymentSucceeded(BillingMail, frozen=True):
    paid: Money
    date: datetime
    invoice: str


class PaymentFailed(BillingMail, frozen=True):
    amount: Money
    access: datetime


class AccessEnded(BillingMail, frozen=True):
    amount: Money
    closing: datetime


class DebtWarning(BillingMail, frozen=True):
    amount: Money
    closing: datetime


class DeactivatedForDebt(BillingMail, frozen=True):
    amount: Money


class DebtSettled(BillingMail, frozen=True): ...


class DebtSettledAfterEnd(BillingMail, frozen=True): ...


class SubscriptionCancelled(BillingMail, frozen=True):
    ends: datetime


class SubscriptionCancelledLate(BillingMail, frozen=True):
    """One more term follows, because the notice deadline had passed."""

    ends: datetime
    due: Money
    charge: datetime


class SubscriptionEnded(BillingMail, frozen=True):
    ends: datetime


# Warehouses and storage


class WarehouseLost(AlertMail, frozen=True):
    warehouse: str
    cause: Text | None


class WarehouseBack(AlertMail, frozen=True):
    warehouse: str


class WarehouseRemoved(ManagerMail, frozen=True):
    warehouse: str
    company: str
    actor: str
    link: str


class WebhookDisabled(ManagerMail, frozen=True):
    host: Verbatim
    link: str


class StorageAtRisk(AlertMail, frozen=True): ...


class StorageRepaired(AlertMail, frozen=True): ...


class StorageRestored(ManagerMail, frozen=True):
    link: str


class BackupOverdue(Mail, frozen=True):
    device: str
    days: Count
    link: str


class ShareEnded(Mail, frozen=True):
    leader: str
    created: datetime


class FilesArrived(Mail, frozen=True):
    created: datetime


class RequestEnded(Mail, frozen=True):
    leader: str
    created: datetime


class MemberWaiting(ManagerMail, frozen=True):
    member: str
    link: str
