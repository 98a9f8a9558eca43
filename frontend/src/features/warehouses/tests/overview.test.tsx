import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { fail, ok } from '@/testing/server'
import type { WarehouseChange } from '../api'
import { aWarehouse, azure, summaryOf } from './clouds'
import { four, header, open, openRow, row, withLeader } from './open-page'

withLeader()

const DAY_MS = 86_400_000

describe('the status filter', () => {
  it('shows the warehouses of one status, and all again', async () => {
    const { server, person } = open()
    const legend = await screen.findByRole('list', { name: 'Status legend' })
    const filter = within(legend).getByRole('button', { name: /^Connected/ })
    expect(filter).toHaveAttribute('aria-pressed', 'false')
    await person.click(filter)
    expect(filter).toHaveAttribute('aria-pressed', 'true')
    expect(screen.getByTestId('where')).toHaveTextContent('/warehouses?filter=status:matches:1')
    await waitFor(() => expect(server.calls.at(-1)!.url.searchParams.get('filter')).toBe('status:matches:1'))
    await person.click(filter)
    expect(screen.getByTestId('where')).toHaveTextContent(/^\/warehouses$/)
  })
})

describe('the age of credentials', () => {
  it('is shown in the panel, and as a hint from a year on', async () => {
    const old = aWarehouse({ credentialsSince: new Date(Date.now() - 365 * DAY_MS).toISOString() })
    const young = { ...azure, credentialsSince: new Date(Date.now() - 364 * DAY_MS).toISOString() }
    const { person } = open([old, young])
    expect((await row('Frankfurt archive')).getByText(/Replace them at least once a year/)).toBeVisible()
    expect((await row('Azure')).queryByText(/Replace them/)).toBeNull()
    const panel = await openRow(person, 'Azure')
    expect(panel.getByText(/Credentials in use since/)).toBeVisible()
  })
})

describe('Check now', () => {
  it('asks for no verification and says what was found', async () => {
    const broken = aWarehouse({ status: 1, lastError: 'The health file is missing.' })
    const { server, person } = open([aWarehouse()], { more: { 'POST /api/warehouse/check/11': () => ok(broken) } })
    const button = (await row('Frankfurt archive')).getByRole('button', { name: 'Check Frankfurt archive now' })
    server.handlers['GET /api/all'] = () => ok({ item1: [broken], item2: 1, summary: summaryOf([broken]) })
    await person.click(button)
    expect(await screen.findByText('Frankfurt archive: The health file is missing.')).toBeVisible()
    expect((await row('Frankfurt archive')).getByText('Connected')).toBeVisible()
    server.handlers['POST /api/warehouse/check/11'] = () => ok(aWarehouse())
    await person.click(button)
    expect(await screen.findByText('Frankfurt archive is Active')).toBeVisible()
    expect(await header('Frankfurt archive')).toHaveAttribute('aria-expanded', 'false')
  })

  it('goes away while a check is running', async () => {
    const { server, person } = open([aWarehouse()], {
      more: { 'POST /api/warehouse/check/11': () => ok(aWarehouse({ checking: true })) },
    })
    const frankfurt = await row('Frankfurt archive')
    const running = [aWarehouse({ checking: true })]
    server.handlers['GET /api/all'] = () => ok({ item1: running, item2: 1, summary: summaryOf(running) })
    await person.click(frankfurt.getByRole('button', { name: /^Check/ }))
    expect(await frankfurt.findByText('Processing…')).toBeVisible()
    expect(frankfurt.queryByRole('button', { name: /^Check/ })).toBeNull()
  })

  it('says why it was refused', async () => {
    const { person } = open([aWarehouse()], {
      more: { 'POST /api/warehouse/check/11': () => fail(429, 'too_many_tries', 'Try again in 9 minutes.') },
    })
    await person.click((await row('Frankfurt archive')).getByRole('button', { name: /^Check/ }))
    expect(await screen.findByText('Try again in 9 minutes.')).toBeVisible()
  })
})

describe('the history', () => {
  const changes: WarehouseChange[] = [
    { id: 3, since: '2026-11-03T10:00:00Z', until: null, status: 2, cause: null, causeCode: null },
    {
      id: 2,
      since: '2026-11-02T08:00:00Z',
      until: '2026-11-03T10:00:00Z',
      status: 0,
      cause: 'Cannot reach the provider.',
      causeCode: 'unreachable',
    },
  ]
  const path = 'GET /api/warehouse/history/11'

  it('lists each period with its cause, page by page', async () => {
    const { server, person } = open(four, { more: { [path]: () => ok({ item1: changes, item2: 7 }) } })
    await person.click((await row('Frankfurt archive')).getByRole('button', { name: 'History of Frankfurt archive' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'History of Frankfurt archive' }))
    const [now, before] = await dialog.findAllByRole('listitem')
    expect(now).toHaveTextContent(/^ActiveSince /)
    expect(before).toHaveTextContent(/^Not Connected.* – .*Cannot reach the provider\.$/)
    await person.click(dialog.getByRole('button', { name: 'Next page' }))
    await waitFor(() => expect(server.to(path).at(-1)!.url.search).toBe('?skip=1&limit=5'))
    await person.click(dialog.getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('says that there is none yet', async () => {
    const { person } = open(four, { more: { [path]: () => ok({ item1: [], item2: 0 }) } })
    await person.click((await row('Frankfurt archive')).getByRole('button', { name: /^History/ }))
    expect(await screen.findByText('No status yet')).toBeInTheDocument()
  })

  it('says why it could not be loaded, and tries again', async () => {
    const { server, person } = open(four, { more: { [path]: () => fail(503, 'unavailable', 'Back soon.') } })
    await person.click((await row('Frankfurt archive')).getByRole('button', { name: /^History/ }))
    expect(await screen.findByText('Could not load the history')).toBeInTheDocument()
    server.handlers[path] = () => ok({ item1: changes, item2: 2 })
    await person.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await screen.findByText('Cannot reach the provider.')).toBeInTheDocument()
  })
})
