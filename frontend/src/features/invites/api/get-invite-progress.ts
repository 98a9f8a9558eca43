import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '@/api/client'
import { inviteKeys } from './invite-keys'

const LOOK_AGAIN_MS = 800

/** How many of the mails are on their way; asked again until all are. */
export const inviteProgress = queryOptions({
  queryKey: inviteKeys.progress,
  queryFn: ({ signal }) => dataOf(api.GET('/api/invites/progress', { signal })),
  staleTime: 0,
  gcTime: 0,
  refetchInterval: ({ state: { data } }) => (data && data.sent + data.failed >= data.total ? false : LOOK_AGAIN_MS),
})
