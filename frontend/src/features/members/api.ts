import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { api, dataOf } from '@/api/client'
import type { components } from '@/api/types.generated'
import { toExportQuery, type ListQuery } from '@/components/table/list-query'

/** `null`: the own company. */
export type CompanyRef = number | null

export const memberKeys = {
  all: ['members'] as const,
  list: (company: CompanyRef, query: ListQuery) => ['members', 'list', company, query] as const,
  total: (company: CompanyRef) => ['members', 'total', company] as const,
  leader: (company: CompanyRef) => ['members', 'leader', company] as const,
}

/** The id of a leader who could not be loaded. */
export const UNKNOWN_LEADER = -1

function teamLeader(company: CompanyRef) {
  return queryOptions({
    queryKey: memberKeys.leader(company),
    queryFn: ({ signal }) =>
      company === null
        ? dataOf(api.GET('/api/user/team-leader', { signal }))
        : dataOf(api.GET('/api/user/team-leader/{company_id}', { params: { path: { company_id: company } }, signal })),
  })
}

/** The team leader's id, or -1 while unknown. */
export function useTeamLeaderId(company: CompanyRef): string | typeof UNKNOWN_LEADER {
  const { data, isError } = useQuery(teamLeader(company))
  return isError ? UNKNOWN_LEADER : (data?.uuid ?? UNKNOWN_LEADER)
}

export type Member = components['schemas']['MemberRead']

export function listMembers(company: CompanyRef, query: ListQuery, signal: AbortSignal) {
  if (company === null) return dataOf(api.GET('/api/users', { params: { query }, signal }))
  return dataOf(api.GET('/api/users/{company_id}', { params: { path: { company_id: company }, query }, signal }))
}

export function membersList(company: CompanyRef, query: ListQuery) {
  return queryOptions({
    queryKey: memberKeys.list(company, query),
    queryFn: ({ signal }) => listMembers(company, query, signal),
    // Never shows another company's rows as placeholders.
    placeholderData: (rows, last) => (last?.queryKey[2] === company ? keepPreviousData(rows) : undefined),
  })
}

/** How many members the company has. */
export function memberTotal(company: CompanyRef) {
  return queryOptions({
    queryKey: memberKeys.total(company),
    queryFn: async ({ signal }) => (await listMembers(company, { skip: 0, limit: 1 }, signal)).item2,
  })
}

/** All members that match, as a spreadsheet. */
export function exportMembers(company: CompanyRef, list: ListQuery): Promise<Blob> {
  const query = toExportQuery(list)
  if (company === null) return dataOf(api.GET('/api/users/export', { params: { query }, parseAs: 'blob' }))
  const path = { company_id: company }
  return dataOf(api.GET('/api/users/{company_id}/export', { params: { path, query }, parseAs: 'blob' }))
}

/** By the leader for the own company, by the platform for the one it names. Needs verified access. */
export async function reassignLeadership(
  company: CompanyRef,
  uuid: string,
  keyHandover: string | null = null,
): Promise<void> {
  if (company === null)
    await api.PUT('/api/user/team-leader/{uuid}', { params: { path: { uuid } }, body: { keyHandover } })
  else await api.PUT('/api/user/team-leader', { params: { query: { companyId: company, userId: uuid } } })
}

/** Withdraws a change that the member has not confirmed yet. */
export function withdrawChange(uuid: string, kind: 'email' | 'phone') {
  return dataOf(api.DELETE('/api/user/{uuid}/pending/{kind}', { params: { path: { uuid, kind } } }))
}

export async function removeMember(uuid: string): Promise<void> {
  await api.DELETE('/api/user/{uuid}', { params: { path: { uuid } } })
}

/** Needs verified access. */
export async function setMemberStatus(uuid: string, enabled: boolean): Promise<void> {
  await api.PUT('/api/user/status/{uuid}', { params: { path: { uuid } }, body: { enabled } })
}

/** Changes all of them, or none. Needs verified access. */
export async function setStatusOfMembers(uuids: string[], enabled: boolean): Promise<void> {
  await api.PUT('/api/users/status', { body: { uuids, enabled } })
}

/** Removes all of them, or none. Needs verified access. */
export async function removeMembers(uuids: string[]): Promise<void> {
  await api.POST('/api/users/remove', { body: { uuids } })
}

type MemberUpdate = components['schemas']['MemberUpdate']

/** A name changes at once; a new address or phone number after its owner has confirmed it. */
export function updateMember(member: MemberUpdate) {
  return dataOf(api.PUT('/api/user', { body: member }))
}

/** The leader's first steps after signing up. */
export const firstSteps = queryOptions({
  queryKey: ['members', 'first-steps'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/company/first-steps', { signal })),
  staleTime: 0,
})

export function confirmPassphraseSheet() {
  return dataOf(api.PUT('/api/company/first-steps/passphrase-sheet'))
}

export async function dismissFirstSteps(): Promise<void> {
  await api.PUT('/api/company/first-steps/dismissed')
}
