import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { i18n } from '@/i18n/i18n'
import { aLeader } from '@/testing/users'
import { api, dataOf } from './client'
import { ApiError, errorMessage } from './errors'
import { sessionStore } from './session'

const fetchMock = vi.fn<typeof fetch>()

beforeEach(() => {
  vi.stubGlobal('fetch', fetchMock)
  sessionStore.signIn('secret', aLeader())
})

afterEach(() => {
  fetchMock.mockReset()
  vi.unstubAllGlobals()
})

const call = () => dataOf(api.GET('/api/config'))
const failure = () =>
  call().then(
    () => null,
    (error: unknown) => error,
  )

describe('api', () => {
  // Specification: 7.1
  it('carries the session and the language', async () => {
    fetchMock.mockResolvedValue(Response.json({ mode: 'sandbox' }))
    expect(await call()).toEqual({ mode: 'sandbox' })
    const request = fetchMock.mock.calls[0]?.[0] as Request
    expect(request.url).toBe(`${window.location.origin}/api/config`)
    expect(request.headers.get('Authorization')).toBe('Bearer secret')
    expect(request.headers.get('Accept-Language')).toBe('en')
  })

  it('throws what the server said', async () => {
    const body = { code: 'bad', message: 'Change the name.', fields: { name: 'Too long.' } }
    fetchMock.mockResolvedValue(Response.json(body, { status: 422, headers: { 'X-Request-Id': 'r-1' } }))
    const error = await failure()
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ status: 422, ...body, requestId: 'r-1' })
    expect(errorMessage(error, 'Could not Update Company')).toBe('Change the name.')
    expect(sessionStore.get().status).toBe('signedIn')
  })

  it('knows how long to wait, from the body or the header', async () => {
    fetchMock.mockResolvedValue(Response.json({ code: 'too_many_tries', retryAfter: 90 }, { status: 429 }))
    expect(await failure()).toMatchObject({ code: 'too_many_tries', retryAfter: 90 })
    fetchMock.mockResolvedValue(Response.json({}, { status: 429, headers: { 'Retry-After': '42' } }))
    expect(await failure()).toMatchObject({ retryAfter: 42 })
    fetchMock.mockResolvedValue(Response.json({}, { status: 429 }))
    expect(await failure()).toMatchObject({ retryAfter: undefined })
  })

  it('ends a session that the server no longer knows', async () => {
    fetchMock.mockResolvedValue(new Response('', { status: 401 }))
    await failure()
    expect(sessionStore.get()).toEqual({ status: 'guest', reason: 'expired' })
  })

  it('leaves the next session alone when a late answer refuses the last one', async () => {
    fetchMock.mockImplementation(() => {
      sessionStore.signIn('newer', aLeader())
      return Promise.resolve(new Response('', { status: 401 }))
    })
    await failure()
    expect(sessionStore.get().status).toBe('signedIn')
  })

  it('has the fallback when there is no answer', async () => {
    fetchMock.mockRejectedValue(new TypeError('offline'))
    const error = await failure()
    expect(error).toMatchObject({ status: 0, code: 'network' })
    expect(errorMessage(error, 'Could not Update Company')).toBe('Could not Update Company')
  })

  it('asks to reload when a newer version has replaced the files of the console', async () => {
    const error = new TypeError('Failed to fetch dynamically imported module: /assets/member-keys-x.js')
    for (const [language, words] of [
      ['en', 'a new version has just been released. Reload the page'],
      ['tr', 'sayfayı yenileyin'],
      ['ar', 'أعد تحميل الصفحة'],
    ] as const) {
      await i18n.changeLanguage(language)
      expect(errorMessage(error, 'Could not Update Company')).toContain(words)
    }
    await i18n.changeLanguage('en')
  })
})
