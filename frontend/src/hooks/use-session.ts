import { useSyncExternalStore } from 'react'
import { sessionStore, type Session, type User } from '@/api/session'

export function useSession(): Session {
  return useSyncExternalStore(sessionStore.subscribe, sessionStore.get, sessionStore.get)
}

/** The signed-in user, or null while nobody is. */
export function useUser(): User | null {
  const session = useSession()
  return session.status === 'signedIn' ? session.user : null
}
