import { act, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { sessionStore } from '@/api/session'
import { changeLanguage } from '@/i18n/i18n'
import { LANGUAGES } from '@/i18n/languages'
import { renderWithProviders } from '@/testing/render'
import { fail, ok, serve } from '@/testing/server'
import { anAdmin } from '@/testing/users'
import { REFRESH_SECONDS, type SystemState } from '../api'
import SystemPage from '../SystemPage'

const readAt = '2026-11-19T12:00:00Z'
const quiet: SystemState = {
  readAt,
  countedUpTo: 10_000,
  queues: ['email', 'sms', 'warehouses'].map((name) => ({ name, waiting: 0, running: 0, oldest: null })),
  failedWorkflows: 0,
  failingClouds: [],
  messages: [
    { channel: 'email', waiting: 0, refused: 0, lastRefusedAt: null },
    { channel: 'sms', waiting: 0, refused: 0, lastRefusedAt: null },
  ],
  replica: null,
  lastBackupAt: null,
  processes: [
    {
      slot: 0,
      version: '0.7.7',
      commit: 'eac2ccf1',
      startedAt: '2026-11-19T09:00:00Z',
      seenAt: '2026-11-19T11:59:59Z',
      isSilent: false,
    },
  ],
}
const troubled: SystemState = {
  ...quiet,
  queues: [
    {
      name: 'email',
      waiting: 10_001,
      running: 8,
      oldest: { workflow: 'tessera.notifications.workflows.deliver_email', since: '2026-11-19T11:30:00Z' },
    },
    {
      name: 'warehouses',
      waiting: 1,
      running: 0,
      oldest: { workflow: 'tessera.warehouses.workflows.check', since: '2026-11-19T10:00:00Z' },
    },
    { name: 'sms', waiting: 0, running: 0, oldest: null },
  ],
  failedWorkflows: 2,
  failingClouds: [
    { cloud: 'AWS S3', cause: 'unreachable', reason: 'Cannot reach the provider.', warehouses: 40, companies: 12 },
  ],
  messages: [
    { channel: 'email', waiting: 10_001, refused: 3, lastRefusedAt: '2026-11-19T11:55:00Z' },
    { channel: 'sms', waiting: 0, refused: 0, lastRefusedAt: null },
  ],
  replica: { state: 'following', behindBytes: 2_000_000, behindSeconds: 12.34 },
  lastBackupAt: '2026-11-17T12:00:00Z',
  processes: [
    ...quiet.processes,
    { slot: 1, version: null, commit: null, startedAt: null, seenAt: '2026-11-19T11:59:00Z', isSilent: true },
  ],
}

beforeEach(() => {
  sessionStore.signIn('t', anAdmin())
})

afterEach(async () => {
  vi.useRealTimers()
  await act(async () => {
    sessionStore.signOut('expired')
    await changeLanguage('en')
  })
  vi.unstubAllGlobals()
})

function open(state: SystemState) {
  const server = serve({ 'GET /api/admin/system': () => ok(state) })
  renderWithProviders(<SystemPage />)
  return server
}

const card = (name: string) => screen.findByRole('region', { name })

describe('System', () => {
  it('says that nothing is wrong, and what was never reported', async () => {
    open(quiet)
    expect(await card('Queues')).toHaveTextContent('No work is waiting.')
    expect(await card('Queues')).toHaveTextContent('No workflow failed in the last 24 hours.')
    expect(await card('Failing clouds')).toHaveTextContent('No warehouse is failing.')
    expect(await card('Database')).toHaveTextContent('No replica is configured.')
    expect(await card('Database')).toHaveTextContent('No backup has been reported.')
    expect(document.querySelectorAll('[data-wrong="true"]')).toHaveLength(0)
  })

  it('names queues, clouds and messages in trouble with their numbers', async () => {
    open(troubled)
    const queues = await card('Queues')
    expect(queues).toHaveTextContent('notifications.workflows.deliver_email')
    expect(queues).toHaveTextContent('10,000+')
    expect(queues).toHaveTextContent('30 minutes ago')
    expect(queues).toHaveTextContent('1 other queue is empty.')
    expect(queues).toHaveTextContent('2 workflows failed in the last 24 hours.')
    expect(screen.getByText('Oldest workflow').parentElement).toHaveTextContent('2 hours ago')
    expect(await card('Failing clouds')).toHaveTextContent('AWS S3Warehouses40Companies12Cannot reach the provider.')
    expect(await card('Emails and SMS')).toHaveTextContent('Last refused 5 minutes ago')
  })

  it('says how far the replica is behind and how old the backup is', async () => {
    open(troubled)
    const database = await card('Database')
    expect(database).toHaveTextContent('12.3 s behind the primary (2 MB).')
    expect(database).toHaveTextContent('2 days ago')
    expect(database.querySelectorAll('[data-wrong="true"]')).toHaveLength(2)
  })

  it('marks a replica that is behind and has replayed nothing', async () => {
    open({ ...quiet, replica: { state: 'following', behindBytes: 2_000_000, behindSeconds: null } })
    const database = await card('Database')
    expect(database).toHaveTextContent('2 MB behind the primary, with no change taken over since it started.')
    expect(database.querySelectorAll('[data-wrong="true"]')).toHaveLength(1)
  })

  it.each([
    ['away', 'The replica cannot be reached. Lists are read from the primary.'],
    ['notReplica', 'The configured server is not a replica. Lists are read from the primary.'],
  ] as const)('says that the replica is %s', async (state, text) => {
    open({ ...quiet, replica: { state, behindBytes: null, behindSeconds: null } })
    expect(await card('Database')).toHaveTextContent(text)
  })

  it('marks a silent process, and different versions', async () => {
    open(troubled)
    const processes = await card('Processes')
    expect(processes).toHaveTextContent('Different versions')
    const [first, second] = within(processes).getAllByRole('listitem')
    expect(first).toHaveTextContent('Running')
    expect(first).toHaveTextContent('eac2ccf1')
    expect(second).toHaveTextContent('No sign of life')
    expect(second).toHaveTextContent('Unknown')
  })

  it('is read again by itself, and keeps the last state when that fails', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const server = open(quiet)
    expect(await screen.findByText(/Read at .+, and again every 10 seconds\./)).toBeVisible()
    server.handlers['GET /api/admin/system'] = () => ok(troubled)
    await act(() => vi.advanceTimersByTimeAsync(REFRESH_SECONDS * 1000))
    expect(await screen.findByText('AWS S3')).toBeVisible()
    server.handlers['GET /api/admin/system'] = () => fail(503, 'unavailable')
    await act(() => vi.advanceTimersByTimeAsync(REFRESH_SECONDS * 5000))
    expect(await screen.findByText('Could not refresh. Below is what was read last.')).toBeVisible()
    expect(screen.getByText('AWS S3')).toBeVisible()
  })

  it('offers another try when nothing could be read', async () => {
    serve({ 'GET /api/admin/system': () => fail(500, 'internal_error', 'Something went wrong.') })
    renderWithProviders(<SystemPage />)
    expect(screen.getByRole('status', { name: 'Loading the state of the system' })).toBeVisible()
    expect(await screen.findByText('Could not load the state of the system')).toBeVisible()
    expect(screen.getByRole('button', { name: /retry/i })).toBeVisible()
  })

  it.each(LANGUAGES)('has all its texts in %s', async (language) => {
    await changeLanguage(language)
    open(troubled)
    await screen.findByText('AWS S3')
    expect(document.body.textContent).not.toMatch(/\b(summary|queues|clouds|messages|database|processes)\.[a-z]/i)
  })
})
