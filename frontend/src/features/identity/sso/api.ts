import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '@/api/client'
import type { components } from '@/api/types.generated'
import { readVerified } from '@/api/verification'

export type Sso = components['schemas']['SsoRead']
export type SsoProvider = components['schemas']['SsoProviderRead']
type ProviderUpdate = components['schemas']['SsoProviderUpdate']

export const ssoQuery = queryOptions({
  queryKey: ['identity', 'sso'],
  queryFn: ({ signal }) => readVerified(() => dataOf(api.GET('/api/identity/sso', { signal }))),
  // Nobody is asked for a code because of a glance at another window.
  refetchOnWindowFocus: false,
})

/** Needs verified access. */
export function addProvider(name: string): Promise<SsoProvider> {
  return dataOf(api.POST('/api/identity/sso/providers', { body: { name } }))
}

/** Needs verified access. Without a secret the stored one stays. */
export function saveProvider(uuid: string, body: ProviderUpdate): Promise<SsoProvider> {
  return dataOf(api.PUT('/api/identity/sso/providers/{uuid}', { params: { path: { uuid } }, body }))
}

/** Needs verified access. */
export async function removeProvider(uuid: string): Promise<void> {
  await api.DELETE('/api/identity/sso/providers/{uuid}', { params: { path: { uuid } } })
}

/** Needs verified access. */
export function setDefault(provider: string): Promise<Sso> {
  return dataOf(api.PUT('/api/identity/sso/default', { body: { provider } }))
}

/** Needs verified access. Null means the default provider. */
export function setProviderOfDomain(domain: string, provider: string | null): Promise<Sso> {
  return dataOf(api.PUT('/api/identity/sso/domains/{domain}', { params: { path: { domain } }, body: { provider } }))
}

/** Needs verified access. */
export function setRequired(required: boolean): Promise<Sso> {
  return dataOf(api.PUT('/api/identity/sso/requirement', { body: { required } }))
}
