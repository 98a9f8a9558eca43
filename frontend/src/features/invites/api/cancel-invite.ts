import { api } from '@/api/client'

export async function cancelInvite(key: string): Promise<void> {
  await api.DELETE('/api/invite/{key}', { params: { path: { key } } })
}
