"""What the workflow engine (DBOS 3.3) offers under private names only. No other module uses them;
tests/kit/test_private_names.py fails when an upgrade removes one."""

import asyncio
import threading
import time
from typing import Any, TypeAlias

from dbos import DBOS, _sys_db, _workflow_commands
from dbos._core import ActiveWorkflowById
from dbos._dbos import _get_dbos_instance, _get_or_create_dbos_registry
from dbos._queue import Queue, queue_worker_thread
from dbos._utils import INTERNAL_QUEUE_NAME

from tessera.kit import clock

ActiveWorkflows: TypeAlias = ActiveWorkflowById
# Where the engine puts what schedules start and what it recovers.
ENGINE_QUEUE = INTERNAL_QUEUE_NAME


def poll_less_often(*, deadlines: float, own_queue: float) -> None:
    """Slows down what the engine does every second and has no setting for, to these seconds."""
    _workflow_commands._SWEEP_POLLING_INTERVAL_SEC = deadlines
    _get_dbos_instance()._registry.get_internal_queue()._polling_interval_sec = own_queue


class _DatabaseTime:
    """The module `time`, by the database's clock: delayed work would otherwise begin too early, or
    too late, where a machine's own clock is wrong."""

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        return getattr(time, name)

    @staticmethod
    def time() -> float:
        return clock.now().timestamp()


def registered_names() -> list[str]:
    """Of all workflows that were declared, and of their steps."""
    return list(_get_or_create_dbos_registry().workflow_info_map)


def follow_database_clock() -> None:
    setattr(_sys_db, "time", _DatabaseTime())  # noqa: B010 - the module does not export it


def add_worker(queue: Queue, stop: threading.Event) -> None:
    """Starts a thread that the engine stops and joins with its own."""
    dbos = _get_dbos_instance()
    dbos._registry.register_poller(stop, queue_worker_thread, stop, dbos, queue)


def active_workflows() -> ActiveWorkflows:
    """Those that run in this process."""
    return _get_dbos_instance()._active_workflows_set


def stop_taking() -> None:
    """Ends the threads that take work from queues and schedules."""
    for event in _get_dbos_instance().background_thread_stop_events:
        event.set()


def tasks() -> "set[asyncio.Task[Any]]":
    """Of the workflows that run in this process's event loop, which is all of ours. One that is
    cancelled stays pending."""
    return set(_get_dbos_instance()._workflow_tasks)


def recover(executor: str) -> None:
    DBOS._recover_pending_workflows([executor])


def requeue(workflow_id: str, executor: str) -> bool:
    system = _get_dbos_instance()._sys_db
    return bool(system.reenqueue_for_recovery(workflow_id, [executor], INTERNAL_QUEUE_NAME))
