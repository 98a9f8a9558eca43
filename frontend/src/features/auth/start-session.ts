import { sessionStore, type User } from '@/api/session'
import { agreeOnLanguage } from './language'

/** Signs the user in and settles which language counts. */
export function startSession(token: string, user: User): void {
  sessionStore.signIn(token, user)
  // Not awaited: a language that could not be saved must not undo a login.
  void agreeOnLanguage(user)
}
