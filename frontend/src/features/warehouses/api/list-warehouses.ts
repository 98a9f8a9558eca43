import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '@/api/client'
import type { ListQuery } from '@/components/table/list-query'
import { warehouseKeys } from './warehouse-keys'

const CHECKING_MS = 2_000
const WATCHING_MS = 60_000

export function listWarehouses(query: ListQuery, signal: AbortSignal) {
  return dataOf(api.GET('/api/all', { params: { query }, signal }))
}

/** Asked again from time to time: the states change by themselves, and soon while one is being checked. */
export function warehousesList(query: ListQuery) {
  return queryOptions({
    queryKey: warehouseKeys.list(query),
    queryFn: ({ signal }) => listWarehouses(query, signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data?.item1.some(({ checking }) => checking) ? CHECKING_MS : WATCHING_MS,
  })
}
