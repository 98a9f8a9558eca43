import { api, dataOf } from '@/api/client'
import { sessionStore } from '@/api/session'
import type { components } from '@/api/types.generated'

export type CompanyUpdate = components['schemas']['CompanyUpdate']

/** The badge in the toolbar follows the new name. */
export async function updateCompany(company: CompanyUpdate): Promise<void> {
  const { name } = await dataOf(api.PUT('/api/company', { body: company }))
  const session = sessionStore.get()
  if (session.status === 'signedIn') sessionStore.updateUser({ ...session.user, companyName: name })
}
