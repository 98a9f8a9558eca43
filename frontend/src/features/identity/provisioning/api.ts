import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '@/api/client'
import type { components } from '@/api/types.generated'

export type Provisioning = components['schemas']['ProvisioningRead']
export type ScimToken = components['schemas']['ScimTokenRead']
export type RequestedDeletion = components['schemas']['RequestedDeletion']

export const provisioningQuery = queryOptions({
  queryKey: ['provisioning'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/provisioning', { signal })),
})

export const deletionsQuery = queryOptions({
  queryKey: ['provisioning', 'deletions'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/provisioning/deletions', { signal })),
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
