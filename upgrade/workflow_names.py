"""Prints what the service stores by name: queues, schedules, workflows and their steps."""

from dbos._dbos import _get_or_create_dbos_registry

import tessera.main  # noqa: F401 - declares all of them
from tessera.kit.workflows import QUEUES, SCHEDULES

# How the engine registers a step.
STEP = "<temp>."


def stored_names() -> list[str]:
    registered = _get_or_create_dbos_registry().workflow_info_map
    declared = [name for name in registered if name.removeprefix(STEP).startswith("tessera.")]
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
