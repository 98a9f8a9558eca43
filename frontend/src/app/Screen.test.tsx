import { act, fireEvent, screen, within } from '@testing-library/react'
import type { ReactNode } from 'react'
import { useLocation, type Location } from 'react-router'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { sessionStore } from '@/api/session'
import { renderWithProviders } from '@/testing/render'
import { aLeader, aMember } from '@/testing/users'
import { Screen } from './Screen'

vi.mock('./layout/console/ConsoleFrame', () => ({
  default: ({ children }: { children: ReactNode }) => <main>{children}</main>,
}))

function Address() {
  const location: Location<unknown> = useLocation()
  const { pathname, search, state } = location
  return <output>{`${pathname}${search} ${JSON.stringify(state)}`}</output>
}

const address = () => screen.getByText(/^\/.*(null|}|undefined)$/)

// What suspends inside a synchronous `act` is never taken up again; an awaited one waits for it.
const settle = (work: () => void) =>
  act(async () => {
    work()
  })

const open = (path: string) =>
  settle(() => {
    renderWithProviders(
      <>
        <Screen />
        <Address />
      </>,
      { path },
    )
  })

beforeEach(async () => {
  // No answers: these tests look at which page opens, not at what it loads.
  vi.stubGlobal(
    'fetch',
    vi.fn(() => new Promise<Response>(() => undefined)),
  )
  localStorage.removeItem('tessera.token')
  await sessionStore.startUp()
})

afterEach(() => {
  vi.unstubAllGlobals()
})

afterAll(() => {
  vi.doUnmock('./layout/console/ConsoleFrame')
})

describe('Screen', () => {
  // Specification: 2.4, 6.16
  it('sends a guest from a console page to the landing page and remembers what was wanted', async () => {
    await open('/warehouses?open=2')
    expect(await screen.findByRole('link', { name: 'Login' })).toBeVisible()
    expect(address()).toHaveTextContent('/ {"from":"/warehouses?open=2"}')
    // The frame is there before the page is; only a page that was there can be left.
    await screen.findByRole('heading', { level: 1, name: 'Storage that no single cloud can read.' })
    await settle(() => {
      fireEvent.click(screen.getByRole('link', { name: 'Login' }))
    })
    expect(await screen.findByRole('heading', { level: 1, name: 'Login' })).toHaveFocus()
    expect(document.title).toBe('Login · Tessera')
    await settle(() => {
      sessionStore.signIn('t', aLeader())
    })
    expect(await screen.findByRole('heading', { level: 1, name: 'Warehouses' })).toBeVisible()
    expect(address()).toHaveTextContent('/warehouses?open=2')
  })

  // Specification: 4.12
  it('goes to the login page after a logout, without a way back in', async () => {
    sessionStore.signIn('t', aLeader())
    await open('/team-members')
    await screen.findByRole('heading', { level: 1, name: 'Team Members' })
    await settle(() => {
      sessionStore.signOut('loggedOut')
    })
    await screen.findByRole('heading', { level: 1, name: 'Login' })
    expect(address()).toHaveTextContent('/login {}')
    expect(screen.queryByText('Session Expired')).toBeNull()
  })

  // Specification: 3.25
  it('says on the login page that the session expired', async () => {
    sessionStore.signIn('t', aLeader())
    sessionStore.signOut('expired')
    await open('/team-members')
    expect(await screen.findByText('Session Expired')).toBeVisible()
  })

  // Specification: 4.10
  it.each([
    [new Response('', { status: 401 }), 'Session Expired'],
    [new Response('', { status: 500 }), 'Failed to login with token.'],
  ])('says on the login page why a token did not serve', async (answer, words) => {
    localStorage.setItem('tessera.token', 'opaque')
    vi.stubGlobal('fetch', vi.fn().mockResolvedValue(answer))
    await sessionStore.startUp()
    await open('/team-members')
    expect(await screen.findByText(words)).toBeVisible()
    expect(address()).toHaveTextContent('/login')
    expect(localStorage.getItem('tessera.token')).toBeNull()
  })

  // Specification: 2.17
  it('shows the sign-up without header, menu or footer', async () => {
    await open('/signup')
    expect(await screen.findByRole('heading', { level: 1, name: 'Type in the provided password' })).toBeVisible()
    for (const role of ['banner', 'navigation', 'contentinfo']) expect(screen.queryByRole(role)).toBeNull()
  })

  // Specification: 2.104
  it('shows that a session was refused at work, and keeps the way back', async () => {
    sessionStore.signIn('t', aLeader())
    await open('/warehouses?open=2')
    await screen.findByRole('heading', { level: 1, name: 'Warehouses' })
    await settle(() => {
      sessionStore.signOut('expired')
    })
    const dialog = await screen.findByRole('alertdialog', { name: 'Session Expired' })
    expect(address()).toHaveTextContent('/warehouses?open=2')
    expect(screen.queryByRole('heading', { level: 1, name: 'Warehouses' })).toBeNull()
    await settle(() => {
      fireEvent.click(within(dialog).getByRole('button', { name: 'Log in' }))
    })
    await screen.findByRole('heading', { level: 1, name: 'Login' })
    expect(address()).toHaveTextContent('/login {"from":"/warehouses?open=2"}')
  })

  // Specification: 2.37, 2.41
  it('hides Go to App from a member on the download page only', async () => {
    sessionStore.signIn('t', aMember())
    await open('/download')
    await screen.findByRole('heading', { level: 1, name: 'Thank you for choosing Tessera' })
    expect(screen.queryByRole('link', { name: 'Go to App' })).toBeNull()
  })

  it('offers Go to App to a leader there', async () => {
    sessionStore.signIn('t', aLeader())
    await open('/download')
    expect(await screen.findByRole('link', { name: 'Go to App' })).toHaveAttribute('href', '/team-members')
  })

  it('knows no other page', async () => {
    await open('/no/such/page')
    expect(await screen.findByRole('heading', { level: 1 })).toHaveTextContent('Page not found')
  })
})
