from tests.subscription.conftest import billing

__all__ = ["billing"]
