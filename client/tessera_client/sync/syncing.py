"""One pass of a synchronisation: what is new on either side goes to the other one.

A pass may be killed at any point. Nothing is noted before it is done, and the next pass finds by
the contents what was done already.
"""

from dataclasses import replace

from tessera_client.errors import ClientError
from tessera_client.sync.comparison import Comparison, SyncOptions, SyncSummary
from tessera_client.sync.fetching import Fetcher
from tessera_client.sync.sending import Sender
from tessera_client.sync.state import Pair, SyncState
from tessera_client.vault.changes import START_OVER
from tessera_client.vault.progress import ShowProgress
from tessera_client.vault.spaces import Space
from tessera_client.vault.vault import Vault

_MAX_RUNS = 3


def sync_folder(
    vault: Vault, space: Space, pair: Pair, options: SyncOptions, show: ShowProgress
) -> SyncSummary:
    """Runs a pass; starts over if the space changes in a way that its plan does not fit."""
    for _ in range(_MAX_RUNS):
        state = replace(SyncState.load(vault.index, pair), pair=pair)
        state.follow(space.state)
        view = Comparison(vault.index, space, state, options)
        try:
            _run(vault, view, show)
        except START_OVER:
            space.sync()
        except ClientError as error:
            # Somebody has removed what was moved here.
            if error.code != "no_such_path":
                raise
        else:
            return view.summary
        finally:
            view.disk.close()
    raise ClientError.from_code("space_busy")


def _run(vault: Vault, view: Comparison, show: ShowProgress) -> None:
    view.check_target()
    view.scan()
    view.follow_moves()
    moves = view.find_moves()
    steps = view.compare(moves)
    view.check_removals(steps)
    if view.options.dry_run:
        view.note_plan(steps, moves)
        view.note_ignore_files()
        return
    Sender(vault, view, show).send(steps, moves)
    steps = view.compare({})
    fetcher = Fetcher(view, show)
    fetcher.settle(steps)
    view.check_removals(steps)
    fetcher.discard(steps)
    fetcher.fetch(steps)
    view.note_ignore_files()
    view.save()
    view.disk.empty_trash()
