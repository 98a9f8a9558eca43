import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { fillIn } from '@/testing/fill-in'
import { codeSent, fail, ok } from '@/testing/server'
import { aWarehouse, azure, s3Details, summaryOf } from './clouds'
import { four, header, open, openRow, row, withLeader } from './open-page'

withLeader()

describe('the page', () => {
  it('shows a skeleton, then how things stand in words and figures', async () => {
    open([aWarehouse(), azure, aWarehouse({ id: 15 }), aWarehouse({ id: 16 })])
    expect(screen.getByRole('heading', { level: 1, name: 'Warehouses' })).toBeVisible()
    expect(screen.getByRole('status', { name: 'Loading warehouses…' })).toBeVisible()
    const card = await screen.findByRole('region', { name: 'You can lose 1 warehouse without losing data' })
    expect(card).toHaveTextContent('4 of 4 Active · at least 3 required · encryption key version 2')
    expect(within(card).getByText('Active').nextSibling).toHaveTextContent('4')
    expect(within(card).getByText('Required').nextSibling).toHaveTextContent('3')
    expect(within(card).getByText('Can be lost').nextSibling).toHaveTextContent('1')
  })

  it.each([
    ['You cannot lose a warehouse without losing data', { active: 3, total: 3 }],
    ['You can lose 2 warehouses without losing data', { active: 5, total: 6, mayFail: 2 }],
    ['1 more warehouse must become Active', { active: 2, total: 4 }],
    ['Connect 2 more warehouses', { active: 1, total: 1 }],
  ])('says: %s', async (words, change) => {
    const summary = { ...summaryOf([]), ...change }
    open(four, { more: { 'GET /api/all': () => ok({ item1: four, item2: 4, summary }) } })
    expect(await screen.findByRole('heading', { level: 2, name: words })).toBeVisible()
  })

  // Specification: 2.64, 4.33
  it('explains the three states', async () => {
    open()
    const legend = await screen.findByRole('list', { name: 'Status legend' })
    expect(
      within(legend)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent.split(':')[0]),
    ).toEqual(['Not Connected', 'Connected', 'Active'])
  })

  it('shows each warehouse without a credential', async () => {
    const { server } = open()
    const first = await row('Frankfurt archive')
    expect(first.getByText('AWS S3')).toBeVisible()
    expect(first.getByText('frankfurt-tiles/vault')).toBeVisible()
    expect(first.getByText('Active')).toBeVisible()
    expect(first.getByText('Default')).toBeVisible()
    expect(first.getByText('Checked 2 minutes ago')).toBeVisible()
    expect(first.getByRole('img', { name: 'Last 30 days: 30 days Active' })).toBeVisible()
    const third = await row('Zürich cold store')
    expect(
      third.getByRole('img', { name: 'Last 30 days: 8 days Active, 1 day Connected, 1 day Not Connected' }),
    ).toBeVisible()
    expect(third.getByText('The health file is missing.')).toBeVisible()
    expect(third.getByRole('button', { name: 'Republish Health File' })).toBeVisible()
    expect((await row('Azure')).queryByRole('button', { name: 'Republish Health File' })).toBeNull()
    expect(server.to('GET /api/warehouse')).toHaveLength(0)
  })

  // Specification: 1.2, 2.70, 8.61, 8.62
  it('is empty: says so, how many are needed, and what to do', async () => {
    const { person } = open([])
    expect(await screen.findByText('There are no Warehouses')).toBeVisible()
    expect(screen.getByText(/The service requires at least three warehouses/)).toBeVisible()
    expect(screen.getByRole('link', { name: 'How to get credentials' })).toHaveAttribute('href', '/faq')
    expect(screen.getByRole('button', { name: 'New encryption key' }).parentElement).toHaveAccessibleDescription(
      'Connect a warehouse first.',
    )
    await person.click(screen.getByRole('button', { name: 'Add your first warehouse' }))
    expect(await screen.findByRole('dialog', { name: 'Add a warehouse' })).toBeVisible()
  })

  it('says why it could not be loaded, and tries again', async () => {
    const { server, person } = open(four, { more: { 'GET /api/all': () => fail(503, 'unavailable', 'Back soon.') } })
    expect(await screen.findByRole('alert')).toHaveTextContent('Could not load warehousesBack soon.')
    server.handlers['GET /api/all'] = () => ok({ item1: four, item2: 4, summary: summaryOf(four) })
    await person.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await header('Azure')).toBeVisible()
  })

  // Specification: 9.1
  it('keeps page and search in the address', async () => {
    const many = Array.from({ length: 7 }, (_, index) => aWarehouse({ id: index + 1, nickName: `Store ${index + 1}` }))
    const { server, person } = open(many)
    expect(await screen.findByText('1–5 of 7')).toBeVisible()
    await person.click(screen.getByRole('button', { name: 'Next page' }))
    expect(await header('Store 7')).toBeVisible()
    expect(screen.getByTestId('where')).toHaveTextContent('/warehouses?page=2')
    await fillIn(person, screen.getByRole('searchbox', { name: 'Search warehouses' }), 'store 3')
    await person.keyboard('{Enter}')
    expect(await header('Store 3')).toBeVisible()
    expect(screen.getByTestId('where')).toHaveTextContent('/warehouses?q=store+3')
    expect(server.calls.at(-1)!.url.search).toBe('?skip=0&limit=5&searchText=store%203')
    await person.clear(screen.getByRole('searchbox'))
    await fillIn(person, screen.getByRole('searchbox'), 'nowhere')
    await person.keyboard('{Enter}')
    expect(await screen.findByText('No Results Found')).toBeVisible()
  })

  it('says Processing while a check runs, and looks again', async () => {
    const slow = aWarehouse({ status: 0, checking: true, lastError: 'An old failure.', lastCheck: null })
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const { server } = open([slow])
    expect(await screen.findByText('Processing…')).toBeVisible()
    expect(screen.queryByText('An old failure.')).toBeNull()
    const done = [aWarehouse()]
    server.handlers['GET /api/all'] = () => ok({ item1: done, item2: 1, summary: summaryOf(done) })
    await act(() => vi.advanceTimersByTimeAsync(2_000))
    expect(await screen.findByText('Checked 2 minutes ago')).toBeVisible()
    expect(screen.queryByText('Processing…')).toBeNull()
  })
})

