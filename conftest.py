import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that may take long come first, so that no worker waits for the other's last one."""
    items.sort(key=_timeout, reverse=True)


def _timeout(item: pytest.Item) -> float:
    marker = item.get_closest_marker("timeout")
    return float(marker.args[0]) if marker else 0
