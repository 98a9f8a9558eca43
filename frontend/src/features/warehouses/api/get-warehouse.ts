import { api, dataOf } from '@/api/client'
import type { WarehouseDetails } from './warehouse'

/** With its credentials. Needs verified access, and is written into the activity. */
export function getWarehouse(id: number): Promise<WarehouseDetails> {
  return dataOf(api.GET('/api/warehouse', { params: { query: { warehouseId: id } } }))
}
