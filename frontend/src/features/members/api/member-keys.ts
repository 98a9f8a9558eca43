import type { ListQuery } from '@/components/table/list-query'

/** `null`: the own company. */
export type CompanyRef = number | null

export const memberKeys = {
  all: ['members'] as const,
  list: (company: CompanyRef, query: ListQuery) => ['members', 'list', company, query] as const,
  leader: (company: CompanyRef) => ['members', 'leader', company] as const,
}
