import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '@/api/client'
import type { components } from '@/api/types.generated'
import type { ListQuery } from '@/components/table/list-query'
import { inviteKeys } from './invite-keys'

export type Invite = components['schemas']['InviteRead']

/** `company` null: the own one. */
function listInvites(company: number | null, query: ListQuery, signal: AbortSignal) {
  if (company === null) return dataOf(api.GET('/api/invites', { params: { query }, signal }))
  return dataOf(api.GET('/api/invites/{company_id}', { params: { path: { company_id: company }, query }, signal }))
}

export function invitesList(company: number | null, query: ListQuery) {
  return queryOptions({
    queryKey: inviteKeys.list(company, query),
    queryFn: ({ signal }) => listInvites(company, query, signal),
    placeholderData: (rows, last) => (last?.queryKey[2] === company ? keepPreviousData(rows) : undefined),
  })
}
