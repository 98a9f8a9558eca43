import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { aLeader } from '@/testing/users'
import { hasExpired, onSignOut, sessionStore } from './session'

const fetchMock = vi.fn<typeof fetch>()

function tokenEnding(secondsFromNow: number): string {
  return `x.${btoa(JSON.stringify({ exp: Date.now() / 1000 + secondsFromNow }))}.y`
}

function otherTab(token: string | null): void {
  const oldValue = localStorage.getItem('tessera.token')
  if (token === null) localStorage.removeItem('tessera.token')
  else localStorage.setItem('tessera.token', token)
  window.dispatchEvent(new StorageEvent('storage', { key: 'tessera.token', oldValue, newValue: token }))
}

beforeEach(() => {
  fetchMock.mockImplementation(() => Promise.resolve(Response.json({})))
  vi.stubGlobal('fetch', fetchMock)
})

afterEach(() => {
  localStorage.clear()
  fetchMock.mockReset()
  vi.unstubAllGlobals()
})

describe('startUp', () => {
  // Specification: 4.9
  it('is a guest without a token, and asks nobody', async () => {
    await sessionStore.startUp()
    expect(sessionStore.get()).toEqual({ status: 'guest' })
    expect(fetchMock).not.toHaveBeenCalled()
  })

  // Specification: 4.8
  it('ends a session whose token has run out, and asks nobody', async () => {
    localStorage.setItem('tessera.token', tokenEnding(-5))
    await sessionStore.startUp()
    expect(sessionStore.get()).toEqual({ status: 'guest', reason: 'expired' })
    expect(localStorage.getItem('tessera.token')).toBeNull()
    expect(fetchMock).not.toHaveBeenCalled()
  })

  // Specification: 4.7
  it('signs in with a good token and keeps the renewed one', async () => {
    const token = tokenEnding(60)
    localStorage.setItem('tessera.token', token)
    fetchMock.mockResolvedValue(Response.json({ access_token: 'renewed', user: aLeader() }))
    const started = sessionStore.startUp()
    expect(sessionStore.get()).toEqual({ status: 'checking' })
    await started
    expect(sessionStore.get()).toEqual({ status: 'signedIn', user: aLeader() })
    expect(localStorage.getItem('tessera.token')).toBe('renewed')
    expect(fetchMock).toHaveBeenCalledWith('/api/auth/login-token', { headers: { Authorization: `Bearer ${token}` } })
  })

  // Specification: 4.10
  it.each([
    [401, 'expired'],
    [500, 'failed'],
    [403, 'failed'],
  ])('answer %i makes a guest: %s', async (status, reason) => {
    localStorage.setItem('tessera.token', 'opaque')
    fetchMock.mockResolvedValue(new Response('', { status }))
    await sessionStore.startUp()
    expect(sessionStore.get()).toEqual({ status: 'guest', reason })
  })

  it('fails when the server cannot be reached', async () => {
    localStorage.setItem('tessera.token', 'opaque')
    fetchMock.mockRejectedValue(new TypeError('offline'))
    await sessionStore.startUp()
    expect(sessionStore.get()).toEqual({ status: 'guest', reason: 'failed' })
  })
})

describe('signOut', () => {
  // Specification: 4.11
  it('clears token, settings and visit, runs the clean-ups and tells the server', () => {
    const cleanUp = vi.fn()
    const takeBack = onSignOut(cleanUp)
    localStorage.setItem('tessera.settings', '{}')
    localStorage.setItem('tessera.language', 'tr')
    sessionStorage.setItem('draft', '1')
    sessionStore.signIn('secret', aLeader())
    sessionStore.signOut('loggedOut')
    takeBack()
    expect(sessionStore.get()).toEqual({ status: 'guest', reason: 'loggedOut' })
    expect({ ...localStorage }).toEqual({ 'tessera.language': 'tr' })
    expect(sessionStorage).toHaveLength(0)
    expect(cleanUp).toHaveBeenCalledOnce()
    expect(fetchMock.mock.calls[0]?.[0]).toBe('/api/auth/logout')
  })

  it('does not tell the server what the server has just said', () => {
    sessionStore.signIn('secret', aLeader())
    sessionStore.signOut('expired')
    expect(fetchMock).not.toHaveBeenCalled()
  })
})

