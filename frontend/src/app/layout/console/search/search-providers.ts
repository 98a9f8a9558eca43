import type { NavigateFunction } from 'react-router'
import type { User } from '@/api/session'

export type FoundKind = 'member' | 'company' | 'warehouse'

export type Found = {
  id: string
  kind: FoundKind
  label: string
  detail?: string
  open: (navigate: NavigateFunction) => void
}

/** Finds things by name on the server. Asked with at least two characters, after typing has paused. */
export type SearchProvider = {
  id: string
  isFor: (user: User) => boolean
  search: (query: string, signal: AbortSignal) => Promise<Found[]>
}

export const searchProviders: SearchProvider[] = []
