import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '@/api/client'
import type { components } from '@/api/types.generated'
import { toExportQuery, type ListQuery, type Paged } from '@/components/table/list-query'
import { currentLanguage } from '@/i18n/i18n'

/** `all`: every company's, for the platform; `own`: the own company's; a number: that company's, for the platform. */
export type Scope = 'own' | 'all' | number

/** All rows that match, as a spreadsheet. */
export async function exportActivity(scope: 'own' | 'all', list: ListQuery): Promise<Blob> {
  const options = { params: { query: toExportQuery(list) }, parseAs: 'blob' } as const
  const file =
    scope === 'own'
      ? dataOf(api.GET('/api/activity/export', options))
      : dataOf(api.GET('/api/admin/activity/export', options))
  return file
}

type Own = components['schemas']['ActivityRead']
type Platform = components['schemas']['PlatformActivityRead']

/** With a company column if the list covers several. */
export type Activity = Own & Partial<Pick<Platform, 'companyId' | 'companyName'>>

function listActivity(scope: Scope, query: ListQuery, signal: AbortSignal): Promise<Paged<Activity>> {
  if (scope === 'own') return dataOf(api.GET('/api/activity', { params: { query }, signal }))
  if (scope !== 'all') {
    const path = { company_id: scope }
    return dataOf(api.GET('/api/company/{company_id}/activity', { params: { path, query }, signal }))
  }
  return dataOf(api.GET('/api/admin/activity', { params: { query }, signal }))
}

export function activityList(scope: Scope, query: ListQuery) {
  return queryOptions({
    // The texts come in the language of the request.
    queryKey: ['activity', scope, query, currentLanguage()] as const,
    queryFn: ({ signal }) => listActivity(scope, query, signal),
    // Never shows another company's rows as placeholders.
    placeholderData: (rows, last) => (last?.queryKey[1] === scope ? rows : undefined),
    // Always fresh: users look for what has just happened.
    staleTime: 0,
  })
}

/** The actions that the list can be filtered by. */
export function activityActions() {
  return queryOptions({
    queryKey: ['activityActions', currentLanguage()],
    queryFn: ({ signal }) => dataOf(api.GET('/api/activity/actions', { signal })),
    staleTime: Infinity,
  })
}
