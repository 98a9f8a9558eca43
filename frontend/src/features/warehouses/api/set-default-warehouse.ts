import { api } from '@/api/client'

export async function setDefaultWarehouse(id: number): Promise<void> {
  await api.PUT('/api/warehouse/default-warehouse/{warehouse_id}', { params: { path: { warehouse_id: id } } })
}
