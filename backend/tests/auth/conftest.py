import httpx
import pytest

from tessera.kit import clock
from tests.auth.passkey_device import PasskeyDevice, add
from tests.auth.phone_app import App, Clock, set_up
from tests.factories.accounts import Factory, User


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(clock, "now", made.now)
    return made


@pytest.fixture
async def user(make: Factory) -> User:
    return await make.user()


@pytest.fixture
async def headers(make: Factory, user: User) -> dict[str, str]:
    return await make.session(user, verified=True)


@pytest.fixture
async def phone(client: httpx.AsyncClient, headers: dict[str, str], time: Clock) -> App:
    """The app of a user who has turned the authenticator on."""
    return await set_up(client, headers, time)


@pytest.fixture
async def device(client: httpx.AsyncClient, headers: dict[str, str]) -> PasskeyDevice:
    """Holds a passkey of the user."""
    return await add(client, headers)
