import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '@/api/client'
import type { components } from '@/api/types.generated'
import type { ListQuery } from '@/components/table/list-query'

/** What the list shows. Nothing in it is secret. */
export type Warehouse = components['schemas']['WarehouseRead']
/** With the fields of its form, some of them secret. Never kept in the query cache. */
export type WarehouseDetails = Warehouse & Partial<components['schemas']['WarehouseReveal']>
export type WarehouseChange = components['schemas']['WarehouseChange']
export type WarehouseSummary = components['schemas']['WarehouseSummary']
export type NewWarehouse = components['schemas']['WarehouseCreate']
type ChangedWarehouse = components['schemas']['WarehouseUpdate']

/** The outcome of a save. Slow providers are checked in the background. */
type Saved = { warehouse: Warehouse; processing: boolean }

export async function addWarehouse(body: NewWarehouse): Promise<Saved> {
  const { data, response } = await api.POST('/api/warehouse', { body })
  return { warehouse: data as Warehouse, processing: response.status === 202 }
}

/** Saves nothing. Needs verified access. */
export function testConnection(body: components['schemas']['WarehouseTest']) {
  return dataOf(api.POST('/api/warehouse/test', { body }))
}

/** Needs verified access. With its credentials, which is written into the activity, or with the secrets masked. */
export function getWarehouse(id: number, view: 'full' | 'edit' | 'masked'): Promise<WarehouseDetails> {
  return dataOf(api.GET('/api/warehouse', { params: { query: { warehouseId: id, view } } }))
}

export const warehouseKeys = {
  all: ['warehouses'] as const,
  list: (query: ListQuery) => ['warehouses', 'list', query] as const,
}

const CHECKING_MS = 2_000
const WATCHING_MS = 60_000

export function listWarehouses(query: ListQuery, signal: AbortSignal) {
  return dataOf(api.GET('/api/all', { params: { query }, signal }))
}

/** Polled, because statuses change by themselves; more often while a check is running. */
export function warehousesList(query: ListQuery) {
  return queryOptions({
    queryKey: warehouseKeys.list(query),
    queryFn: ({ signal }) => listWarehouses(query, signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data?.item1.some(({ checking }) => checking) ? CHECKING_MS : WATCHING_MS,
  })
}

/** The server's message, and whether the check is still running in the background. */
export async function publishHealthFile(id: number): Promise<{ message: string; processing: boolean }> {
  const { data, response } = await api.POST('/api/warehouse/health-check/{warehouse_id}', {
    params: { path: { warehouse_id: id } },
    parseAs: 'text',
  })
  return { message: (data ?? '').trim(), processing: response.status === 202 }
}

/** Checks it at once. A slow provider is checked in the background. */
export function checkWarehouse(id: number): Promise<Warehouse> {
  return dataOf(api.POST('/api/warehouse/check/{warehouse_id}', { params: { path: { warehouse_id: id } } }))
}

/** The periods of one status each, the newest first. */
export function warehouseHistory(id: number, query: ListQuery) {
  return queryOptions({
    queryKey: ['warehouses', 'history', id, query],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/api/warehouse/history/{warehouse_id}', { params: { path: { warehouse_id: id }, query }, signal }),
      ),
    placeholderData: keepPreviousData,
  })
}

export async function removeWarehouse(id: number, { loseData }: { loseData: boolean }): Promise<void> {
  const query = loseData ? { loseData } : {}
  await api.DELETE('/api/warehouse/{warehouse_id}', { params: { path: { warehouse_id: id }, query } })
}

export type Relocation = components['schemas']['RelocationRead']

/** The pieces of files that lie in a warehouse, and whether they can be moved. Never answered from the cache. */
export function relocationOf(id: number) {
  return queryOptions({
    queryKey: ['warehouses', 'relocation', id],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/api/storage/warehouses/{warehouse_id}/relocation', {
          params: { path: { warehouse_id: id } },
          signal,
        }),
      ),
    staleTime: 0,
    gcTime: 0,
  })
}

export function startRelocation(id: number): Promise<Relocation> {
  return dataOf(
    api.POST('/api/storage/warehouses/{warehouse_id}/relocation', { params: { path: { warehouse_id: id } } }),
  )
}

/** A new data key for the company, under which everything stored is encrypted again. */
export function rotateKey() {
  return dataOf(api.PUT('/api/company/newkey'))
}

export async function setDefaultWarehouse(id: number): Promise<void> {
  await api.PUT('/api/warehouse/default-warehouse/{warehouse_id}', { params: { path: { warehouse_id: id } } })
}

export async function updateWarehouse(body: ChangedWarehouse): Promise<Saved> {
  const { data, response } = await api.PUT('/api/warehouse', { body })
  return { warehouse: data as Warehouse, processing: response.status === 202 }
}
