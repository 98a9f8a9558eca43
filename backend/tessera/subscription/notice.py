"""The notice periods of the User Agreement, for Cancel and Auto Renew alike."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from tessera.integrations.cards.protocol import Account
from tessera.settings import Settings
from tessera.subscription.queries import DunningState, Overview


@dataclass(frozen=True)
class Term:
    """The current term, which may be the trial, and the one that follows it."""

    start: datetime
    end: datetime
    is_trial: bool
    next_end: datetime
    next_amount: int


@dataclass(frozen=True)
class Notice:
    """What a cancellation leads to: the last day, and what is charged until then."""

    deadline: datetime
    ends_at: datetime
    amount: int


def current_term(account: Account) -> Term | None:
    """None if no other term follows."""
    data, upcoming = account.subscription, account.upcoming
    if data is None or upcoming is None:
        return None
    return Term(
        start=data.current_period_start,
        end=data.current_period_end,
        is_trial=data.status == "trialing",
        next_end=upcoming.period_end,
        next_amount=upcoming.amount,
    )


def stored_term(row: Overview | DunningState) -> Term | None:
    """The same, as it was stored."""
    start, end, next_end = row.current_period_start, row.current_period_end, row.next_period_end
    if start is None or end is None or next_end is None or row.next_amount is None:
        return None
    return Term(
        start=start,
        end=end,
        is_trial=row.status == "trialing",
        next_end=next_end,
        next_amount=row.next_amount,
    )


def notice(settings: Settings, term: Term, now: datetime) -> Notice:
    """Until the deadline, the subscription ends with the current term; later, with the next."""
    deadline = term.end - timedelta(days=settings.notice_days)
    if term.is_trial:
        deadline = max(deadline, term.start + timedelta(days=settings.trial_cancel_days))
    # A term or trial shorter than the notice period can be cancelled when it begins.
    deadline = min(max(deadline, term.start), term.end)
    if now <= deadline:
        return Notice(deadline, term.end, 0)
    return Notice(deadline, term.next_end, term.next_amount)


def last_day(settings: Settings, row: Overview) -> datetime:
    """When the subscription ends: as decided, or else as a cancellation would have it now."""
    term = stored_term(row)
    return (
        row.ended_at
        or row.cancel_at
        or (notice(settings, term, row.now).ends_at if term else row.current_period_end)
        or row.now
    )


def deletion_date(settings: Settings, row: Overview) -> datetime:
    """When a company that leaves now is deleted."""
    return max(last_day(settings, row), row.now) + timedelta(days=settings.deletion_days)
