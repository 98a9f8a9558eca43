import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '@/api/client'
import type { components } from '@/api/types.generated'
import type { ListQuery } from '@/components/table/list-query'

export type AccessRequest = components['schemas']['AccessRequestRead']

export const accessRequestKeys = {
  all: ['access-requests'] as const,
  list: (query: ListQuery) => ['access-requests', 'list', query] as const,
}

export function accessRequestsList(query: ListQuery) {
  return queryOptions({
    queryKey: accessRequestKeys.list(query),
    queryFn: ({ signal }) => dataOf(api.GET('/api/access-requests', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  })
}

/** Approving mails a personal link; approving again mails a new one. */
export async function decideAccessRequest(id: number, decision: 'approve' | 'decline'): Promise<void> {
  const params = { path: { request_id: id } }
  if (decision === 'approve') await api.POST('/api/access-requests/{request_id}/approve', { params })
  else await api.POST('/api/access-requests/{request_id}/decline', { params })
}
