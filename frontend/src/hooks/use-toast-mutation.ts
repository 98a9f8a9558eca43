import { useQueryClient, type QueryKey } from '@tanstack/react-query'
import { errorMessage } from '@/api/errors'
import { VerificationCancelledError } from '@/api/verification'
import { toast } from '@/components/toast'
import { useSecretMutation } from './use-secret-mutation'

type Options = {
  /** Left out where the call shows its own toast. */
  success?: string
  /** Shown when the server gives no message. Left out where the failure is shown elsewhere. */
  failure?: string
  /** Queries to invalidate after success. */
  refresh?: readonly QueryKey[]
  onDone?: () => void
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
      if (error instanceof VerificationCancelledError) return
      if (failure) toast.error(errorMessage(error, failure))
      throw error
    }
    if (success) toast.success(success)
    for (const queryKey of refresh) void client.invalidateQueries({ queryKey })
    onDone?.()
  })
}
