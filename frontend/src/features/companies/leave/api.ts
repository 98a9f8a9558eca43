import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '@/api/client'
import type { components } from '@/api/types.generated'

export type Leaving = components['schemas']['LeavingRead']

export const leavingQuery = queryOptions({
  queryKey: ['company', 'leaving'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/company/leaving', { signal })),
})

/** Needs verified access. `lastDay`: what the user has seen. */
export function leave(body: { name: string; lastDay: string }): Promise<Leaving> {
  return dataOf(api.PUT('/api/company/leaving', { body }))
}

export function stay(): Promise<Leaving> {
  return dataOf(api.DELETE('/api/company/leaving'))
}

/** Everything that the service knows of the company, as a ZIP file. */
export function exportRecords(): Promise<Blob> {
  return dataOf(api.GET('/api/company/records', { parseAs: 'blob' }))
}