describe('opening a warehouse', () => {
  // Specification: 2.63, 4.17
  it('waits for verification, and then repeats what was asked for', async () => {
    let verified = false
    const { server, person } = open(four, {
      more: {
        'GET /api/warehouse': () => (verified ? ok(s3Details) : fail(403, 'verification_required')),
        'POST /api/auth/generate-otp': () => codeSent(),
        'POST /api/auth/verify-otp/246810': () => {
          verified = true
          return ok({ verifiedFor: 300 })
        },
      },
    })
    await person.click(await header('Frankfurt archive'))
    const dialog = await screen.findByRole('dialog', { name: 'Verification Required' })
    expect(screen.queryByText('northwind-tessera')).toBeNull()
    await person.type(await within(dialog).findByRole('textbox', { name: 'Verification code' }), '246810')
    expect(await screen.findByText('northwind-tessera')).toBeInTheDocument()
    expect(server.to('GET /api/warehouse')).toHaveLength(2)
  })

  it('stays closed when the verification is', async () => {
    const { person } = open(four, {
      more: {
        'GET /api/warehouse': () => fail(403, 'verification_required'),
        'POST /api/auth/generate-otp': () => codeSent(),
      },
    })
    await person.click(await header('Frankfurt archive'))
    const dialog = await screen.findByRole('dialog', { name: 'Verification Required' })
    await person.click(await within(dialog).findByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(await header('Frankfurt archive')).toHaveAttribute('aria-expanded', 'false')
    expect(screen.queryByRole('alert')).toBeNull()
  })

  // Specification: 4.18
  it('closes when the verified access ends, not five minutes after it was opened', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const { person } = open(four, { more: { 'GET /api/warehouse': () => ok({ ...s3Details, verifiedFor: 20 }) } })
    await openRow(person, 'Frankfurt archive')
    await act(() => vi.advanceTimersByTimeAsync(21_000))
    expect(screen.queryByRole('region', { name: 'Frankfurt archive' })).toBeNull()
  })

  it('asks again before it shows a secret after that', async () => {
    const { person } = open(four, {
      more: {
        'GET /api/warehouse': ({ url }) =>
          url.searchParams.get('view') === 'full' ? fail(403, 'verification_required') : ok(s3Details),
        'POST /api/auth/generate-otp': () => codeSent(),
      },
    })
    const panel = await openRow(person, 'Frankfurt archive')
    await person.click(panel.getByRole('button', { name: 'Show Secret' }))
    expect(await screen.findByRole('dialog', { name: 'Verification Required' })).toBeVisible()
  })

  it('shows the fields with the secrets masked, to be shown and copied', async () => {
    const { server, person } = open()
    const panel = await openRow(person, 'Frankfurt archive')
    expect(panel.getByText('Bucket Name').nextSibling).toHaveTextContent('northwind-tessera')
    expect(panel.getByText('Region').nextSibling).toHaveTextContent('eu-central-1')
    expect(panel.queryByText('sssh-do-not-tell-anybody')).toBeNull()
    expect(panel.queryByText('AKIA0000000000007Q2M')).toBeNull()
    expect(server.to('GET /api/warehouse').map(({ url }) => url.searchParams.get('view'))).toEqual(['masked'])
    await person.click(panel.getByRole('button', { name: 'Show Secret' }))
    expect(await panel.findByText('sssh-do-not-tell-anybody')).toBeVisible()
    await person.click(panel.getByRole('button', { name: 'Hide Secret' }))
    expect(panel.queryByText('sssh-do-not-tell-anybody')).toBeNull()
    await person.click(panel.getByRole('button', { name: 'Copy Account Key' }))
    expect(await screen.findByText('Copied')).toBeVisible()
    expect(await navigator.clipboard.readText()).toBe('AKIA0000000000007Q2M')
  })

  // Specification: 2.31, 2.62
  it('opens one at a time, and closes', async () => {
    const { person } = open()
    await openRow(person, 'Frankfurt archive')
    await openRow(person, 'Azure')
    expect(screen.getAllByRole('region', { name: /Frankfurt|Azure/ })).toHaveLength(1)
    await person.click(await header('Azure'))
    expect(await header('Azure')).toHaveAttribute('aria-expanded', 'false')
    expect(screen.queryByRole('region', { name: 'Azure' })).toBeNull()
  })

  it('lets credentials that cannot be opened be entered again', async () => {
    const { person } = open(four, {
      more: { 'GET /api/warehouse': () => fail(503, 'credentials_unreadable', 'Call us.') },
    })
    const panel = await openRow(person, 'Frankfurt archive')
    await person.click(panel.getByRole('button', { name: 'Edit' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit warehouse' }))
    expect(dialog.getByLabelText('Bucket Name')).toHaveValue('')
    expect(dialog.getByLabelText('Path')).toHaveValue('/vault')
  })

  it('says why it failed', async () => {
    const { person } = open(four, { more: { 'GET /api/warehouse': () => fail(500, 'internal_error') } })
    await person.click(await header('Azure'))
    expect(await screen.findByText('Could not Load Warehouse')).toBeVisible()
  })
})
