import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '@/api/client'
import type { components } from '@/api/types.generated'

export type TwoFactor = components['schemas']['SecondFactorRead']
export type StartedAuthenticator = components['schemas']['AuthenticatorStarted']

export const twoFactorQuery = queryOptions({
  queryKey: ['auth', 'second-factor'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/auth/second-factor', { signal })),
  staleTime: 0,
})

/** Needs verified access. Nothing changes before the app's first code is confirmed. */
export function startAuthenticator(): Promise<StartedAuthenticator> {
  return dataOf(api.POST('/api/auth/authenticator'))
}

/** Turns it on and answers the recovery codes, this once. */
export async function confirmAuthenticator(otp: string): Promise<string[]> {
  return (await dataOf(api.POST('/api/auth/authenticator/confirm', { body: { otp } }))).recoveryCodes
}

/** Needs verified access. */
export async function turnAuthenticatorOff(): Promise<void> {
  await api.DELETE('/api/auth/authenticator')
}

/** Needs verified access. The older ones are good no more. */
export async function renewRecoveryCodes(): Promise<string[]> {
  return (await dataOf(api.POST('/api/auth/recovery-codes'))).recoveryCodes
}
