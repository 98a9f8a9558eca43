import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '@/api/client'
import type { components } from '@/api/types.generated'
import { toExportQuery, type ListQuery, type Paged } from '@/components/table/list-query'

/** `all`: every company's, for the platform; `own`: the own company's. */
export type Scope = 'own' | 'all'

const activityKeys = {
  list: (scope: Scope, query: ListQuery) => ['activity', scope, query] as const,
}

/** All rows that match, as a spreadsheet. */
export async function exportActivity(scope: Scope, list: ListQuery): Promise<Blob> {
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
  return dataOf(api.GET('/api/admin/activity', { params: { query }, signal }))
}

export function activityList(scope: Scope, query: ListQuery) {
  return queryOptions({
    queryKey: activityKeys.list(scope, query),
    queryFn: ({ signal }) => listActivity(scope, query, signal),
    placeholderData: keepPreviousData,
    // Always fresh: users look for what has just happened.
    staleTime: 0,
  })
}
