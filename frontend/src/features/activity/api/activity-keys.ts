import type { ListQuery } from '@/components/table/list-query'

/** `all`: every company's, for the platform; `own`: the own company's. */
export type Scope = 'own' | 'all'

export const activityKeys = {
  list: (scope: Scope, query: ListQuery) => ['activity', scope, query] as const,
}
