import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { changeLanguage } from '@/i18n/i18n'
import { pageOf } from '@/testing/lists'
import { renderWithProviders } from '@/testing/render'
import { fail, ok, serve } from '@/testing/server'
import { aLeader, anAdmin } from '@/testing/users'
import ActivityPage from '../ActivityPage'
import type { Activity } from '../api'
import LatestActivity from '../LatestActivity'

const revealed: Activity = {
  id: 9,
  at: '2026-02-03T10:00:00Z',
  actorUuid: null,
  actorName: 'Ada Lindqvist',
  apiTokenId: null,
  action: 'passphrase.revealed',
  text: 'Passphrase revealed',
  changes: [],
  target: '',
  details: { epoch: 1 },
  origin: '203.0.113.7',
}
const removed: Activity = {
  ...revealed,
  id: 8,
  actorName: '',
  action: 'member.removed',
  text: 'Member removed',
  target: 'zoe@northwind.test',
}

afterEach(async () => {
  vi.unstubAllGlobals()
  await act(() => changeLanguage('en'))
})

describe('the activity', () => {
  it('says that a token did it, whatever its name', async () => {
    serve({ 'GET /api/activity': (call) => pageOf([{ ...revealed, apiTokenId: 3 }], call) })
    renderWithProviders(<ActivityPage />)
    expect(await screen.findByText('(API token)', { exact: false })).toHaveTextContent('Ada Lindqvist (API token)')
  })

  it('says who, what, when and from where', async () => {
    serve({ 'GET /api/activity': (call) => pageOf([revealed, removed], call) })
    renderWithProviders(<ActivityPage />)
    expect(await screen.findByText('Passphrase revealed')).toBeVisible()
    expect(screen.getAllByText('203.0.113.7')[0]).toBeVisible()
    expect(screen.getByText('zoe@northwind.test')).toBeVisible()
    expect(screen.queryByText(/API token/)).toBeNull()
    expect(screen.getByText('Platform')).toBeVisible()
    expect(screen.queryByRole('columnheader', { name: 'Company' })).toBeNull()
  })

  it('says what changed, from what to what', async () => {
    const changes = ['Company name: Northwind → Southwind', 'Card replaced']
    const updated = { ...revealed, action: 'company.updated', text: 'Company updated', changes }
    serve({ 'GET /api/activity': (call) => pageOf([updated], call) })
    renderWithProviders(<ActivityPage />)
    for (const change of changes) expect(await screen.findByText(change)).toBeVisible()
  })

  it('names the company where there are many', async () => {
    serve({
      'GET /api/admin/activity': (call) => pageOf([{ ...revealed, companyId: 2, companyName: 'Northwind Ltd' }], call),
    })
    renderWithProviders(<ActivityPage scope="all" />)
    expect(await screen.findByText('Northwind Ltd')).toBeVisible()
  })

  it('is asked for again when the language changes', async () => {
    serve({
      'GET /api/activity': (call) =>
        pageOf([{ ...revealed, text: `Text in ${call.headers.get('Accept-Language')}` }], call),
    })
    renderWithProviders(<ActivityPage />)
    expect(await screen.findByText('Text in en')).toBeVisible()
    await act(() => changeLanguage('tr'))
    expect(await screen.findByText('Text in tr')).toBeVisible()
  })

  it('is filtered by what happened', async () => {
    const server = serve({
      'GET /api/activity': (call) => pageOf([removed], call),
      'GET /api/activity/actions': () => ok([removed, revealed].map(({ action, text }) => ({ action, text }))),
    })
    renderWithProviders(<ActivityPage />)
    await userEvent.click(await screen.findByRole('button', { name: 'Filters' }))
    const choice = await screen.findByRole('option', { name: 'Passphrase revealed' })
    await userEvent.selectOptions(screen.getByLabelText('Value'), choice)
    await userEvent.click(screen.getByRole('button', { name: 'Add filter' }))
    await waitFor(() =>
      expect(server.calls.at(-1)!.url.searchParams.getAll('filter')).toEqual(['action:matches:passphrase.revealed']),
    )
    expect(screen.getByText('What: Passphrase revealed')).toBeVisible()
  })

  it('is exported as it is shown, or says that it could not be', async () => {
    let works = true
    const server = serve({
      'GET /api/activity': (call) => pageOf([revealed], call),
      'GET /api/activity/export': () => (works ? new Response('when,who') : fail(500, 'internal')),
    })
    const made = vi.fn(() => 'blob:file')
    vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: made, revokeObjectURL: () => undefined }))
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
    renderWithProviders(<ActivityPage />, { path: '/activity?q=ada&sort=at:asc&page=2', withToasts: true })
    await userEvent.click(await screen.findByRole('button', { name: 'Export CSV' }))
    await waitFor(() => expect(click).toHaveBeenCalledOnce())
    expect(Object.fromEntries(server.to('GET /api/activity/export')[0]!.url.searchParams)).toEqual({
      searchText: 'ada',
      sort: 'at:asc',
    })
    works = false
    await userEvent.click(screen.getByRole('button', { name: 'Export CSV' }))
    expect(await screen.findByText('Could not export activity')).toBeVisible()
    click.mockRestore()
  })
})

describe('the latest activity', () => {
  it('leads a leader to the company’s, an admin to all of it', async () => {
    serve({
      'GET /api/activity': () => ok({ item1: [revealed], item2: 1 }),
      'GET /api/admin/activity': () => ok({ item1: [], item2: 0 }),
    })
    const close = vi.fn()
    renderWithProviders(<LatestActivity user={aLeader()} onClose={close} />)
    expect(await screen.findByText('Passphrase revealed')).toBeVisible()
    await userEvent.click(screen.getByRole('link', { name: 'All activity' }))
    expect(close).toHaveBeenCalledOnce()
    renderWithProviders(<LatestActivity user={anAdmin()} onClose={close} />)
    expect(await screen.findByText('No activity yet')).toBeVisible()
  })

  it('can be asked for again', async () => {
    let works = false
    serve({
      'GET /api/activity': () =>
        works ? ok({ item1: [revealed], item2: 1 }) : fail(500, 'internal', 'No record today.'),
    })
    renderWithProviders(<LatestActivity user={aLeader()} onClose={() => undefined} />)
    expect(await screen.findByText(/No record today\./)).toBeVisible()
    works = true
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await screen.findByText('Passphrase revealed')).toBeVisible()
  })
})
