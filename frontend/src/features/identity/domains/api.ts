import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '@/api/client'
import type { components } from '@/api/types.generated'
import { readVerified } from '@/api/verification'

export type Domain = components['schemas']['DomainRead']

export const domainsQuery = queryOptions({
  queryKey: ['identity', 'domains'],
  queryFn: ({ signal }) => readVerified(() => dataOf(api.GET('/api/identity/domains', { signal }))),
  // Nobody is asked for a code because of a glance at another window.
  refetchOnWindowFocus: false,
})

/** Needs verified access. */
export function addDomain(domain: string): Promise<Domain> {
  return dataOf(api.POST('/api/identity/domains', { body: { domain } }))
}

/** Needs verified access. */
export function checkDomain(domain: string): Promise<Domain> {
  return dataOf(api.POST('/api/identity/domains/{domain}/check', { params: { path: { domain } } }))
}

/** Needs verified access. */
export async function removeDomain(domain: string): Promise<void> {
  await api.DELETE('/api/identity/domains/{domain}', { params: { path: { domain } } })
}
