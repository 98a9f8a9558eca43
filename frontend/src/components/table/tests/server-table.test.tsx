import { useQuery } from '@tanstack/react-query'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { api, dataOf } from '@/api/client'
import { pageOf, Where } from '@/testing/lists'
import { EditIcon } from '@/components/icons/EditIcon'
import { renderWithProviders } from '@/testing/render'
import { fail, ok, serve } from '@/testing/server'
import type { Column, FilterField } from '../column'
import { toListQuery } from '../list-query'
import { ServerTable } from '../ServerTable'
import { useTableState } from '../use-table-state'

type Row = { uuid: string; firstName: string; dateCreated: string }

const rows: Row[] = Array.from({ length: 12 }, (_, n) => ({
  uuid: `u${n}`,
  firstName: `Person ${n}`,
  dateCreated: '2026-02-03T00:00:00Z',
}))
const columns: Column<Row>[] = [
  { id: 'firstName', label: 'First name', sortable: true, onCard: 'title', cell: ({ firstName }) => firstName },
  { id: 'dateCreated', label: 'Created', cell: ({ dateCreated }) => dateCreated },
]
const fields: FilterField[] = [
  { name: 'firstName', label: 'First name' },
  { name: 'dateCreated', label: 'Created', kind: 'date' },
  { name: 'files', label: 'Files', kind: 'number' },
  {
    name: 'isActive',
    label: 'Status',
    choices: [
      { value: 'true', label: 'Enabled' },
      { value: 'false', label: 'Disabled' },
    ],
  },
]
const edit = vi.fn()

function People() {
  const control = useTableState(fields.map(({ name }) => name))
  const query = toListQuery(control.state)
  const list = useQuery({
    queryKey: ['people', query],
    queryFn: async () =>
      (await dataOf(api.GET('/api/users', { params: { query } }))) as unknown as { item1: Row[]; item2: number },
  })
  return (
    <>
      <ServerTable
        label="People"
        searchLabel="Search people"
        columns={columns}
        fields={fields}
        control={control}
        list={list}
        rowKey={({ uuid }) => uuid}
        rowName={({ firstName }) => firstName}
        actions={(row) => [{ id: 'edit', label: 'Edit', Icon: EditIcon, onSelect: () => void edit(row.uuid) }]}
        empty={<p>Nobody here</p>}
      />
      <Where />
    </>
  )
}

const lastQuery = (server: ReturnType<typeof serve>) => server.calls.at(-1)!.url.searchParams.toString()

beforeEach(() => edit.mockReset())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function open(path = '/', answer = (call: Parameters<typeof pageOf>[1]) => pageOf(rows, call)) {
  const server = serve({ 'GET /api/users': answer })
  renderWithProviders(<People />, { path })
  return server
}

