import { onSignOut } from '@/api/session'
import { createStore, useStore } from '@/lib/create-store'

/** The company whose members a platform admin is looking at. */
export type ActiveCompany = { id: number; name: string }

/** The address of the page of a company, which makes it the active one. */
export const COMPANY_PATH = '/admin/companies/:id'

export function companyPath(companyId: number): string {
  return `/admin/companies/${companyId}`
}

/** The page that makes a company the active one and shows its members. */
export function membersPath(companyId: number): string {
  return `/admin/members?company=${companyId}`
}

const ACTIVE_COMPANY_KEY = 'tessera.activeCompany'

function readStored(): ActiveCompany | null {
  try {
    const raw = JSON.parse(sessionStorage.getItem(ACTIVE_COMPANY_KEY) ?? 'null') as Partial<ActiveCompany> | null
    if (typeof raw?.id !== 'number' || typeof raw.name !== 'string') return null
    return { id: raw.id, name: raw.name }
  } catch {
    return null
  }
}

const store = createStore(readStored())

export const activeCompanyStore = {
  get: store.get,
  subscribe: store.subscribe,
  select(company: ActiveCompany | null): void {
    try {
      if (company) sessionStorage.setItem(ACTIVE_COMPANY_KEY, JSON.stringify(company))
      else sessionStorage.removeItem(ACTIVE_COMPANY_KEY)
    } catch {
      // Kept in memory only.
    }
    store.set(company)
  },
}

onSignOut(() => {
  activeCompanyStore.select(null)
})

export function useActiveCompany(): ActiveCompany | null {
  return useStore(activeCompanyStore)
}
