import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '@/api/client'
import type { components } from '@/api/types.generated'

export type OwnSession = components['schemas']['OwnSession']

export const ownSessions = queryOptions({
  queryKey: ['auth', 'sessions'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/auth/sessions', { signal })),
  // Always as it stands now: somebody looks because of a doubt.
  staleTime: 0,
})

export async function endOwnSession(id: number): Promise<void> {
  await api.DELETE('/api/auth/sessions/{session_id}', { params: { path: { session_id: id } } })
}

export async function endOtherSessions(): Promise<void> {
  await api.POST('/api/auth/sessions/end-others')
}

/** This one too. */
export async function endAllSessions(): Promise<void> {
  await api.POST('/api/auth/sessions/end-all')
}
