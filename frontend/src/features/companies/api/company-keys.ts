import type { ListQuery } from '@/components/table/list-query'

export const companyKeys = {
  all: ['companies'] as const,
  list: (query: ListQuery) => ['companies', 'list', query] as const,
  totals: ['companies', 'totals'] as const,
  detail: (id: number) => ['companies', 'detail', id] as const,
  own: ['company', 'own'] as const,
}
