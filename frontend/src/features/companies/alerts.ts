import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '@/api/client'

/** The team leader's open tasks. Polled, because warehouses change by themselves. */
export const companyAlerts = queryOptions({
  queryKey: ['company', 'alerts'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/company/alerts', { signal })),
  refetchInterval: 60_000,
})
