import { useRef, useState } from 'react'
import { ApiError } from '@/api/errors'

type State = { pending: boolean; error: unknown; failedAt: number }

const idle: State = { pending: false, error: null, failedAt: 0 }

/**
 * Something a person starts and waits for. Not a mutation of the query client: that one keeps what
 * it was called with for minutes, and here that is a password.
 */
export function useTask<Args extends unknown[]>(work: (...args: Args) => Promise<void>) {
  const [state, setState] = useState(idle)
  const running = useRef(false)

  async function run(...args: Args): Promise<boolean> {
    if (running.current) return false
    running.current = true
    setState({ ...idle, pending: true })
    try {
      await work(...args)
      setState(idle)
      return true
    } catch (error) {
      setState({ pending: false, error, failedAt: Date.now() })
      return false
    } finally {
      running.current = false
    }
  }

  const { error, failedAt } = state
  const wait = error instanceof ApiError && error.status === 429 ? error.retryAfter : undefined
  return { ...state, lockedUntil: wait ? failedAt + wait * 1000 : null, run, clear: () => setState(idle) }
}

export type Task<Args extends unknown[]> = ReturnType<typeof useTask<Args>>
