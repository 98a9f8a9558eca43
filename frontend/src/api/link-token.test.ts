import { beforeEach, describe, expect, it, vi } from 'vitest'
import { captureLinkToken, takeLinkToken } from './link-token'

describe('link token', () => {
  beforeEach(() => {
    window.history.replaceState(null, '', '/')
  })

  // Specification: 2.10
  it('leaves the address bar and stays in memory', () => {
    window.history.replaceState({ kept: 1 }, '', '/confirm-email?token=abc&lang=tr#form')
    captureLinkToken()
    expect(window.location.href).toMatch(/\/confirm-email\?lang=tr#form$/)
    expect(window.history.state).toEqual({ kept: 1 })
    expect(takeLinkToken()).toBe('abc')
    expect(takeLinkToken()).toBe('abc')
    expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain('abc')
  })

  it.each(['/register', '/reset-password'])('of %s survives a reload', async (path) => {
    window.history.replaceState({ kept: 1 }, '', `${path}?token=abc`)
    captureLinkToken()
    vi.resetModules()
    const reloaded = await import('./link-token')
    expect(reloaded.takeLinkToken()).toBeNull()
    reloaded.captureLinkToken()
    expect(reloaded.takeLinkToken()).toBe('abc')
    expect(window.history.state).toMatchObject({ kept: 1 })
    expect(window.location.pathname + window.location.search).toBe(path)
    expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain('abc')
  })

  it('of another link does not', async () => {
    window.history.replaceState(null, '', '/confirm-email?token=abc')
    captureLinkToken()
    vi.resetModules()
    const reloaded = await import('./link-token')
    reloaded.captureLinkToken()
    expect(reloaded.takeLinkToken()).toBeNull()
  })

  it('belongs to the page it was mailed for', () => {
    window.history.replaceState(null, '', '/reset-password?token=xyz')
    captureLinkToken()
    expect(takeLinkToken('/register')).toBeNull()
    expect(takeLinkToken('/reset-password')).toBe('xyz')
  })

  it('is null when empty, and an address without one changes nothing', () => {
    window.history.replaceState(null, '', '/register?token=')
    captureLinkToken()
    expect(takeLinkToken()).toBeNull()
    window.history.replaceState(null, '', '/register?other=1')
    captureLinkToken()
    expect(window.location.search).toBe('?other=1')
  })
})
