import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '@/api/client'
import type { components } from '@/api/types.generated'

export type Policies = components['schemas']['PoliciesRead']
export type PoliciesUpdate = components['schemas']['PoliciesUpdate']
export type SecondFactor = Policies['secondFactors'] extends (infer Kind)[] | null ? Kind : never

export const policiesQuery = queryOptions({
  queryKey: ['policies'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/policies', { signal })),
})

/** Needs verified access. */
export function putPolicies(body: PoliciesUpdate): Promise<Policies> {
  return dataOf(api.PUT('/api/policies', { body }))
}
