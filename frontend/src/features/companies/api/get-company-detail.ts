import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '@/api/client'
import type { components } from '@/api/types.generated'
import { companyKeys } from './company-keys'

export type CompanyDetail = components['schemas']['CompanyDetail']

export function companyDetail(id: number) {
  return queryOptions({
    queryKey: companyKeys.detail(id),
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/company/{company_id}/detail', { params: { path: { company_id: id } }, signal })),
  })
}
