import { type Filter, type TableState, writeFilter, writeSort } from './use-table-state'

/** With `totalCapped` there are more rows than `item2`. */
export type Paged<Row> = { item1: Row[]; item2: number; totalCapped?: boolean }

export type ListQuery = { skip: number; limit: number; searchText?: string; filter?: string[]; sort?: string }

const day = /^(\d{4})-(\d\d)-(\d\d)$/

// Days begin and end in the user's time zone: "after the 3rd" means from the 4th on.
function momentOf({ operator, value }: Filter): string {
  const [, year, month, date] = day.exec(value) ?? []
  if (!year) return value
  const after = operator === 'greaterThan'
  const moment = new Date(Number(year), Number(month) - 1, Number(date) + (after ? 1 : 0))
  return new Date(moment.getTime() - (after ? 1 : 0)).toISOString()
}

function compared(filter: Filter): Filter {
  const ordered = filter.operator === 'greaterThan' || filter.operator === 'lessThan'
  return ordered ? { ...filter, value: momentOf(filter) } : filter
}

/** What an export takes of a list's query: every page of it. */
export function toExportQuery({ searchText, filter, sort }: ListQuery): Omit<ListQuery, 'skip' | 'limit'> {
  return { ...(searchText ? { searchText } : {}), ...(filter ? { filter } : {}), ...(sort ? { sort } : {}) }
}

/** The query's parameters. `skip` is the page number. */
export function toListQuery({ page, size, search, filters, sort }: TableState): ListQuery {
  return {
    skip: page,
    limit: size,
    ...(search ? { searchText: search } : {}),
    ...(filters.length > 0 ? { filter: filters.map((filter) => writeFilter(compared(filter))) } : {}),
    ...(sort ? { sort: writeSort(sort) } : {}),
  }
}
