import { api } from '@/api/client'
import type { CompanyRef } from './member-keys'

/** By the leader for the own company, by the platform for the one it names. Needs verified access. */
export async function reassignLeadership(company: CompanyRef, uuid: string): Promise<void> {
  if (company === null) await api.PUT('/api/user/team-leader/{uuid}', { params: { path: { uuid } } })
  else await api.PUT('/api/user/team-leader', { params: { query: { companyId: company, userId: uuid } } })
}
