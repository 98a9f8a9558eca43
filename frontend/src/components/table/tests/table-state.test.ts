import { describe, expect, it } from 'vitest'
import { toListQuery } from '../list-query'
import { nextSort } from '../RowsTable'
import { changeState, FIRST_STATE, OPERATORS, PAGE_SIZES, readTableState, writeTableState } from '../use-table-state'

const known = (field: string) => ['name', 'at'].includes(field)
const read = (search: string) => readTableState(new URLSearchParams(search), known)

describe('the state in the address', () => {
  // Specification: 9.1, 9.2
  it('starts with five rows from the first page', () => {
    expect(read('')).toEqual({ page: 0, size: 5, search: '', filters: [], sort: null })
    expect(PAGE_SIZES).toEqual([5, 10, 25, 100])
  })

  it('is read back as written, beside other parameters', () => {
    const state = {
      page: 3,
      size: 25,
      search: 'zoë & co',
      filters: [
        { field: 'name', operator: 'contains', value: 'a:b' },
        { field: 'at', operator: 'greaterThan', value: '2026-02-03' },
      ],
      sort: { field: 'name', descending: true },
    } as const
    const written = writeTableState(new URLSearchParams('tab=1&page=9'), { ...state, filters: [...state.filters] })
    expect(written.get('tab')).toBe('1')
    expect(written.get('page')).toBe('4')
    expect(read(written.toString())).toEqual(state)
  })

  it('writes nothing for what is usual', () => {
    expect(writeTableState(new URLSearchParams(), FIRST_STATE).toString()).toBe('')
  })

  it.each([
    ['page=-2', { page: 0 }],
    ['page=two', { page: 0 }],
    ['page=1e99', { page: 0 }],
    ['size=7', { size: 5 }],
    ['sort=secret:asc', { sort: null }],
    ['sort=name:sideways', { sort: null }],
    ['filter=secret:contains:x', { filters: [] }],
    ['filter=name:resembles:x', { filters: [] }],
    ['filter=name:contains:', { filters: [] }],
  ])('leaves out what makes no sense: %s', (search, expected) => {
    expect(read(search)).toMatchObject(expected)
  })

  it('goes back to the first page when other rows are chosen', () => {
    expect(changeState({ ...FIRST_STATE, page: 4 }, { search: 'x' }).page).toBe(0)
    expect(changeState({ ...FIRST_STATE, page: 4 }, { page: 5 }).page).toBe(5)
  })
})

describe('what the server is asked for', () => {
  // Specification: 7.2
  it('names the page as skip, and each filter with one of six operators', () => {
    expect(OPERATORS).toEqual(['contains', 'startsWith', 'endsWith', 'matches', 'greaterThan', 'lessThan'])
    const filters = OPERATORS.map((operator) => ({ field: 'name', operator, value: 'm' }))
    expect(
      toListQuery({ page: 2, size: 10, search: 's', filters, sort: { field: 'name', descending: false } }),
    ).toEqual({
      skip: 2,
      limit: 10,
      searchText: 's',
      filter: OPERATORS.map((operator) => `name:${operator}:m`),
      sort: 'name:asc',
    })
    expect(toListQuery(FIRST_STATE)).toEqual({ skip: 0, limit: 5 })
  })

  it("means whole days in the reader's time zone", () => {
    const ask = (operator: 'greaterThan' | 'lessThan' | 'matches') =>
      toListQuery({ ...FIRST_STATE, filters: [{ field: 'at', operator, value: '2026-02-03' }] }).filter?.[0]
    expect(ask('greaterThan')).toBe(`at:greaterThan:${new Date(2026, 1, 3, 23, 59, 59, 999).toISOString()}`)
    expect(ask('lessThan')).toBe(`at:lessThan:${new Date(2026, 1, 3).toISOString()}`)
    expect(ask('matches')).toBe('at:matches:2026-02-03')
  })
})

it('sorts up, then down, then not at all', () => {
  const up = nextSort(null, 'name')
  const down = nextSort(up, 'name')
  expect([up, down, nextSort(down, 'name')]).toEqual([
    { field: 'name', descending: false },
    { field: 'name', descending: true },
    null,
  ])
  expect(nextSort(down, 'at')).toEqual({ field: 'at', descending: false })
})
