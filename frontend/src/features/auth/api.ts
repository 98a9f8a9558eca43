import { api, dataOf } from '@/api/client'
import { ApiError } from '@/api/errors'
import { toSentCode, toTwoFactorStep, type SentCode, type TwoFactorStep } from '@/api/one-time-code'
import type { Passkey } from '@/api/passkeys'
import { sessionStore } from '@/api/session'
import type { components } from '@/api/types.generated'
import { toUser } from '@/api/user'
import type { Ids } from '@/crypto/headers'
import type { ChangedKeys, SealedUserKeys, StoredKeys } from '@/crypto/user-keys'
import type { NewPasskey, SignedChallenge } from '@/lib/webauthn'

/** Sends a link to the address; nothing changes before it is opened. Needs verified access. */
export async function askEmailChange(address: string): Promise<void> {
  await api.POST('/api/auth/profile/email', { body: { email_address: address } })
}

/** Sends a code to the new number. Needs verified access. */
export async function askPhoneChange(phoneNumber: string): Promise<SentCode> {
  return toSentCode(await dataOf(api.POST('/api/auth/profile/phone', { body: { phoneNumber } })))
}

export type PendingChange = components['schemas']['PendingChange']

/** Contacts that the team leader proposed and that wait for the user's decision. */
export const pendingChanges = {
  queryKey: ['auth', 'pending-changes'],
  queryFn: ({ signal }: { signal: AbortSignal }) => dataOf(api.GET('/api/auth/profile/pending', { signal })),
  staleTime: 0,
}

export async function declineChange(kind: PendingChange['kind']): Promise<void> {
  await api.DELETE('/api/auth/profile/pending/{kind}', { params: { path: { kind } } })
}

export function getSealedKeys(): Promise<StoredKeys> {
  return dataOf(api.GET('/api/auth/keys'))
}

export async function changePassword({ oldAuth, auth, ...sealed }: ChangedKeys): Promise<void> {
  await api.PUT('/api/auth/password', { body: { oldPassword: oldAuth, password: auth, ...sealed } })
}

export type ConfirmLinkRead = components['schemas']['ConfirmLinkRead']

export function getConfirmLink(token: string): Promise<ConfirmLinkRead> {
  return dataOf(api.GET('/api/auth/confirm-email', { params: { query: { token } } }))
}

/** Answers the confirmed address. Another one than the account's needs verified access. */
export async function confirmEmail(token: string): Promise<string> {
  const user = toUser(await dataOf(api.POST('/api/auth/confirm-email', { body: { token } })))
  sessionStore.updateUser(user)
  return user.email_address
}

export async function confirmPhone(otp: string): Promise<void> {
  sessionStore.updateUser(toUser(await dataOf(api.POST('/api/auth/profile/phone/confirm', { body: { otp } }))))
}

/** Ends a session that was opened but is not going to be used. */
export async function endSession(token: string): Promise<void> {
  await api.POST('/api/auth/logout', { headers: { Authorization: `Bearer ${token}` } })
}

type ResetLink = { state: 'open'; ids: Ids; ssoRequired: boolean } | { state: 'expired' | 'used' | 'unknown' }

export async function getResetLink(token: string): Promise<ResetLink> {
  try {
    const { state, uid, cid, ssoRequired } = await dataOf(api.GET('/api/auth/reset', { params: { query: { token } } }))
    if (state !== 'open') return { state }
    return uid && cid ? { state, ids: { uid, cid }, ssoRequired } : { state: 'unknown' }
  } catch (error) {
    // 422: not a token at all, such as a truncated link.
    if (error instanceof ApiError && (error.status === 404 || error.status === 422)) return { state: 'unknown' }
    throw error
  }
}

/**
 * First step. The response says what comes next; the server sends a code if the account uses SMS. With `passkey`, an
 * account that has passkeys is asked for one instead.
 */
export async function logIn(emailAddress: string, auth: string, passkey = false): Promise<TwoFactorStep> {
  const body = { emailAddress, password: auth, passkey }
  return toTwoFactorStep(await dataOf(api.POST('/api/auth/login-onboard', { body })))
}

export type OwnSession = components['schemas']['OwnSession']

// Query options without `queryOptions`: these calls are also fetched by public pages, the query library is not.
export const ownSessions = {
  queryKey: ['auth', 'sessions'],
  queryFn: ({ signal }: { signal: AbortSignal }) => dataOf(api.GET('/api/auth/sessions', { signal })),
  // Always fresh: users look here when they suspect something.
  staleTime: 0,
}

export async function endOwnSession(id: number): Promise<void> {
  await api.DELETE('/api/auth/sessions/{session_id}', { params: { path: { session_id: id } } })
}

export async function endOtherSessions(): Promise<void> {
  await api.POST('/api/auth/sessions/end-others')
}

