from hypothesis import settings

# Speed is measured in bench/; a test must not fail because its machine is busy.
settings.register_profile("tessera", deadline=None)
settings.load_profile("tessera")

pytest_plugins = [
    "tests.fixtures.database",
    "tests.fixtures.people",
    "tests.fixtures.process",
    "tests.fixtures.kill_points",
    "tests.fixtures.service",
    "tests.fixtures.command_line",
    "tests.fixtures.dns_resolver",
    "tests.fixtures.trace_collector",
    "tests.fixtures.webhook_receiver",
    "tests.fixtures.wrong_clock",
]
