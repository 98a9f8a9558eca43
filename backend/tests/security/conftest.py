"""Reuses the fixtures of the features' own tests."""

import httpx
import pytest

from tests.factories.accounts import Factory
from tests.factories.people import People
from tests.factories.warehouses import Warehouses
from tests.security.cells import Attack
from tests.signup.conftest import signup
from tests.signup.test_invited import invitation
from tests.subscription.conftest import billing
from tests.warehouses.conftest import leader, team

__all__ = ["billing", "invitation", "leader", "signup", "team"]


@pytest.fixture
def attack(
    client: httpx.AsyncClient, people: People, make: Factory, warehouses: Warehouses
) -> Attack:
    return Attack(client, people, make, warehouses)
