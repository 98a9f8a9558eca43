import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { sessionStore, type User } from '@/api/session'
import { pageOf } from '@/testing/lists'
import { renderWithProviders } from '@/testing/render'
import { fail, ok, serve } from '@/testing/server'
import { aLeader } from '@/testing/users'
import MembersPage from '../MembersPage'
import { leaderRow } from '@/testing/members'

const nothing = { passphraseSheet: false, warehouses: false, members: false, client: false }
const all = { passphraseSheet: true, warehouses: true, members: true, client: true }

function open(more: Parameters<typeof serve>[0], user: User = aLeader({ firstSteps: true })) {
  const server = serve({
    'GET /api/users': (call) => pageOf([leaderRow], call),
    'GET /api/user/team-leader': () => ok(leaderRow),
    'GET /api/invites': () => ok({ item1: [], item2: 0 }),
    ...more,
  })
  sessionStore.signIn('t', user)
  renderWithProviders(<MembersPage />, { path: '/team-members', withToasts: true })
  return server
}

const card = (name = 'First steps') => screen.findByRole('region', { name })

async function stepOf(text: string) {
  return within((await screen.findByText(text)).closest('li')!)
}

afterEach(() => {
  act(() => sessionStore.signOut('expired'))
  vi.unstubAllGlobals()
})

describe('the first steps', () => {
  it('does not fetch the first steps for other users', async () => {
    const server = open({}, aLeader())
    expect(await screen.findByRole('heading', { level: 1 })).toBeVisible()
    await waitFor(() => expect(server.to('GET /api/users')).not.toHaveLength(0))
    expect(screen.queryByRole('region', { name: 'First steps' })).toBeNull()
    expect(server.to('GET /api/company/first-steps')).toHaveLength(0)
  })

  it('shows which steps are done and links to the others', async () => {
    open({ 'GET /api/company/first-steps': () => ok({ ...nothing, members: true }) })
    expect(await screen.findByText('1 of 4 done')).toBeVisible()
    expect((await stepOf('Invite your first member')).getByText('Done')).toBeInTheDocument()
    expect((await stepOf('Invite your first member')).queryByRole('button')).toBeNull()
    expect(screen.getByRole('link', { name: 'Go to Warehouses' })).toHaveAttribute('href', '/warehouses')
    expect(screen.getByRole('link', { name: 'Download' })).toHaveAttribute('href', '/download')
  })

  it('links to the subscription when warehouses are shared', async () => {
    open({ 'GET /api/company/first-steps': () => ok(nothing) }, aLeader({ firstSteps: true, canViewWarehouse: false }))
    expect(await screen.findByRole('link', { name: 'Go to Warehouses' })).toHaveAttribute('href', '/subscription')
    expect(screen.getByText('Three clouds are ready')).toBeVisible()
    expect(screen.queryByText('Connect three warehouses')).toBeNull()
  })

  it('marks the passphrase sheet as kept when the leader says so', async () => {
    const server = open({ 'GET /api/company/first-steps': () => ok(nothing) })
    server.handlers['PUT /api/company/first-steps/passphrase-sheet'] = () => {
      const kept = { ...nothing, passphraseSheet: true }
      server.handlers['GET /api/company/first-steps'] = () => ok(kept)
      return ok(kept)
    }
    await userEvent.click(await screen.findByRole('button', { name: 'I have kept it' }))
    await waitFor(async () => expect(await card()).toHaveTextContent('1 of 4 done'))
    expect(screen.queryByRole('button', { name: 'I have kept it' })).toBeNull()
  })

  it('hides the first steps when they are dismissed', async () => {
    const server = open({
      'GET /api/company/first-steps': () => ok(all),
      'PUT /api/company/first-steps/dismissed': () => ok(undefined),
      'GET /api/auth/login-token': () => ok({ user: aLeader() }),
    })
    const shown = within(await card('You are all set'))
    await userEvent.click(shown.getByRole('button', { name: 'Dismiss' }))
    await waitFor(() => expect(screen.queryByRole('region', { name: 'You are all set' })).toBeNull())
    expect(server.to('PUT /api/company/first-steps/dismissed')).toHaveLength(1)
    await waitFor(() => expect(screen.getByRole('heading', { level: 1 })).toHaveFocus())
  })

  it('shows an error when the steps cannot be loaded, and retries', async () => {
    const server = open({ 'GET /api/company/first-steps': () => fail(503, 'unavailable', 'Back soon.') })
    const shown = within(await card())
    expect(await shown.findByRole('alert')).toHaveTextContent('Back soon.')
    server.handlers['GET /api/company/first-steps'] = () => ok(nothing)
    await userEvent.click(shown.getByRole('button', { name: 'Retry' }))
    expect(await shown.findByText('0 of 4 done')).toBeVisible()
  })
})
