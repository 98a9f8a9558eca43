import { api, dataOf } from '@/api/client'
import { onSignOut, sessionStore } from '@/api/session'
import { toUser } from '@/api/user'

const asked = new Map<string, Promise<string>>()

/** Answers the confirmed address. A link serves once, so it is sent once, however often the page is rendered;
 *  another account may send it again. */
export function confirmEmail(token: string): Promise<string> {
  const running = asked.get(token) ?? send(token)
  asked.set(token, running)
  return running
}

async function send(token: string): Promise<string> {
  const user = toUser(await dataOf(api.POST('/api/auth/confirm-email', { body: { token } })))
  sessionStore.updateUser(user)
  return user.email_address
}

/** Before a retry: the server may never have heard of the first try. */
export function forgetConfirmation(token: string): void {
  asked.delete(token)
}

onSignOut(() => asked.clear())
