import { sessionStore, type Session, type User } from '@/api/session'
import { useStore } from '@/lib/create-store'

export function useSession(): Session {
  return useStore(sessionStore)
}

/** The signed-in user, or null while nobody is. */
export function useUser(): User | null {
  const session = useSession()
  return session.status === 'signedIn' ? session.user : null
}
