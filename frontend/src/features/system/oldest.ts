import type { SystemState } from './api'

type Queue = SystemState['queues'][number]

/** The workflow that has waited or run for the longest time in any queue. */
export function oldestOf(queues: Queue[]): NonNullable<Queue['oldest']> | null {
  const oldest = queues.flatMap((queue) => queue.oldest ?? [])
  return oldest.reduce<(typeof oldest)[number] | null>(
    (first, each) => (first && first.since <= each.since ? first : each),
    null,
  )
}
