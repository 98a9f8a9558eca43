import { useQuery, type UseQueryOptions } from '@tanstack/react-query'
import type { Column, FilterField } from './column'
import { toListQuery, type ListQuery, type Paged } from './list-query'
import { filterFields, useTableState } from './use-table-state'

type Options<Row, Key extends readonly unknown[]> = {
  /** The page size is remembered under it. */
  name?: string
  columns: readonly Column<Row>[]
  /** What the list is filtered by besides its columns. */
  others?: FilterField[]
  load: (query: ListQuery) => UseQueryOptions<Paged<Row>, Error, Paged<Row>, Key>
}

/** A list that the server pages: `table` is for `ServerTable`, `query` what is asked for now. */
export function useList<Row, Key extends readonly unknown[]>({ name, columns, others, load }: Options<Row, Key>) {
  const fields = filterFields(columns, others)
  const control = useTableState(
    fields.map((field) => field.name),
    name,
  )
  const query = toListQuery(control.state)
  return { table: { columns, fields, control, list: useQuery(load(query)) }, query }
}
