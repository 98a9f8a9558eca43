import { useRef, useState } from 'react'
import { ApiError } from '@/api/errors'
import { CancelledError } from '@/lib/deferred'

type State = { isPending: boolean; error: unknown; failedAt: number }

const idle: State = { isPending: false, error: null, failedAt: 0 }

/**
 * A call that the user starts and waits for, and that cannot run twice at once. A dialog that the user closed on the
 * way ends it, which is no failure. TanStack Query's mutations keep
 * their arguments in a cache for minutes; here those may be passwords and keys, so nothing is kept.
 */
export function useSecretMutation<Args extends unknown[]>(call: (...args: Args) => Promise<void>) {
  const [state, setState] = useState(idle)
  const running = useRef(false)

  /** Rejects with the failure, which is in `error` too. */
  async function mutateAsync(...args: Args): Promise<void> {
    if (running.current) throw new Error('The call is still running.')
    running.current = true
    setState({ ...idle, isPending: true })
    try {
      await call(...args)
      setState(idle)
    } catch (error) {
      if (error instanceof CancelledError) {
        setState(idle)
        return
      }
      setState({ isPending: false, error, failedAt: Date.now() })
      throw error
    } finally {
      running.current = false
    }
  }

  /** Resolves to whether the call succeeded; a failure is in `error`. */
  function mutate(...args: Args): Promise<boolean> {
    return mutateAsync(...args).then(
      () => true,
      () => false,
    )
  }

  const reset = () => setState(idle)
  const { error, failedAt } = state
  return { ...state, lockedUntil: lockedUntil(error, failedAt), mutate, mutateAsync, reset }
}

/** When a call that was refused for too many attempts may be made again. */
export function lockedUntil(error: unknown, failedAt: number): number | null {
  const wait = error instanceof ApiError && error.status === 429 ? error.retryAfter : undefined
  return wait ? failedAt + wait * 1000 : null
}

export type SecretMutation<Args extends unknown[]> = ReturnType<typeof useSecretMutation<Args>>
