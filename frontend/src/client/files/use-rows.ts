import { keepPreviousData, useQueries, type QueryClient } from '@tanstack/react-query'
import { get, post, type Schemas } from '../api'
import type { PageState } from '../client-state'

export type FileRow = Schemas['Row']
export type Protection = Schemas['Protection']

export type Listed = {
  space: string
  /** Changes with the space's content. */
  revision: number
  path?: string | undefined
  search?: string | undefined
  trash?: boolean | undefined
  /** The change after which the space is looked at; now, if none is given. */
  at?: number | undefined
  sort?: 'name' | 'size' | 'modified'
  descending?: boolean
}

export const PAGE_ROWS = 200

/** The rows of a list between two positions, of which only the pages needed are fetched. */
export function useRows(list: Listed, first: number, last: number, health?: PageState['health']) {
  const pages = []
  for (let page = Math.floor(first / PAGE_ROWS); page <= Math.floor(last / PAGE_ROWS); page++) pages.push(page)
  const results = useQueries({
    queries: pages.map((page) => ({
      queryKey: ['files', list, page],
      queryFn: () => get('/files', queryOf(list, page * PAGE_ROWS)),
      placeholderData: keepPreviousData,
      staleTime: Infinity,
    })),
  })
  const paths = results.map(({ data, isPlaceholderData }) =>
    isPlaceholderData ? [] : data?.rows.filter((row) => row.type !== 'link').map((row) => row.path),
  )
  const protections = useQueries({
    queries: pages.map((page, index) => ({
      // What the service has found missing changes the answer.
      queryKey: ['protection', list, page, damageOf(health)],
      queryFn: () => post('/protection', { space: list.space, paths: paths[index] }),
      enabled: Boolean(health) && (paths[index]?.length ?? 0) > 0,
      placeholderData: keepPreviousData,
      staleTime: Infinity,
    })),
  })
  const known = results.find((result) => result.data)?.data
  const rows = new Map<number, FileRow>()
  for (const { data } of results) data?.rows.forEach((row, index) => rows.set(data.offset + index, row))
  return {
    total: known?.total,
    rows,
    protection: Object.assign({}, ...protections.map(({ data }) => data)) as Record<string, Protection>,
    error: results.find((result) => result.error)?.error ?? null,
    refetch: () => Promise.all(results.map((result) => result.refetch())),
  }
}

/** All rows of a list, however many. */
export async function fetchAll(client: QueryClient, list: Listed): Promise<FileRow[]> {
  const { rows } = await client.query({
    queryKey: ['files', list, 'all'],
    queryFn: () => get('/files', { ...queryOf(list, 0), all: '1' }),
    staleTime: Infinity,
  })
  return rows
}

function damageOf(health: PageState['health'] | undefined): string {
  if (!health) return ''
  const { degraded, notSafe, lost, warehouses } = health
  return [degraded, notSafe, lost, ...warehouses.map((warehouse) => warehouse.status)].join()
}

function queryOf(
  { space, path = '', search = '', trash = false, at, sort = 'name', descending = false }: Listed,
  offset: number,
) {
  return {
    space,
    path,
    search,
    sort,
    descending: String(descending),
    offset: String(offset),
    ...(trash ? { trash: '1' } : {}),
    ...(at === undefined ? {} : { at: String(at) }),
  }
}
