pytest_plugins = [
    "tests.fixtures.database",
    "tests.fixtures.people",
    "tests.fixtures.process",
    "tests.fixtures.holding",
    "tests.fixtures.service",
]
