pytest_plugins = [
    "tests.fixtures.database",
    "tests.fixtures.process",
    "tests.fixtures.service",
]
