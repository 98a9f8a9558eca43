"""Prints what the service stores by name: queues, schedules, workflows and their steps."""

import tessera.main  # noqa: F401 - declares all of them
from tessera.kit.dbos_internals import registered_names
from tessera.kit.workflows import QUEUES, SCHEDULES

# How the engine registers a step.
STEP = "<temp>."


def stored_names() -> list[str]:
    declared = [
        name for name in registered_names() if name.removeprefix(STEP).startswith("tessera.")
    ]
    return sorted(
        [
            *(f"queue {name}" for name in QUEUES),
            *(f"schedule {name}" for name, *_ in SCHEDULES),
            *(f"step {name.removeprefix(STEP)}" for name in declared if name.startswith(STEP)),
            *(f"workflow {name}" for name in declared if not name.startswith(STEP)),
        ]
    )


if __name__ == "__main__":
    print("\n".join(stored_names()))
