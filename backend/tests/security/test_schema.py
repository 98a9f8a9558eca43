"""Requests generated from the whole OpenAPI schema: no 5xx, no undocumented status or response."""

from datetime import timedelta
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import Failure, FailureGroup
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.factories.accounts import Factory
from tests.fixtures.process import Service

pytestmark = [pytest.mark.extended, pytest.mark.timeout(600)]

CHECKS = (
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
)
EXAMPLES = 8


def send_generated(service: Service, operation: Any, headers: dict[str, str]) -> None:
    @settings(
        max_examples=EXAMPLES,
        deadline=timedelta(seconds=60),
        derandomize=True,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy())
    def call(case: Any) -> None:
        case.call_and_validate(base_url=service.address, headers=headers, checks=CHECKS)

    call()


@pytest.mark.parametrize("role", ["guest", "teamMember", "teamLeader", "admin"])
async def test_no_call_answers_what_it_does_not_promise(
    service: Service, make: Factory, role: str
) -> None:
    schema = schemathesis.openapi.from_url(f"{service.address}/api/openapi.json")
    user = None if role == "guest" else await make.user(await make.company(warehouses=True), role)
    failures = []
    found = list(schema.get_all_operations())
    assert len(found) > 50
    for each in found:
        assert isinstance(each, Ok)
        operation = each.ok()
        # A separate session, because some calls end it.
        headers = await make.session(user, verified=True) if user else {}
        try:
            send_generated(service, operation, headers)
        except (Failure, FailureGroup) as error:
            failures.append(f"{operation.label}: {error}")
    assert failures == [], "\n\n".join(failures)