describe('updateUser', () => {
  it('tells listeners, and does nothing for a guest', () => {
    const listener = vi.fn()
    sessionStore.signIn('secret', aLeader())
    const leave = sessionStore.subscribe(listener)
    sessionStore.updateUser(aLeader({ isSubscribed: false }))
    expect(sessionStore.get()).toMatchObject({ user: { isSubscribed: false } })
    expect(listener).toHaveBeenCalledOnce()
    sessionStore.signOut('expired')
    leave()
    sessionStore.updateUser(aLeader())
    expect(sessionStore.get()).toEqual({ status: 'guest', reason: 'expired' })
  })
})

describe('other tabs', () => {
  it('a sign-out there is one here', () => {
    sessionStore.signIn('secret', aLeader())
    otherTab(null)
    expect(sessionStore.get()).toEqual({ status: 'guest', reason: 'loggedOut' })
  })

  it.each(['expired', 'inactivity'] as const)('says here why it ended there: %s', (reason) => {
    sessionStore.signIn('secret', aLeader())
    window.dispatchEvent(new StorageEvent('storage', { key: 'tessera.ended', newValue: reason }))
    window.dispatchEvent(new StorageEvent('storage', { key: 'tessera.ended', newValue: null }))
    otherTab(null)
    expect(sessionStore.get()).toEqual({ status: 'guest', reason })
  })

  it('keeps a reason for one end only, and believes no other word', () => {
    window.dispatchEvent(new StorageEvent('storage', { key: 'tessera.ended', newValue: 'inactivity' }))
    otherTab('earlier')
    sessionStore.signIn('secret', aLeader())
    window.dispatchEvent(new StorageEvent('storage', { key: 'tessera.ended', newValue: 'because' }))
    otherTab(null)
    expect(sessionStore.get()).toEqual({ status: 'guest', reason: 'loggedOut' })
  })

  it('a sign-in there opens a session here', async () => {
    await sessionStore.startUp()
    // An answer can be read once, and other copies of the module may follow the tab too.
    fetchMock.mockImplementation(() => Promise.resolve(Response.json({ user: aLeader() })))
    otherTab('fresh')
    await vi.waitFor(() => {
      expect(sessionStore.get().status).toBe('signedIn')
    })
  })
})

describe('a session that timed out', () => {
  // Specification: 3.25, 4.48
  it.each(['inactivity', 'expired'] as const)('is marked so until the next sign-in: %s', (reason) => {
    sessionStore.signIn('secret', aLeader())
    sessionStore.signOut(reason)
    expect(sessionStore.get()).toEqual({ status: 'guest', reason })
    sessionStore.signIn('secret', aLeader())
    expect(sessionStore.get()).toEqual({ status: 'signedIn', user: aLeader() })
  })
})

describe('a token that changes while it is being checked', () => {
  it('is checked again', async () => {
    localStorage.setItem('tessera.token', 'first')
    fetchMock.mockImplementationOnce(() => {
      otherTab('second')
      return Promise.resolve(new Response('', { status: 401 }))
    })
    fetchMock.mockImplementation(() => Promise.resolve(Response.json({ user: aLeader() })))
    await sessionStore.startUp()
    await vi.waitFor(() => {
      expect(sessionStore.get().status).toBe('signedIn')
    })
    expect(localStorage.getItem('tessera.token')).toBe('second')
  })
})

describe('hasExpired', () => {
  // Specification: 4.8
  it('believes only an end that it can read', () => {
    expect(hasExpired(tokenEnding(-1))).toBe(true)
    expect(hasExpired(tokenEnding(30))).toBe(false)
    expect(hasExpired('opaque')).toBe(false)
    expect(hasExpired(`x.${btoa('{}')}.y`)).toBe(false)
  })
})
