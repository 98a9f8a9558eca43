import { api } from '@/api/client'

/** The server's sentence about it, and whether a slow provider is still being asked. */
export async function publishHealthFile(id: number): Promise<{ told: string; processing: boolean }> {
  const { data, response } = await api.POST('/api/warehouse/health-check/{warehouse_id}', {
    params: { path: { warehouse_id: id } },
    parseAs: 'text',
  })
  return { told: (data ?? '').trim(), processing: response.status === 202 }
}
