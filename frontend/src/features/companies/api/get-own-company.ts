import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '@/api/client'
import type { components } from '@/api/types.generated'
import { companyKeys } from './company-keys'

export type Company = components['schemas']['CompanyRead']

export const ownCompany = queryOptions({
  queryKey: companyKeys.own,
  queryFn: ({ signal }) => dataOf(api.GET('/api/company', { signal })),
})