describe('a table the server pages', () => {
  it('shows the shape first, then five rows and how many there are', async () => {
    const server = open()
    expect(screen.getByRole('progressbar')).toBeInTheDocument()
    expect(await screen.findByText('Person 4')).toBeVisible()
    expect(screen.queryByText('Person 5')).not.toBeInTheDocument()
    expect(screen.getByText('1–5 of 12')).toBeVisible()
    expect(screen.getByRole('status')).toHaveTextContent('12 entries found')
    expect(lastQuery(server)).toBe('skip=0&limit=5')
  })

  it('turns pages and changes their size, in the address', async () => {
    open()
    const person = userEvent.setup()
    await person.click(await screen.findByRole('button', { name: 'Next page' }))
    expect(await screen.findByText('Person 5')).toBeVisible()
    expect(screen.getByTestId('where')).toHaveTextContent('/?page=2')
    expect(screen.getByRole('button', { name: 'First page' })).toBeEnabled()
    await person.click(screen.getByRole('button', { name: 'Last page' }))
    expect(await screen.findByText('11–12 of 12')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Next page' })).toBeDisabled()
    await person.selectOptions(screen.getByLabelText('Rows per page'), '25')
    expect(await screen.findByText('1–12 of 12')).toBeVisible()
    expect(screen.getByTestId('where')).toHaveTextContent('/?size=25')
  })

  it('goes on past a total that was not counted to the end', async () => {
    const many = { item1: rows.slice(0, 5), item2: 10_000, totalCapped: true }
    open('/?q=per&page=2000', ({ url }) =>
      ok(url.searchParams.get('skip') === '2001' ? { ...many, item1: rows.slice(0, 2) } : many),
    )
    expect(await screen.findByText('9,996–10,000 of 10,000+')).toBeVisible()
    expect(screen.getByRole('status')).toHaveTextContent('More than 10,000 entries found')
    expect(screen.getByRole('button', { name: 'Last page' })).toBeDisabled()
    const next = () => screen.getByRole('button', { name: 'Next page' })
    await userEvent.click(next())
    expect(await screen.findByText('10,001–10,005 of 10,000+')).toBeVisible()
    await userEvent.click(next())
    expect(await screen.findByText('10,006–10,007 of 10,000+')).toBeVisible()
    expect(next()).toBeDisabled()
  })

  it('opens a link as it was left, and finds the last page of a list that has shrunk', async () => {
    const server = open('/?page=9&q=per&sort=firstName:desc')
    await waitFor(() => expect(screen.getByTestId('where')).toHaveTextContent('page=3'))
    expect(await screen.findByText('Person 11')).toBeVisible()
    expect(lastQuery(server)).toBe('skip=2&limit=5&searchText=per&sort=firstName%3Adesc')
    expect(screen.getByRole('searchbox')).toHaveValue('per')
    expect(screen.getByRole('columnheader', { name: 'First name' })).toHaveAttribute('aria-sort', 'descending')
  })

  it('sorts by a heading and says how', async () => {
    const server = open()
    const person = userEvent.setup()
    const heading = await screen.findByRole('columnheader', { name: 'First name' })
    expect(heading).not.toHaveAttribute('aria-sort')
    await person.click(within(heading).getByRole('button'))
    await waitFor(() => expect(lastQuery(server)).toContain('sort=firstName%3Aasc'))
    expect(await screen.findByRole('columnheader', { name: 'First name' })).toHaveAttribute('aria-sort', 'ascending')
    expect(within(screen.getByRole('columnheader', { name: 'Created' })).queryByRole('button')).toBeNull()
  })

  // Specification: 2.48, 9.3
  it('searches once typing has paused for half a second', async () => {
    const server = open()
    await screen.findByText('Person 0')
    vi.useFakeTimers({ shouldAdvanceTime: true })
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'an' } })
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'ann ' } })
    act(() => void vi.advanceTimersByTime(499))
    expect(server.calls).toHaveLength(1)
    act(() => void vi.advanceTimersByTime(1))
    await waitFor(() => expect(lastQuery(server)).toBe('skip=0&limit=5&searchText=ann'))
    expect(server.calls).toHaveLength(2)
  })

  // Specification: 2.58
  it('adds a filter with each operator, names it and takes it away', async () => {
    const server = open()
    const person = userEvent.setup()
    await person.click(await screen.findByRole('button', { name: 'Filters' }))
    const operator = await screen.findByLabelText('Condition')
    expect(
      within(operator)
        .getAllByRole('option')
        .map((option) => option.textContent),
    ).toEqual(['contains', 'starts with', 'ends with', 'matches', 'greater than', 'less than'])
    await person.selectOptions(operator, 'ends with')
    await person.type(screen.getByLabelText('Value'), 'a:b{Enter}')
    await waitFor(() =>
      expect(server.calls.at(-1)!.url.searchParams.getAll('filter')).toEqual(['firstName:endsWith:a:b']),
    )
    await person.click(screen.getByRole('button', { name: 'Remove filter: First name ends with “a:b”' }))
    await waitFor(() => expect(screen.getByTestId('where')).toHaveTextContent(/^\/$/))
  })

  it('offers choices where there is nothing to type, and days where there are dates', async () => {
    const server = open()
    const person = userEvent.setup()
    await person.click(await screen.findByRole('button', { name: 'Filters' }))
    await person.selectOptions(await screen.findByLabelText('Column'), 'Status')
    expect(screen.queryByLabelText('Condition')).toBeNull()
    await person.selectOptions(screen.getByLabelText('Value'), 'Disabled')
    await person.click(screen.getByRole('button', { name: 'Add filter' }))
    await waitFor(() =>
      expect(server.calls.at(-1)!.url.searchParams.getAll('filter')).toEqual(['isActive:matches:false']),
    )
    expect(screen.getByText('Status: Disabled')).toBeVisible()
    await person.selectOptions(screen.getByLabelText('Column'), 'Created')
    expect(screen.getByLabelText('Condition')).toHaveValue('greaterThan')
    expect(screen.getByLabelText('Value')).toHaveAttribute('type', 'date')
  })

  it('compares numbers', async () => {
    const server = open()
    const person = userEvent.setup()
    await person.click(await screen.findByRole('button', { name: 'Filters' }))
    await person.selectOptions(await screen.findByLabelText('Column'), 'Files')
    const conditions = within(screen.getByLabelText('Condition')).getAllByRole('option')
    expect(conditions.map((option) => option.textContent)).toEqual(['greater than', 'less than', 'matches'])
    await person.type(screen.getByLabelText('Value'), '1200{Enter}')
    await waitFor(() =>
      expect(server.calls.at(-1)!.url.searchParams.getAll('filter')).toEqual(['files:greaterThan:1200']),
    )
    expect(screen.getByText('Files greater than 1,200')).toBeVisible()
  })

  it('opens the actions of a row', async () => {
    open()
    const person = userEvent.setup()
    await person.click(await screen.findByRole('button', { name: 'Actions for Person 2' }))
    await person.click(await screen.findByRole('menuitem', { name: 'Edit' }))
    expect(edit).toHaveBeenCalledWith('u2')
  })

  it('tells an empty list from one without matches', async () => {
    open('/', () => ok({ item1: [], item2: 0 }))
    expect(await screen.findByText('Nobody here')).toBeVisible()
  })

  // Specification: 8.63
  it('says that nothing matches, and clears search and filters', async () => {
    open('/?q=zzz', (call) =>
      call.url.searchParams.get('searchText') ? ok({ item1: [], item2: 0 }) : pageOf(rows, call),
    )
    expect(await screen.findByText('No Results Found')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Clear search and filters' }))
    expect(await screen.findByText('Person 0')).toBeVisible()
  })

  // Specification: 8.58
  it('never takes a failure for an empty list, and tries again', async () => {
    let broken = true
    open('/', (call) => (broken ? fail(500, 'internal', 'The database sleeps.') : pageOf(rows, call)))
    expect(await screen.findByText('The database sleeps.')).toBeVisible()
    broken = false
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await screen.findByText('Person 0')).toBeVisible()
  })

  it('shows cards on a phone, with a choice to sort by', async () => {
    vi.stubGlobal('matchMedia', (media: string) => Object.assign(new EventTarget(), { matches: true, media }))
    const server = open()
    expect(await screen.findByText('Person 0')).toBeVisible()
    expect(screen.queryByRole('table')).toBeNull()
    expect(screen.getAllByRole('listitem')).toHaveLength(5)
    await userEvent.selectOptions(screen.getByLabelText('Sort by'), 'First name, descending')
    await waitFor(() => expect(lastQuery(server)).toContain('sort=firstName%3Adesc'))
  })
})
