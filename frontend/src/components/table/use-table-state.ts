import { useSearchParams } from 'react-router'
import type { Column, FilterField } from './column'
import { rememberedSize, rememberSize } from './page-sizes'

export const PAGE_SIZES = [5, 10, 25, 100] as const
export const OPERATORS = ['contains', 'startsWith', 'endsWith', 'matches', 'greaterThan', 'lessThan'] as const

export const FIRST_STATE: TableState = { page: 0, size: PAGE_SIZES[0], search: '', filters: [], sort: null }

const MAX_FILTERS = 10
const own = ['page', 'size', 'q', 'filter', 'sort']

export type TableControl = {
  state: TableState
  /** Adds a history entry, unless `replace` is set. */
  change: (change: Partial<TableState>, options?: { replace?: boolean }) => void
  /** Clears search, filters and sorting, and keeps the page size. */
  clear: () => void
}

/** Keeps a list's state in the URL, so that links and Back restore it. The page size is remembered for the named list. */
export function useTableState(fields: readonly string[], name?: string): TableControl {
  const [params, setParams] = useSearchParams()
  const size = name ? rememberedSize(name) : undefined
  const state = readTableState(params, (field) => fields.includes(field), size)
  const change: TableControl['change'] = (change, { replace = false } = {}) => {
    if (name && change.size) rememberSize(name, change.size)
    setParams(writeTableState(params, changeState(state, change)), { replace })
  }
  return { state, change, clear: () => change({ ...FIRST_STATE, size: state.size }) }
}

/** What a list is filtered by: its columns, and fields that it does not show. */
export function filterFields<Row>(columns: readonly Column<Row>[], others: FilterField[] = []): FilterField[] {
  return [...columns.flatMap(({ id, label, filter }) => (filter ? [{ name: id, label, ...filter }] : [])), ...others]
}

export function isNarrowed({ search, filters }: TableState): boolean {
  return search !== '' || filters.length > 0
}

export type Operator = (typeof OPERATORS)[number]
export type Filter = { field: string; operator: Operator; value: string }
export type Sort = { field: string; descending: boolean }
export type TableState = { page: number; size: number; search: string; filters: Filter[]; sort: Sort | null }

function isOperator(text: string): text is Operator {
  return OPERATORS.some((operator) => operator === text)
}

function readFilter(text: string): Filter | null {
  const [, field = '', operator = '', value = ''] = /^([^:]*):([^:]*):([^]*)$/.exec(text) ?? []
  return field && value && isOperator(operator) ? { field, operator, value } : null
}

function readSort(text: string | null): Sort | null {
  const [, field = '', direction] = /^(\w+):(asc|desc)$/.exec(text ?? '') ?? []
  return field ? { field, descending: direction === 'desc' } : null
}

export function writeFilter({ field, operator, value }: Filter): string {
  return `${field}:${operator}:${value}`
}

export function writeSort({ field, descending }: Sort): string {
  return `${field}:${descending ? 'desc' : 'asc'}`
}

/** Ignores invalid values: URLs may be old, edited or truncated. */
export function readTableState(
  params: URLSearchParams,
  isKnown: (field: string) => boolean,
  remembered?: number,
): TableState {
  const page = Number(params.get('page') ?? 1) - 1
  const size = Number(params.get('size') ?? remembered)
  const sort = readSort(params.get('sort'))
  const filters = params.getAll('filter').flatMap((text) => readFilter(text) ?? [])
  return {
    page: Number.isSafeInteger(page) && page > 0 ? page : 0,
    size: PAGE_SIZES.some((offered) => offered === size) ? size : FIRST_STATE.size,
    search: (params.get('q') ?? '').slice(0, 200),
    filters: filters.filter(({ field }) => isKnown(field)).slice(0, MAX_FILTERS),
    sort: sort && isKnown(sort.field) ? sort : null,
  }
}

/** Keeps other parameters of the URL. Pages in it count from one. */
export function writeTableState(params: URLSearchParams, state: TableState): URLSearchParams {
  const next = new URLSearchParams(params)
  for (const name of own) next.delete(name)
  if (state.page > 0) next.set('page', String(state.page + 1))
  if (state.size !== FIRST_STATE.size) next.set('size', String(state.size))
  if (state.search) next.set('q', state.search)
  for (const filter of state.filters) next.append('filter', writeFilter(filter))
  if (state.sort) next.set('sort', writeSort(state.sort))
  return next
}

/** Changing search or filters goes back to the first page. */
export function changeState(state: TableState, change: Partial<TableState>): TableState {
  return { ...state, page: 0, ...change }
}
