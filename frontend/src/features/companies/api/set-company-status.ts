import { api } from '@/api/client'

/** Says what it should become: sent twice, it changes nothing more. */
export async function setCompanyStatus(id: number, enabled: boolean): Promise<void> {
  await api.PUT('/api/company/status/{company_id}', { params: { path: { company_id: id } }, body: { enabled } })
}
