import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '@/api/client'
import type { components } from '@/api/types.generated'
import type { ListQuery } from '@/components/table/list-query'
import { companyKeys } from './company-keys'

export type ListedCompany = components['schemas']['CompanyListed']

export function listCompanies(query: ListQuery, signal?: AbortSignal) {
  return dataOf(api.GET('/api/companies', { params: { query }, ...(signal ? { signal } : {}) }))
}

export function companiesList(query: ListQuery) {
  return queryOptions({
    queryKey: companyKeys.list(query),
    queryFn: ({ signal }) => listCompanies(query, signal),
    placeholderData: keepPreviousData,
  })
}
