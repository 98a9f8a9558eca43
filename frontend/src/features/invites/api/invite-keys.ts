import type { ListQuery } from '@/components/table/list-query'

export const inviteKeys = {
  all: ['invites'] as const,
  list: (company: number | null, query: ListQuery) => ['invites', 'list', company, query] as const,
  progress: ['invites', 'progress'] as const,
}
