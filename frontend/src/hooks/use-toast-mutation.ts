import { useQueryClient, type QueryKey } from '@tanstack/react-query'
import { errorMessage } from '@/api/errors'
import { toast } from '@/components/toast'
import { CancelledError } from '@/lib/deferred'
import { useSecretMutation } from './use-secret-mutation'

type Options = {
  /** Left out where the call shows its own toast. */
  success?: string | undefined
  /** Shown when the server gives no message. Left out where the failure is shown elsewhere. */
  failure?: string | undefined
  /** Queries to invalidate after success. */
  refresh?: readonly QueryKey[] | undefined
  onDone?: (() => void) | undefined
}

/** A call started by a button whose outcome a toast reports. */
export function useToastMutation<Args extends unknown[]>(
  call: (...args: Args) => Promise<unknown>,
  { success, failure, refresh = [], onDone }: Options,
) {
  const client = useQueryClient()
  return useSecretMutation(async (...args: Args) => {
    try {
      await call(...args)
    } catch (error) {
      if (failure && !(error instanceof CancelledError)) toast.error(errorMessage(error, failure))
      throw error
    }
    if (success) toast.success(success)
    for (const queryKey of refresh) void client.invalidateQueries({ queryKey })
    onDone?.()
  })
}
