import { api } from '@/api/client'

export async function removeWarehouse(id: number): Promise<void> {
  await api.DELETE('/api/warehouse/{warehouse_id}', { params: { path: { warehouse_id: id } } })
}
