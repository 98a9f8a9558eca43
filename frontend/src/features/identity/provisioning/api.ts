import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '@/api/client'
import type { components } from '@/api/types.generated'
import { readVerified } from '@/api/verification'

export type Provisioning = components['schemas']['ProvisioningRead']
export type ScimToken = components['schemas']['ScimTokenRead']
export type RequestedDeletion = components['schemas']['RequestedDeletion']

export const provisioningQuery = queryOptions({
  queryKey: ['provisioning'],
  queryFn: ({ signal }) => readVerified(() => dataOf(api.GET('/api/provisioning', { signal }))),
  // Nobody is asked for a code because of a glance at another window.
  refetchOnWindowFocus: false,
})

export const deletionsQuery = queryOptions({
  queryKey: ['provisioning', 'deletions'],
  queryFn: ({ signal }) => readVerified(() => dataOf(api.GET('/api/provisioning/deletions', { signal }))),
  // Nobody is asked for a code because of a glance at another window.
  refetchOnWindowFocus: false,
})

/** Needs verified access. The answer is the only one that shows the token. */
export function createToken(): Promise<components['schemas']['ScimTokenCreated']> {
  return dataOf(api.POST('/api/provisioning/token'))
}

/** Needs verified access. */
export async function revokeTokens(): Promise<void> {
  await api.DELETE('/api/provisioning/token')
}

/** Needs verified access. */
export async function setConfirmDeletions(confirmDeletions: boolean): Promise<void> {
  await api.PUT('/api/provisioning', { body: { confirmDeletions } })
}

/** Needs verified access. */
export async function decideDeletion(decision: 'confirm' | 'decline', uuid: string): Promise<void> {
  await api.POST(`/api/provisioning/deletions/${decision}`, { body: { uuids: [uuid] } })
}
