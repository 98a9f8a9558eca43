import { api } from '@/api/client'

/** Needs verified access, and the company's name as it was typed. */
export async function deleteCompany(id: number, name: string): Promise<void> {
  await api.DELETE('/api/company/{company_id}', { params: { path: { company_id: id } }, body: { name } })
}
