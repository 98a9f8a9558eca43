import { api } from '@/api/client'
import type { ChangedWarehouse, Saved, Warehouse } from './warehouse'

export async function updateWarehouse(body: ChangedWarehouse): Promise<Saved> {
  const { data, response } = await api.PUT('/api/warehouse', { body })
  return { warehouse: data as Warehouse, processing: response.status === 202 }
}
