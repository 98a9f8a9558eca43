import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '@/api/client'
import { ApiError } from '@/api/errors'
import { sessionStore } from '@/api/session'
import type { components } from '@/api/types.generated'
import { toExportQuery, type ListQuery } from '@/components/table/list-query'

export const companyKeys = {
  all: ['companies'] as const,
  list: (query: ListQuery) => ['companies', 'list', query] as const,
  totals: ['companies', 'totals'] as const,
  detail: (id: number) => ['companies', 'detail', id] as const,
  own: ['company', 'own'] as const,
}

/** Needs verified access. */
export async function deleteCompany(id: number): Promise<void> {
  await api.DELETE('/api/company/{company_id}', { params: { path: { company_id: id } } })
}

export type CompanyDetail = components['schemas']['CompanyDetail']

export function companyDetail(id: number) {
  return queryOptions({
    queryKey: companyKeys.detail(id),
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/company/{company_id}/detail', { params: { path: { company_id: id } }, signal })),
  })
}

export type ListedCompany = components['schemas']['CompanyListed']

export function listCompanies(query: ListQuery, signal?: AbortSignal) {
  return dataOf(api.GET('/api/companies', { params: { query }, ...(signal ? { signal } : {}) }))
}

/** All companies that match, as a spreadsheet. */
export function exportCompanies(list: ListQuery): Promise<Blob> {
  return dataOf(api.GET('/api/companies/export', { params: { query: toExportQuery(list) }, parseAs: 'blob' }))
}

export function companiesList(query: ListQuery) {
  return queryOptions({
    queryKey: companyKeys.list(query),
    queryFn: ({ signal }) => listCompanies(query, signal),
    placeholderData: keepPreviousData,
  })
}

/** Each list includes its total, so two lists of one row give all totals. */
export const companyTotals = queryOptions({
  queryKey: companyKeys.totals,
  queryFn: async ({ signal }) => {
    const [all, disabled] = await Promise.all([
      listCompanies({ skip: 0, limit: 1 }, signal),
      listCompanies({ skip: 0, limit: 1, filter: ['isEnabled:matches:false'] }, signal),
    ])
    const enabled = disabled.totalCapped ? null : all.item2 - disabled.item2
    return { all: all.item2, enabled, disabled: disabled.item2, disabledCapped: disabled.totalCapped }
  },
})

export type Company = components['schemas']['CompanyRead']

export const ownCompany = queryOptions({
  queryKey: companyKeys.own,
  queryFn: ({ signal }) => dataOf(api.GET('/api/company', { signal })),
})

type StoredPassphrase =
  | { held: true; pair: string }
  /** This user has none: there is none yet (epoch 0), or it is sealed for another user's key. */
  | { held: false; epoch: number; handedOver: boolean; keyHolder: string | null }

/** The sealed pair. Needs verified access, and is recorded in the activity. */
export async function getPassphrase(): Promise<StoredPassphrase> {
  try {
    const pair = await dataOf(api.GET('/api/company/passphrase', { parseAs: 'text' }))
    return { held: true, pair }
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'passphrase_locked') throw error
    const { epoch, handedOver, keyHolder } = error.details
    return {
      held: false,
      epoch: typeof epoch === 'number' ? epoch : 0,
      handedOver: handedOver === true,
      keyHolder: typeof keyHolder === 'string' ? keyHolder : null,
    }
  }
}

/** Takes sealed envelopes only. Needs verified access; an epoch that is not the next one is refused. */
export async function putPassphrase(pair: string, formerKey: string | null): Promise<void> {
  await api.PUT('/api/company/passphrase', { body: { passphrase: pair, formerKey } })
}

/** The company key that was sealed for this user, the leader. Needs verified access. */
export function getKeyHandover() {
  return dataOf(api.GET('/api/company/passphrase/handover'))
}

/** Takes the company key sealed by the user's own key. Needs verified access. */
export async function acceptKeyHandover(companyKey: string): Promise<void> {
  await api.PUT('/api/company/passphrase/handover', { body: { companyKey } })
}

export type FormerPassphrase = components['schemas']['FormerPassphraseRead']

/** Read again each time the dialog opens. */
export const formerPassphrases = queryOptions({
  queryKey: ['company', 'formerPassphrases'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/company/passphrase/former', { signal })),
  staleTime: 0,
  gcTime: 0,
})

/** Needs verified access, and is recorded in the activity. */
export function getFormerPassphrase(epoch: number) {
  return dataOf(api.GET('/api/company/passphrase/former/{epoch}', { params: { path: { epoch } } }))
}

/** Sends the wanted state, so that repeating the call changes nothing. The company's members read the reason. */
export async function setCompanyStatus(id: number, enabled: boolean, reason: string): Promise<void> {
  const body = { enabled, reason }
  await api.PUT('/api/company/status/{company_id}', { params: { path: { company_id: id } }, body })
}

export type CompanyUpdate = components['schemas']['CompanyUpdate']

/** The badge in the toolbar follows the new name. */
export async function updateCompany(company: CompanyUpdate): Promise<void> {
  const { name } = await dataOf(api.PUT('/api/company', { body: company }))
  const session = sessionStore.get()
  if (session.status === 'signedIn') sessionStore.updateUser({ ...session.user, companyName: name })
}
