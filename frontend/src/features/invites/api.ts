import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '@/api/client'
import type { components } from '@/api/types.generated'
import type { ListQuery } from '@/components/table/list-query'

export async function cancelInvite(key: string): Promise<void> {
  await api.DELETE('/api/invite/{key}', { params: { path: { key } } })
}

export const inviteKeys = {
  all: ['invites'] as const,
  list: (company: number | null, query: ListQuery) => ['invites', 'list', company, query] as const,
  total: (company: number | null) => ['invites', 'total', company] as const,
  progress: ['invites', 'progress'] as const,
}

const LOOK_AGAIN_MS = 800

/** How many of the mails are sent; polled until all are. */
export const inviteProgress = queryOptions({
  queryKey: inviteKeys.progress,
  queryFn: ({ signal }) => dataOf(api.GET('/api/invites/progress', { signal })),
  staleTime: 0,
  gcTime: 0,
  refetchInterval: ({ state: { data } }) => (data && data.sent + data.failed >= data.total ? false : LOOK_AGAIN_MS),
})

export type InviteResult = components['schemas']['InviteResult']

/** The server's limit per call; each call is one transaction. */
const MAX_AT_ONCE = 2000

/** Returns a result for each address. A single address that is already invited gets a new link. */
export async function inviteMembers(addresses: readonly string[]): Promise<InviteResult[]> {
  const results: InviteResult[] = []
  for (let start = 0; start < addresses.length; start += MAX_AT_ONCE) {
    const body = addresses.slice(start, start + MAX_AT_ONCE).map((address) => ({ email_address: address }))
    results.push(...(await dataOf(api.POST('/api/invite/users/', { body }))))
  }
  return results
}

/** Sends all of them again, or none. */
export async function resendInvites(keys: string[]): Promise<void> {
  await api.POST('/api/invites/resend', { body: { keys } })
}

export type Invite = components['schemas']['InviteRead']

/** `company` null: the own one. */
function listInvites(company: number | null, query: ListQuery, signal: AbortSignal) {
  if (company === null) return dataOf(api.GET('/api/invites', { params: { query }, signal }))
  return dataOf(api.GET('/api/invites/{company_id}', { params: { path: { company_id: company }, query }, signal }))
}

/** How many open invites the company has, expired ones included. */
export function inviteTotal(company: number | null) {
  return queryOptions({
    queryKey: inviteKeys.total(company),
    queryFn: async ({ signal }) => (await listInvites(company, { skip: 0, limit: 1 }, signal)).item2,
  })
}

export function invitesList(company: number | null, query: ListQuery) {
  return queryOptions({
    queryKey: inviteKeys.list(company, query),
    queryFn: ({ signal }) => listInvites(company, query, signal),
    placeholderData: (rows, last) => (last?.queryKey[2] === company ? keepPreviousData(rows) : undefined),
  })
}
