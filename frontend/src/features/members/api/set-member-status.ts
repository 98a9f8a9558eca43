import { api } from '@/api/client'

export async function setMemberStatus(uuid: string, enabled: boolean): Promise<void> {
  await api.PUT('/api/user/status/{uuid}', { params: { path: { uuid } }, body: { enabled } })
}
