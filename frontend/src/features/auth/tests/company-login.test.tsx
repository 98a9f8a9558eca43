import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { sessionStore } from '@/api/session'
import { keyring } from '@/crypto/keyring'
import { fillIn } from '@/testing/fill-in'
import { renderWithProviders } from '@/testing/render'
import { codeSent, fail, ok, serve } from '@/testing/server'
import { findClientLogin } from '../company/client-login'
import CompanyLoginPage from '../CompanyLoginPage'
import { anAccount, password } from './account'

let account: Awaited<ReturnType<typeof anAccount>>

beforeEach(async () => {
  account = await anAccount()
  localStorage.removeItem('tessera.token')
  await sessionStore.startUp()
})

afterEach(() => {
  sessionStore.signOut('loggedOut')
  window.history.replaceState(null, '', '/')
  vi.unstubAllGlobals()
})

let answers = 0

const provider = '0f3c5b1a-6f0e-4a55-9d0a-0c1f5f3f7f10'

function open(search: string, handlers: Parameters<typeof serve>[0] = {}) {
  window.history.replaceState(null, '', `/login/company${search}`)
  const server = serve({
    'POST /api/auth/sso/answer': () =>
      ok({
        emailAddress: account.user.email_address,
        linked: true,
        salt: account.keys.salt,
        userUuid: account.user.uuid,
        passkey: null,
      }),
    'POST /api/auth/sso/login': () => ok(account.session),
    'POST /api/auth/logout': () => ok(),
    ...handlers,
  })
  renderWithProviders(<CompanyLoginPage />, { path: '/login/company', withToasts: true })
  return server
}

const returned = () => `/${provider}?code=code-${(answers += 1)}&state=the-state&iss=https%3A%2F%2Flogin.acme.test`
const secret = () => screen.findByLabelText('Password of your Tessera account')
const login = () => screen.getByRole('button', { name: 'Login' })

