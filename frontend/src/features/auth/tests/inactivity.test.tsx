import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { sessionStore } from '@/api/session'
import { renderWithProviders } from '@/testing/render'
import { ok, serve } from '@/testing/server'
import { aLeader } from '@/testing/users'
import { startIdleWatch } from '../idle-store'
import InactivityDialog from '../InactivityDialog'

const minute = 60_000
const logout = vi.fn()
let stop: () => void
let server: ReturnType<typeof serve>

beforeEach(() => {
  vi.useFakeTimers()
  server = serve({
    'GET /api/auth/login-token': () => ok({ access_token: 't', user: aLeader(), sealedUserKey: '', salt: '' }),
    'POST /api/auth/logout': () => ok(),
  })
  sessionStore.signIn('t', aLeader())
  stop = startIdleWatch()
  renderWithProviders(<InactivityDialog onLogout={logout} />)
})

afterEach(() => {
  act(() => stop())
  sessionStore.signOut('expired')
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const pass = (time: number) => act(() => vi.advanceTimersByTimeAsync(time))

describe('the inactivity dialog', () => {
  // Specification: 4.13
  it('counts down and logs out with its reason', async () => {
    await pass(15 * minute)
    const dialog = screen.getByRole('alertdialog', { name: 'Are you still there?' })
    expect(dialog).toHaveTextContent('You will be logged out in 30 seconds.')
    await pass(12_000)
    expect(screen.getByText('You will be logged out in 18 seconds.')).toBeVisible()
    expect(screen.getByRole('status')).toHaveTextContent('20 seconds')
    await pass(18_500)
    expect(sessionStore.get()).toEqual({ status: 'guest', reason: 'inactivity' })
  })

  // Specification: 4.14, 4.48
  it('keeps the session and tells the server when Stay is pressed', async () => {
    await pass(15 * minute)
    fireEvent.click(screen.getByRole('button', { name: 'Stay Logged in' }))
    await pass(1000)
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(server.to('GET /api/auth/login-token')).toHaveLength(1)
    expect(sessionStore.get().status).toBe('signedIn')
  })

  // Specification: 4.14
  it('offers to log out at once', async () => {
    await pass(15 * minute)
    fireEvent.click(screen.getByRole('button', { name: 'Log out' }))
    expect(logout).toHaveBeenCalledOnce()
  })

  it.each([
    ['a key', () => fireEvent.keyDown(document.body, { key: 'a' })],
    ['a pointer', () => fireEvent.pointerMove(document.body)],
    ['a scroll', () => fireEvent.scroll(document.body)],
    ['a touch', () => fireEvent.touchStart(document.body)],
    ['coming back', () => fireEvent(document, new Event('visibilitychange'))],
  ])('is put off by %s', async (_, act_) => {
    await pass(14 * minute)
    act_()
    await pass(14 * minute)
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })
})
