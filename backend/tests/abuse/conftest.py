"""The suite borrows what the features' own tests drive the product with."""

from tests.signup.conftest import signup
from tests.subscription.conftest import billing
from tests.warehouses.conftest import leader, team

__all__ = ["billing", "leader", "signup", "team"]