describe('the answer of the provider', () => {
  it('leaves the address bar, is handed over once, and the password never leaves', async () => {
    const server = open(returned())
    await fillIn(userEvent, await secret(), password)
    expect(window.location.search).toBe('')
    await userEvent.click(login())
    await waitFor(() => expect(sessionStore.get().status).toBe('signedIn'))
    expect(keyring.isUnlocked()).toBe(true)
    expect(server.to('POST /api/auth/sso/answer').map(({ body }) => body)).toEqual([
      { provider, code: `code-${answers}`, state: 'the-state', issuer: 'https://login.acme.test' },
    ])
    expect(server.to('POST /api/auth/sso/login')[0]?.body).toEqual({ password: account.keys.auth })
    expect(JSON.stringify(server.calls)).not.toContain(password)
  })

  it('that is refused is said, and leads back to the address', async () => {
    open(returned(), {
      'POST /api/auth/sso/answer': () => fail(403, 'sso_answer_refused', 'This cannot be accepted.'),
    })
    expect(await screen.findByText('This cannot be accepted.')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Start again' }))
    expect(await screen.findByRole('textbox', { name: 'Email' })).toBeVisible()
  })

  it('at no address of a provider is not handed over', async () => {
    const server = open('?code=c&state=s')
    expect(await screen.findByRole('textbox', { name: 'Email' })).toBeVisible()
    expect(server.calls).toEqual([])
  })

  it('that is an error is said without a call', async () => {
    const server = open('?error=access_denied&error_description=%3Cb%3Eevil%3C%2Fb%3E&state=x')
    expect(await screen.findByText('Your company’s login service ended the login.')).toBeVisible()
    expect(document.body.innerHTML).not.toContain('evil')
    expect(server.calls).toEqual([])
  })
})

describe('an account that is not linked', () => {
  it('is linked with the session that password and code open', async () => {
    const server = open(returned(), {
      'POST /api/auth/sso/answer': () =>
        ok({ emailAddress: account.user.email_address, linked: false, salt: null, userUuid: null, passkey: null }),
      'POST /api/auth/prelogin': () => ok({ salt: account.keys.salt, kdf: 1 }),
      'POST /api/auth/login-onboard': () => codeSent(),
      'POST /api/auth/verify-otp': () => ok(account.session),
      'POST /api/auth/sso/link': () => new Response(null, { status: 204 }),
    })
    expect(await screen.findByRole('textbox', { name: 'Email' })).toHaveValue(account.user.email_address)
    await fillIn(userEvent, screen.getByLabelText('Password'), password)
    await userEvent.click(login())
    await fillIn(userEvent, await screen.findByRole('textbox', { name: 'Verification code' }), '123456')
    await waitFor(() => expect(sessionStore.get().status).toBe('signedIn'))
    expect(server.to('POST /api/auth/sso/link')).toHaveLength(1)
  })
})

describe('the address', () => {
  it('is there already after a registration', () => {
    serve({})
    renderWithProviders(<CompanyLoginPage />, { path: '/login/company', state: { email: 'new@acme.test' } })
    expect(screen.getByLabelText('Email')).toHaveValue('new@acme.test')
  })

  it('leads to the provider that the server names', async () => {
    const assign = vi.fn()
    vi.stubGlobal('location', { ...window.location, assign })
    open('', { 'POST /api/auth/sso/start': () => ok({ url: 'https://login.acme.test/authorize?x=1' }) })
    await fillIn(userEvent, await screen.findByRole('textbox', { name: 'Email' }), 'sam@acme.test')
    await userEvent.click(screen.getByRole('button', { name: 'Continue' }))
    await waitFor(() => expect(assign).toHaveBeenCalledWith('https://login.acme.test/authorize?x=1'))
  })
})

const computer = {
  name: 'Sam’s laptop',
  system: 'Linux',
  version: '0.7.7',
  origin: '203.0.113.7',
  startedAt: '2026-11-19T08:00:00Z',
  deviceCode: 'BCDF-GHJK',
}

function fromProgram(query: string) {
  // What the page keeps while the browser is at the provider.
  window.history.replaceState(null, '', `/login/company?${query}&email=sam%40acme.test`)
  findClientLogin()
}

describe('a login of the client program', () => {
  const assign = vi.fn()

  beforeEach(() => void assign.mockReset())

  afterEach(() => sessionStorage.clear())

  it('begins with the address, and says what it is for', async () => {
    open('?client=the-handle&email=sam%40acme.test')
    expect(await screen.findByRole('textbox', { name: 'Email' })).toHaveValue('sam@acme.test')
    expect(screen.getByText(/Go on only if you have started this yourself/)).toBeVisible()
    expect(window.location.search).toContain('client=the-handle')
  })

  it('is confirmed with the computer and the code in view, and returns there', async () => {
    fromProgram('client=the-handle')
    const server = open(returned(), {
      'POST /api/auth/sso/client-logins/show': () => ok(computer),
      'POST /api/auth/sso/client-logins/decide': () => ok({ redirect: 'http://127.0.0.1:4000/?code=c&state=s' }),
    })
    expect(await screen.findByText('BCDF-GHJK')).toBeVisible()
    for (const text of [computer.name, computer.origin, account.user.email_address, /refuse: their computer would/])
      expect(screen.getByText(text)).toBeVisible()
    vi.stubGlobal('location', { ...window.location, assign })
    await userEvent.click(screen.getByRole('button', { name: 'Log in this computer' }))
    expect(await screen.findByRole('status')).toHaveTextContent('Go on in the terminal')
    expect(assign).toHaveBeenCalledWith('http://127.0.0.1:4000/?code=c&state=s')
    expect(server.to('POST /api/auth/sso/client-logins/decide')[0]?.body).toEqual({
      handle: 'the-handle',
      accepted: true,
    })
    expect(sessionStore.get().status).not.toBe('signedIn')
    expect(sessionStorage.getItem('tessera.clientLogin')).toBeNull()
  })

  it('of another computer needs the code that it shows', async () => {
    fromProgram('device=')
    const server = open(returned(), {
      'POST /api/auth/sso/client-logins/show': () => ok(computer),
      'POST /api/auth/sso/client-logins/decide': () => ok({ redirect: null }),
    })
    const field = await screen.findByLabelText('Code that tess shows')
    expect(screen.getByText(/Never type a code that somebody sent you/)).toBeVisible()
    await fillIn(userEvent, field, 'bcdf ghjk')
    await userEvent.click(screen.getByRole('button', { name: 'Continue' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Refuse' }))
    expect(await screen.findByRole('status')).toHaveTextContent('was not logged in')
    expect(server.to('POST /api/auth/sso/client-logins/show')[0]?.body).toEqual({ deviceCode: 'bcdf ghjk' })
    expect(server.to('POST /api/auth/sso/client-logins/decide')[0]?.body).toEqual({
      deviceCode: 'BCDF-GHJK',
      accepted: false,
    })
  })

  it('that nobody waits for any more is said', async () => {
    fromProgram('client=the-handle')
    open(returned(), {
      'POST /api/auth/sso/client-logins/show': () => fail(404, 'sso_client_login_unknown', 'No computer waits.'),
    })
    expect(await screen.findByText('No computer waits.')).toBeVisible()
  })

  it('of an account that is not linked links it, ends that session, and asks the provider again', async () => {
    fromProgram('client=the-handle')
    const server = open(returned(), {
      'POST /api/auth/sso/answer': () =>
        ok({ emailAddress: account.user.email_address, linked: false, salt: null, userUuid: null, passkey: null }),
      'POST /api/auth/sso/start': () => ok({ url: 'https://login.acme.test/authorize' }),
      'POST /api/auth/prelogin': () => ok({ salt: account.keys.salt, kdf: 1 }),
      'POST /api/auth/login-onboard': () => codeSent(),
      'POST /api/auth/verify-otp': () => ok(account.session),
      'POST /api/auth/sso/link': () => new Response(null, { status: 204 }),
    })
    await fillIn(userEvent, await screen.findByLabelText('Password'), password)
    await userEvent.click(login())
    const code = await screen.findByRole('textbox', { name: 'Verification code' })
    vi.stubGlobal('location', { ...window.location, assign })
    await fillIn(userEvent, code, '123456')
    await waitFor(() => expect(assign).toHaveBeenCalledWith('https://login.acme.test/authorize'))
    expect(server.to('POST /api/auth/logout')).toHaveLength(1)
    expect(keyring.isUnlocked()).toBe(false)
    expect(sessionStore.get().status).not.toBe('signedIn')
  })

  it('is forgotten by a login of the browser', () => {
    fromProgram('device=')
    window.history.replaceState(null, '', '/login/company')
    expect(findClientLogin()).toBeNull()
    window.history.replaceState(null, '', `/login/company/${provider}?code=c&state=s`)
    expect(findClientLogin()).toBeNull()
  })
})
