"""The company's recovery pair: who named it, and whether it is the one that was seen before."""

import time
from functools import cached_property

from tessera_client.errors import ClientError, NeedsInput, Refused
from tessera_client.transfer.answers import Handover, Recovery, SpaceRow, Unread
from tessera_client.vault.account import Account
from tessera_client.vault.members import Member, list_members
from tessera_core import base64url
from tessera_core.errors import Malformed, NotAuthentic
from tessera_core.handovers import RecoveryHandover, seal_recovery_handover
from tessera_core.key_envelopes import LeaderPin, RecordPin
from tessera_core.recovery_records import RecoveryRecord, check_records, sign_record
from tessera_core.user_keys import PrivateKeys, PublicKeys


class RecoveryPair:
    """Reads the signed records of the company's pairs. Nothing the service says is believed
    without the signature of a leader whose words were compared."""

    def __init__(self, account: Account) -> None:
        self._account = account

    @cached_property
    def _answer(self) -> Recovery:
        return self._account.api.get("/storage/recovery", Recovery)

    @cached_property
    def records(self) -> list[RecoveryRecord]:
        """All records, the oldest first. They extend what was seen before, or are refused."""
        account = self._account
        try:
            records = [RecoveryRecord.decode(record) for record in self._answer.records]
            check_records(records, account.company)
            if account.bundle.record:
                account.bundle.record.check(records)
        except (Malformed, NotAuthentic):
            raise Refused.from_code("record_refused") from None
        if not records and (account.bundle.spaces or self._answer.kit_counter):
            # A space or a kit cannot exist without a pair.
            raise Refused.from_code("record_refused")
        return records

    @property
    def sealed_kit(self) -> bytes | None:
        return self._answer.sealed

    @property
    def kit_counter(self) -> int:
        return self._answer.kit_counter

    @property
    def is_kit_confirmed(self) -> bool:
        """As the service remembers it: a lie would only end the reminders, or prolong them."""
        return self._answer.is_kit_confirmed

    @cached_property
    def newest(self) -> RecoveryRecord | None:
        """The newest record, if the leader that this user trusts has signed it; it is pinned."""
        record = self.records[-1] if self.records else None
        if record is not None:
            self._check_leader(record)
            self._account.pin_record(RecordPin(record.counter, record.hash))
        return record

    def _check_leader(self, record: RecoveryRecord) -> None:
        account = self._account
        keys = account.keys.public if record.leader == account.user else self._pinned_keys()
        try:
            if keys is None:
                raise NotAuthentic("nobody has the keys that were compared")
            record.verify_leader(keys)
        except NotAuthentic:
            if record.leader == account.user:
                raise NeedsInput.from_code("recovery_not_held") from None
            # A new leader, or new keys of the leader: their words have to be compared again.
            raise NeedsInput.from_code("record_not_trusted") from None

    def _pinned_keys(self) -> PublicKeys | None:
        """The keys of the leader whose words were compared, if anybody has them still."""
        pin = self._account.bundle.leader
        if pin is None:
            raise NeedsInput.from_code("leader_not_trusted")
        for member in list_members(self._account):
            if member.keys and LeaderPin(member.user, member.keys.fingerprint) == pin:
                return member.keys
        return None

    # The leader's side

    def held(self) -> PrivateKeys:
        """The newest pair's private half, which the leader's envelope holds; made at first use."""
        record = self.newest
        if record is None:
            return self._make()
        pair = self.find(record.keys)
        if record.leader != self._account.user or pair is None:
            raise NeedsInput.from_code("recovery_not_held")
        return pair

    def find(self, keys: PublicKeys) -> PrivateKeys | None:
        """The private half of a pair, if this leader holds it."""
        pairs = self._account.bundle.pairs
        return next((pair for pair in pairs if pair.public == keys), None)

    def _make(self) -> PrivateKeys:
        """The first pair, where no pin, space or kit says that there was one."""
        if self._account.api.get("/storage/spaces", list[SpaceRow]):
            raise Refused.from_code("record_refused")
        return self._name(PrivateKeys.generate(), None, None)

    def replace(self, pair_before: PrivateKeys) -> PrivateKeys:
        """Names a new pair; whoever held the private half of the one before holds it for ever."""
        record = self.records[-1]
        if record.keys != pair_before.public:
            raise ClientError.from_code("recovery_not_opened")
        self._account.hold_pair(pair_before)
        return self._name(PrivateKeys.generate(), record, pair_before)

    def _name(
        self, pair: PrivateKeys, before: RecoveryRecord | None, pair_before: PrivateKeys | None
    ) -> PrivateKeys:
        account = self._account
        account.hold_pair(pair)
        record = sign_record(
            pair,
            account.keys,
            company=account.company,
            leader=account.user,
            time=int(time.time() * 1000),
            before=before,
            pair_before=pair_before,
        )
        body = {"record": base64url.encode(record.encode())}
        account.api.put("/storage/recovery/record", Unread, body)
        self.forget()
        account.pin_record(RecordPin(record.counter, record.hash))
        return pair

    def forget(self) -> None:
        """Asks the service again at the next use."""
        for name in ("_answer", "records", "newest"):
            self.__dict__.pop(name, None)

    # Change of leadership

    def hand_over(self, member: Member, keys: PublicKeys) -> None:
        """Seals the pair to the next leader, whose words were compared."""
        account, pair = self._account, self.held()
        handover = seal_recovery_handover(
            pair,
            keys,
            account.keys,
            company=account.company,
            sender=account.user,
            recipient=member.user,
            counter=self.records[-1].counter,
        )
        body = {"handover": base64url.encode(handover.encode())}
        account.api.put("/storage/recovery/handover", Unread, body)

    def take_handover(self) -> PrivateKeys | None:
        """The pair that the former leader handed over; None if there is none.

        Only the leader whose words were compared is believed: anybody could seal a pair.
        """
        account = self._account
        encoded = account.api.get("/storage/recovery/handover", Handover).handover
        if encoded is None:
            return None
        keys = self._pinned_keys()
        record = self.records[-1] if self.records else None
        try:
            if keys is None:
                raise NotAuthentic("nobody has the keys that were compared")
            handover = RecoveryHandover.decode(encoded)
            pair = handover.open(keys, account.keys, company=account.company)
        except (Malformed, NotAuthentic):
            raise Refused.from_code("handover_refused") from None
        if record is None or pair.public != record.keys:
            raise Refused.from_code("handover_refused")
        return pair
