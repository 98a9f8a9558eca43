import { api, dataOf } from '@/api/client'
import type { components } from '@/api/types.generated'
import type { SignedChallenge } from '@/lib/webauthn'

export type Proved = components['schemas']['SsoProved']
export type Returned = components['schemas']['SsoReturned']

/** Answers where the provider of the address's domain asks who one is. */
export async function startCompanyLogin(emailAddress: string): Promise<string> {
  return (await dataOf(api.POST('/api/auth/sso/start', { body: { emailAddress } }))).url
}

export function handOverAnswer(returned: Returned): Promise<Proved> {
  return dataOf(api.POST('/api/auth/sso/answer', { body: returned }))
}

export function finishCompanyLogin(auth: string) {
  return dataOf(api.POST('/api/auth/sso/login', { body: { password: auth } }))
}

export function finishWithPasskey(credential: SignedChallenge) {
  return dataOf(api.POST('/api/auth/sso/login-passkey', { body: { credential } }))
}

type NamedClientLogin = components['schemas']['ClientLoginNamed']
export type ShownClientLogin = components['schemas']['ClientLoginShown']

/** Which computer asks. */
export function showClientLogin(named: NamedClientLogin): Promise<ShownClientLogin> {
  return dataOf(api.POST('/api/auth/sso/client-logins/show', { body: named }))
}

/** Answers where the browser goes on, if it is on that computer. */
export async function decideClientLogin(decision: NamedClientLogin & { accepted: boolean }): Promise<string | null> {
  return (await dataOf(api.POST('/api/auth/sso/client-logins/decide', { body: decision }))).redirect
}

/** With the token of a session that has just been opened with password and code. */
export async function linkCompanyAccount(token: string): Promise<void> {
  await api.POST('/api/auth/sso/link', { headers: { Authorization: `Bearer ${token}` } })
}
