import { api } from '@/api/client'

export async function removeMember(uuid: string): Promise<void> {
  await api.DELETE('/api/user/{uuid}', { params: { path: { uuid } } })
}
