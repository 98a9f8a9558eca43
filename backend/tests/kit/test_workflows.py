import pytest
import sqlalchemy
from dbos._utils import retriable_postgres_exception

import tessera.kit.workflows  # noqa: F401 - it listens to the engine's connections


@pytest.mark.parametrize("host", ["/nowhere", "no-such-host.invalid"])
def test_the_engine_waits_for_a_database_that_cannot_be_reached(host: str) -> None:
    engine = sqlalchemy.create_engine(f"postgresql+psycopg://tessera@/tessera?host={host}")
    with pytest.raises(sqlalchemy.exc.OperationalError) as caught:
        engine.connect()
    assert retriable_postgres_exception(caught.value)
