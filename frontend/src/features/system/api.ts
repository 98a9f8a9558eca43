import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '@/api/client'
import type { components } from '@/api/types.generated'
import { currentLanguage } from '@/i18n/i18n'

export type SystemState = components['schemas']['SystemRead']

export const REFRESH_SECONDS = 10

/** What fails is in the words of the language. */
export function systemQuery() {
  return queryOptions({
    queryKey: ['system', currentLanguage()],
    queryFn: ({ signal }) => dataOf(api.GET('/api/admin/system', { signal })),
    staleTime: 0,
    refetchInterval: REFRESH_SECONDS * 1000,
  })
}
