import { api } from '@/api/client'
import type { NewWarehouse, Saved, Warehouse } from './warehouse'

export async function addWarehouse(body: NewWarehouse): Promise<Saved> {
  const { data, response } = await api.POST('/api/warehouse', { body })
  return { warehouse: data as Warehouse, processing: response.status === 202 }
}
