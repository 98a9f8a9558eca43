import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '@/api/client'
import type { components } from '@/api/types.generated'

export type Sso = components['schemas']['SsoRead']
export type SsoProvider = components['schemas']['SsoProviderRead']

export const ssoQuery = queryOptions({
  queryKey: ['identity', 'sso'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/identity/sso', { signal })),
})

/** Needs verified access. Without a secret the stored one stays. */
export function saveProvider(issuer: string, clientId: string, clientSecret: string | null): Promise<Sso> {
  return dataOf(api.PUT('/api/identity/sso', { body: { issuer, clientId, clientSecret } }))
}

/** Needs verified access. */
export function setRequired(required: boolean): Promise<Sso> {
  return dataOf(api.PUT('/api/identity/sso/requirement', { body: { required } }))
}

/** Needs verified access. */
export async function removeProvider(): Promise<void> {
  await api.DELETE('/api/identity/sso')
}
