import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { errorMessage } from '@/api/errors'
import { toast } from '@/components/toast'
import { useTask } from '@/features/auth/use-task'
import { VerificationCancelledError } from '@/features/auth/verification'

type Words = {
  /** Left out: whoever is waiting for it says it. */
  success?: string
  failure: string
  /** What has to be asked for again afterwards. */
  refresh?: readonly QueryKey[]
  onDone?: () => void
}

/** Something a button starts: it cannot run twice at once, and a toast says how it went. */
export function useAction<Args extends unknown[]>(
  work: (...args: Args) => Promise<unknown>,
  { success, failure, refresh = [], onDone }: Words,
) {
  const client = useQueryClient()
  return useTask(async (...args: Args) => {
    try {
      await work(...args)
    } catch (error) {
      if (error instanceof VerificationCancelledError) return
      toast.error(errorMessage(error, failure))
      throw error
    }
    if (success) toast.success(success)
    for (const queryKey of refresh) void client.invalidateQueries({ queryKey })
    onDone?.()
  })
}
