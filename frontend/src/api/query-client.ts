import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './errors'
import { onSignOut } from './session'

function shouldRetry(failures: number, error: unknown): boolean {
  const refused = error instanceof ApiError && error.status >= 400 && error.status < 500
  // Once, after a second: the Retry button should not be long in coming.
  return !refused && failures < 1
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: shouldRetry, staleTime: 10_000, refetchOnWindowFocus: true },
    mutations: { retry: false },
  },
})

// The next user of this browser must not see the previous user's data.
onSignOut(() => {
  queryClient.clear()
})
