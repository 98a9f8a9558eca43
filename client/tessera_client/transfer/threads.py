"""Threads that do not keep the program alive: a stalled warehouse must not delay its end."""

from collections.abc import Callable
from concurrent.futures import Future
from threading import Thread
from typing import ParamSpec, TypeVar

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


def start(
    function: Callable[Parameters, Result], *args: Parameters.args, **kwargs: Parameters.kwargs
) -> "Future[Result]":
    future: Future[Result] = Future()

    def run() -> None:
        try:
            future.set_result(function(*args, **kwargs))
        except BaseException as error:  # noqa: BLE001 - whoever waits for the result gets it
            future.set_exception(error)

    Thread(target=run, daemon=True).start()
    return future
