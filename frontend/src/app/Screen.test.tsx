import { act, fireEvent, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { useLocation, type Location } from 'react-router'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { sessionStore } from '@/api/session'
import { renderWithProviders } from '@/testing/render'
import { aLeader, aMember } from '@/testing/users'
import { Screen } from './Screen'

vi.mock('./layout/console/ConsoleFrame', () => ({
  default: ({ children }: { children: ReactNode }) => <main>{children}</main>,
}))

function Address() {
  const { pathname, search, state }: Location<unknown> = useLocation()
  return <output>{`${pathname}${search} ${JSON.stringify(state)}`}</output>
}

const address = () => screen.getByText(/^\/.*(null|}|undefined)$/)

function open(path: string, state?: unknown) {
  renderWithProviders(
    <>
      <Screen />
      <Address />
    </>,
    { path, state },
  )
}

beforeEach(async () => {
  vi.stubGlobal('fetch', vi.fn(() => Promise.resolve(Response.json({}))))
  localStorage.removeItem('tessera.token')
  await sessionStore.startUp()
})

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('Screen', () => {
  it('sends a guest from a console page to the landing page and remembers what was wanted', async () => {
    open('/warehouses?open=2')
    expect(await screen.findByRole('link', { name: 'Login' })).toBeVisible()
    expect(address()).toHaveTextContent('/ {"from":"/warehouses?open=2"}')
    fireEvent.click(screen.getByRole('link', { name: 'Login' }))
    expect(await screen.findByRole('heading', { level: 1, name: 'Login' })).toHaveFocus()
    expect(document.title).toBe('Login · Tessera')
    act(() => {
      sessionStore.signIn('t', aLeader())
    })
    expect(await screen.findByRole('heading', { level: 1, name: 'Warehouses' })).toBeVisible()
    expect(address()).toHaveTextContent('/warehouses?open=2')
  })

  it('goes to the login page after a logout, without a way back in', async () => {
    sessionStore.signIn('t', aLeader())
    open('/team-members')
    await screen.findByRole('heading', { level: 1, name: 'Team Members' })
    act(() => {
      sessionStore.signOut('loggedOut')
    })
    await screen.findByRole('heading', { level: 1, name: 'Login' })
    expect(address()).toHaveTextContent('/login {}')
    expect(screen.queryByText('Session Expired')).toBeNull()
  })

  it('says on the login page that the session expired', async () => {
    sessionStore.signIn('t', aLeader())
    sessionStore.signOut('expired')
    open('/team-members')
    expect(await screen.findByText('Session Expired')).toBeVisible()
  })

  it('hides Go to App from a member on the download page only', async () => {
    sessionStore.signIn('t', aMember())
    open('/download')
    await screen.findByRole('heading', { level: 1, name: 'Download' })
    expect(screen.queryByRole('link', { name: 'Go to App' })).toBeNull()
  })

  it('offers Go to App to a leader there', async () => {
    sessionStore.signIn('t', aLeader())
    open('/download')
    expect(await screen.findByRole('link', { name: 'Go to App' })).toHaveAttribute('href', '/team-members')
  })

  it('knows no other page', async () => {
    open('/no/such/page')
    expect(await screen.findByRole('heading', { level: 1 })).toHaveTextContent('This tile is missing')
  })
})
