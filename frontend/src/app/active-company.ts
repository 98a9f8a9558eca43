import { useSyncExternalStore } from 'react'
import { onSignOut } from '@/api/session'

/** The company whose members a platform admin is looking at. */
export type ActiveCompany = { id: number; name: string }

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

let current = readStored()
const listeners = new Set<() => void>()

export const activeCompanyStore = {
  get: (): ActiveCompany | null => current,
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  select(company: ActiveCompany | null): void {
    current = company
    try {
      if (company) sessionStorage.setItem(ACTIVE_COMPANY_KEY, JSON.stringify(company))
      else sessionStorage.removeItem(ACTIVE_COMPANY_KEY)
    } catch {
      // Kept in memory only.
    }
    for (const listener of listeners) listener()
  },
}

onSignOut(() => {
  activeCompanyStore.select(null)
})

export function useActiveCompany(): ActiveCompany | null {
  return useSyncExternalStore(activeCompanyStore.subscribe, activeCompanyStore.get)
}
