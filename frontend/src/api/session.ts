import type { Language } from '@/i18n/languages'
import { createStore } from '@/lib/create-store'
import { clearVisit, readStored, writeStored } from './storage'

export type User = {
  uuid: string
  firstName: string
  lastName: string
  email_address: string
  phoneNumber: string
  role: 'admin' | 'teamLeader' | 'teamMember'
  permissions: string[]
  isSubscribed: boolean
  canViewWarehouse: boolean
  companyId: number
  companyUuid: string
  companyName: string
  clientId: string | null
  language: Language
  emailConfirmed: boolean
  /** Whether the first steps after signing up are shown. */
  firstSteps: boolean
  isKeyHolder: boolean
  /** False if the company's policies refuse the second factor of this login. */
  secondFactorAccepted: boolean
}

export type SignOutReason = 'expired' | 'failed' | 'loggedOut' | 'inactivity'

export type Session =
  { status: 'checking' } | { status: 'guest'; reason?: SignOutReason } | { status: 'signedIn'; user: User }

const tokenKey = 'tessera.token'
const settingsKey = 'tessera.settings'
const reasonKey = 'tessera.ended'

const store = createStore<Session>({ status: 'checking' })
const cleanUps = new Set<() => void>()

export function storedToken(): string | null {
  return readStored(tokenKey)
}

/** Registers a clean-up for every sign-out: chat, keys in memory, cached responses. Returns how to unregister. */
export function onSignOut(cleanUp: () => void): () => void {
  cleanUps.add(cleanUp)
  return () => cleanUps.delete(cleanUp)
}

function endSession(reason: SignOutReason): void {
  writeStored(tokenKey, null)
  writeStored(settingsKey, null)
  clearVisit()
  store.set({ status: 'guest', reason })
  for (const cleanUp of cleanUps) cleanUp()
}

/** Set and removed at once: the storage event tells other tabs the reason before the token disappears. */
function tellOtherTabs(reason: SignOutReason): void {
  writeStored(reasonKey, reason)
  writeStored(reasonKey, null)
}

function tellServer(token: string): void {
  // keepalive: the page may be on its way out. The session row also ends by itself.
  fetch('/api/auth/logout', {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
    keepalive: true,
  }).catch(() => undefined)
}

/** True when the token names its end and that has passed. A token we cannot read is for the server to judge. */
export function hasExpired(token: string, now: number = Date.now()): boolean {
  try {
    const payload = token.split('.')[1] ?? ''
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
    if (typeof claims !== 'object' || claims === null || !('exp' in claims)) return false
    return typeof claims.exp === 'number' && claims.exp * 1000 < now
  } catch {
    return false
  }
}

async function startUp(): Promise<void> {
  const token = storedToken()
  if (!token) {
    store.set({ status: 'guest' })
    return
  }
  if (hasExpired(token)) {
    endSession('expired')
    return
  }
  store.set({ status: 'checking' })
  try {
    const response = await fetch('/api/auth/login-token', { headers: { Authorization: `Bearer ${token}` } })
    // Another tab may have signed out or in meanwhile; that takes precedence.
    if (storedToken() !== token) return
    if (!response.ok) {
      endSession(response.status === 401 ? 'expired' : 'failed')
      return
    }
    const answer = (await response.json()) as { access_token?: string; user: User }
    if (answer.access_token) writeStored(tokenKey, answer.access_token)
    store.set({ status: 'signedIn', user: answer.user })
  } catch {
    endSession('failed')
  }
}

function signIn(token: string, user: User): void {
  writeStored(tokenKey, token)
  store.set({ status: 'signedIn', user })
}

function updateUser(user: User): void {
  if (store.get().status === 'signedIn') store.set({ status: 'signedIn', user })
}

function signOut(reason: SignOutReason): void {
  const token = storedToken()
  if (token && reason !== 'expired') tellServer(token)
  if (token) tellOtherTabs(reason)
  endSession(reason)
}

let toldReason: SignOutReason = 'loggedOut'

function isReason(text: string | null): text is SignOutReason {
  return text === 'expired' || text === 'failed' || text === 'loggedOut' || text === 'inactivity'
}

/** Follows other tabs: a sign-out ends this tab's session, a sign-in opens one. */
function followOtherTabs(event: StorageEvent): void {
  if (event.key === reasonKey && isReason(event.newValue)) toldReason = event.newValue
  if (event.key !== tokenKey && event.key !== null) return
  const reason = toldReason
  toldReason = 'loggedOut'
  if (!storedToken()) {
    if (store.get().status !== 'guest') endSession(reason)
  } else if (event.newValue !== event.oldValue && store.get().status !== 'signedIn') {
    void startUp()
  }
}

window.addEventListener('storage', followOtherTabs)

export const sessionStore = {
  get: store.get,
  subscribe: store.subscribe,
  startUp,
  signIn,
  updateUser,
  signOut,
}
