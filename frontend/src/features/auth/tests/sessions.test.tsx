import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { sessionStore } from '@/api/session'
import { renderWithProviders } from '@/testing/render'
import { fail, ok, serve } from '@/testing/server'
import { aLeader } from '@/testing/users'
import SessionsDialog from '../SessionsDialog'

const close = vi.fn()
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

const here = {
  id: 7,
  kind: 'browser',
  browser: 'Chrome',
  system: 'Windows',
  clientName: null,
  clientVersion: null,
  origin: '192.0.2.1',
  startedAt: ago(60),
  lastUsedAt: ago(0),
  current: true,
}
const there = {
  ...here,
  id: 5,
  browser: 'Safari',
  system: 'iPhone',
  origin: '198.51.100.7',
  lastUsedAt: ago(8),
  current: false,
}
const unknown = { ...there, id: 4, browser: '', system: '' }
const client = {
  ...there,
  id: 3,
  kind: 'client',
  browser: '',
  system: 'Linux',
  clientName: 'office-pc',
  clientVersion: '0.7.7',
}

function open(...first: object[]) {
  let sessions = first
  const server = serve({
    'GET /api/auth/sessions': () => ok(sessions),
    'DELETE /api/auth/sessions/5': () => {
      sessions = sessions.filter((session) => session !== there)
      return ok()
    },
    'POST /api/auth/sessions/end-others': () => {
      sessions = [here]
      return ok()
    },
    'POST /api/auth/sessions/end-all': () => ok(),
    'POST /api/auth/logout': () => ok(),
  })
  renderWithProviders(<SessionsDialog onClose={close} />, { withToasts: true })
  return { server, person: userEvent.setup() }
}

const rows = () => screen.findAllByRole('listitem')

beforeEach(() => {
  close.mockReset()
  sessionStore.signIn('t', aLeader())
})

afterEach(() => {
  act(() => sessionStore.signOut('expired'))
  vi.unstubAllGlobals()
})

describe('the sessions', () => {
  it('lists device, origin and times of each session and marks this one', async () => {
    open(here, there, unknown, client)
    const [first, second, third, fourth] = await rows()
    expect(first).toHaveAttribute('aria-current', 'true')
    expect(first).toHaveTextContent('Chrome on WindowsThis session')
    expect(first).toHaveTextContent('Active now')
    expect(within(first!).queryByRole('button')).toBeNull()
    expect(second).toHaveTextContent('Safari on iPhone')
    expect(second).toHaveTextContent('Last active 8 minutes ago')
    expect(within(second!).getByText('198.51.100.7')).toHaveAttribute('dir', 'ltr')
    expect(third).toHaveTextContent('Unknown device')
    expect(third).not.toHaveTextContent('client')
    expect(fourth).toHaveTextContent('office-pc on LinuxTessera client 0.7.7')
  })

  it('signs one session out and renews the list', async () => {
    const { server, person } = open(here, there)
    await person.click(await screen.findByRole('button', { name: 'Log out Safari on iPhone' }))
    expect(await screen.findByText('Session ended')).toBeVisible()
    await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(1))
    expect(server.to('DELETE /api/auth/sessions/5')).toHaveLength(1)
    expect(screen.getByText('You are not logged in anywhere else.')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Log out everywhere else' })).toBeNull()
  })

  it('treats a session that has ended as signed out', async () => {
    const { server, person } = open(here, there)
    server.handlers['DELETE /api/auth/sessions/5'] = () => fail(404, 'session_not_found', 'There is no such session.')
    await person.click(await screen.findByRole('button', { name: 'Log out Safari on iPhone' }))
    expect(await screen.findByText('Session ended')).toBeVisible()
  })

  it('signs out everywhere else after a confirmation', async () => {
    const { server, person } = open(here, there)
    await person.click(await screen.findByRole('button', { name: 'Log out everywhere else' }))
    const asked = screen.getByRole('alertdialog', { name: 'Log out everywhere else' })
    expect(asked).toHaveTextContent('except this one')
    await person.click(within(asked).getByRole('button', { name: 'Log out' }))
    await waitFor(() => expect(server.to('POST /api/auth/sessions/end-others')).toHaveLength(1))
    expect(await screen.findByText('Logged out everywhere else')).toBeVisible()
    expect(sessionStore.get().status).toBe('signedIn')
  })

  it('signs out everywhere, including this browser', async () => {
    const { server, person } = open(here, there)
    await person.click(await screen.findByRole('button', { name: 'Log out everywhere' }))
    const asked = screen.getByRole('alertdialog', { name: 'Log out everywhere' })
    await person.click(within(asked).getByRole('button', { name: 'Log out' }))
    await waitFor(() => expect(sessionStore.get()).toEqual({ status: 'guest', reason: 'loggedOut' }))
    expect(server.to('POST /api/auth/sessions/end-all')).toHaveLength(1)
  })

  it('shows an error when sessions cannot be loaded, and retries', async () => {
    const { server, person } = open()
    const working = server.handlers['GET /api/auth/sessions']!
    server.handlers['GET /api/auth/sessions'] = () => fail(429, 'busy', 'Too much is going on.')
    await person.click(await screen.findByRole('button', { name: 'Retry' }))
    server.handlers['GET /api/auth/sessions'] = working
    await person.click(await screen.findByRole('button', { name: 'Retry' }))
    expect(await screen.findByText('You are not logged in anywhere else.')).toBeVisible()
    await person.click(screen.getByRole('button', { name: 'Close' }))
    expect(close).toHaveBeenCalledOnce()
  })
})
