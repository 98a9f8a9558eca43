import type { ListQuery } from '@/components/table/list-query'

export const warehouseKeys = {
  all: ['warehouses'] as const,
  list: (query: ListQuery) => ['warehouses', 'list', query] as const,
}
