import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '@/api/client'
import type { components } from '@/api/types.generated'

export type ApiToken = components['schemas']['ApiTokenRead']
export type NewToken = components['schemas']['ApiTokenCreated']
export type Scope = components['schemas']['ApiTokenScope']

export const tokensQuery = queryOptions({
  queryKey: ['tokens'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/tokens', { signal })),
})

/** Needs verified access. The answer is the only one that shows the token. */
export function createToken(body: components['schemas']['ApiTokenCreate']): Promise<NewToken> {
  return dataOf(api.POST('/api/tokens', { body }))
}

/** Needs verified access. */
export async function revokeToken(id: number): Promise<void> {
  await api.DELETE('/api/tokens/{token_id}', { params: { path: { token_id: id } } })
}
