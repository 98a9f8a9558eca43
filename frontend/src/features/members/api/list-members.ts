import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '@/api/client'
import type { components } from '@/api/types.generated'
import type { ListQuery } from '@/components/table/list-query'
import { memberKeys, type CompanyRef } from './member-keys'

export type Member = components['schemas']['MemberRead']

export function listMembers(company: CompanyRef, query: ListQuery, signal: AbortSignal) {
  if (company === null) return dataOf(api.GET('/api/users', { params: { query }, signal }))
  return dataOf(api.GET('/api/users/{company_id}', { params: { path: { company_id: company }, query }, signal }))
}

export function membersList(company: CompanyRef, query: ListQuery) {
  return queryOptions({
    queryKey: memberKeys.list(company, query),
    queryFn: ({ signal }) => listMembers(company, query, signal),
    // Rows of another company must not stand in for this one's, not even for a moment.
    placeholderData: (rows, last) => (last?.queryKey[2] === company ? keepPreviousData(rows) : undefined),
  })
}