/** Including this one. */
export async function endAllSessions(): Promise<void> {
  await api.POST('/api/auth/sessions/end-all')
}

/** The salt to derive with. An unknown address gets one too. */
export async function prelogin(emailAddress: string): Promise<string> {
  const { salt } = await dataOf(api.POST('/api/auth/prelogin', { body: { emailAddress } }))
  return salt
}

export async function requestReset(emailAddress: string): Promise<void> {
  await api.POST('/api/auth/forgot-password', { body: { emailAddress } })
}

export async function resetPassword(token: string, { auth, salt, userKey }: SealedUserKeys): Promise<void> {
  await api.POST('/api/auth/reset-password', { body: { token, password: auth, salt, userKey } })
}

export type TwoFactor = components['schemas']['TwoFactorRead']
export type StartedAuthenticator = components['schemas']['AuthenticatorStarted']

export const twoFactorQuery = {
  queryKey: ['auth', 'two-factor'],
  queryFn: ({ signal }: { signal: AbortSignal }) => dataOf(api.GET('/api/auth/second-factor', { signal })),
  staleTime: 0,
}

/** Needs verified access. Nothing changes before the app's first code is confirmed. */
export function startAuthenticator(): Promise<StartedAuthenticator> {
  return dataOf(api.POST('/api/auth/authenticator'))
}

/** Turns it on and returns the recovery codes, which are shown only once. */
export async function confirmAuthenticator(otp: string): Promise<string[]> {
  return (await dataOf(api.POST('/api/auth/authenticator/confirm', { body: { otp } }))).recoveryCodes
}

/** Needs verified access. */
export async function turnAuthenticatorOff(): Promise<void> {
  await api.DELETE('/api/auth/authenticator')
}

/** Needs verified access. Refused where nothing else is set up. */
export async function setSmsEnabled(enabled: boolean): Promise<void> {
  await api.PUT('/api/auth/second-factor/sms', { body: { enabled } })
}

/** Needs verified access. Older codes stop working. */
export async function renewRecoveryCodes(): Promise<string[]> {
  return (await dataOf(api.POST('/api/auth/recovery-codes'))).recoveryCodes
}

export type ProfileUpdate = components['schemas']['ProfileUpdate']

export async function updateProfile(profile: ProfileUpdate): Promise<void> {
  sessionStore.updateUser(toUser(await dataOf(api.PUT('/api/auth/profile', { body: profile }))))
}

/** Second step: opens the session. */
export function verifyLoginCode(emailAddress: string, auth: string, otp: string) {
  return dataOf(api.POST('/api/auth/verify-otp', { body: { emailAddress, password: auth, otp } }))
}

export type LoginAnswer = components['schemas']['SessionRead']

/** Second step with a passkey. */
export function verifyLoginPasskey(emailAddress: string, auth: string, credential: SignedChallenge) {
  return dataOf(api.POST('/api/auth/login-passkey', { body: { emailAddress, password: auth, credential } }))
}

/** Sixteen letters and digits, in groups of four or without. */
export function isRecoveryCode(text: string): boolean {
  return /^[0-9a-z]{4}(?:[- ]?[0-9a-z]{4}){3}$/i.test(text)
}

function isSixDigits(text: string): boolean {
  return /^\d{6}$/.test(text)
}

/** Gives this session verified access for a few minutes. Recovery codes are never put into a URL. */
export async function verifySession(code: string): Promise<void> {
  if (isSixDigits(code)) await api.POST('/api/auth/verify-otp/{code}', { params: { path: { code } } })
  else await api.POST('/api/auth/verify-recovery-code', { body: { recoveryCode: code } })
}

export async function verifySessionWithPasskey(credential: SignedChallenge): Promise<void> {
  await api.POST('/api/auth/verify-passkey', { body: { credential } })
}

/** Needs verified access. Returns the options for the browser. */
export async function startPasskey(): Promise<object> {
  return (await dataOf(api.POST('/api/auth/passkeys/start'))).options
}

export function addPasskey(name: string, credential: NewPasskey): Promise<Passkey> {
  return dataOf(api.POST('/api/auth/passkeys', { body: { name, credential } }))
}

export async function renamePasskey(id: number, name: string): Promise<void> {
  await api.PUT('/api/auth/passkeys/{passkey_id}', { params: { path: { passkey_id: id } }, body: { name } })
}

/** Needs verified access. */
export async function removePasskey(id: number): Promise<void> {
  await api.DELETE('/api/auth/passkeys/{passkey_id}', { params: { path: { passkey_id: id } } })
}

/** Needs verified access. */
export async function setPasskeyKey(id: number, sealedUserKey: string): Promise<void> {
  await api.PUT('/api/auth/passkeys/{passkey_id}/key', {
    params: { path: { passkey_id: id } },
    body: { sealedUserKey },
  })
}
