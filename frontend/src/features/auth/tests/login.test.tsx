import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { sessionStore } from '@/api/session'
import { keyring } from '@/crypto/keyring'
import { QuickWorker } from '@/crypto/testing/quick-worker'
import { makeUserKeys } from '@/crypto/user-keys'
import { fillIn } from '@/testing/fill-in'
import { renderWithProviders } from '@/testing/render'
import { codeSent, fail, ok, serve } from '@/testing/server'
import LoginPage from '../LoginPage'
import { anAccount, password } from './account'

let account: Awaited<ReturnType<typeof anAccount>>

beforeEach(async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  account = await anAccount()
  localStorage.removeItem('tessera.token')
  await sessionStore.startUp()
})

afterEach(() => {
  sessionStore.signOut('loggedOut')
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function open() {
  const person = userEvent.setup({ advanceTimers: vi.advanceTimersByTime.bind(vi) })
  const server = serve({
    'POST /api/auth/prelogin': () => ok({ salt: account.keys.salt, kdf: 1 }),
    'POST /api/auth/login-onboard': () => codeSent(),
    'POST /api/auth/verify-otp': () => ok(account.session),
    'POST /api/auth/logout': () => ok(),
  })
  renderWithProviders(<LoginPage />, { path: '/login' })
  return { person, server }
}

const email = () => screen.getByRole('textbox', { name: 'Email' })
const secret = () => screen.getByLabelText('Password')
const button = () => screen.getByRole('button', { name: 'Login' })
const codeField = () => screen.findByRole('textbox', { name: 'Verification code' })

async function toCode(person: ReturnType<typeof userEvent.setup>) {
  await fillIn(person, email(), account.user.email_address)
  await fillIn(person, secret(), password)
  await person.click(button())
  return codeField()
}

// The countdowns go by the clock, so that it can be put forward: only the last second ticks.
const pass = (seconds: number) =>
  act(() => {
    vi.setSystemTime(Date.now() + (seconds - 1) * 1000)
    return vi.advanceTimersByTimeAsync(1000)
  })

describe('the first step', () => {
  // Specification: 2.6, 5.6
  it('opens the button for a valid address and any password', async () => {
    const { person } = open()
    expect(button()).toBeDisabled()
    expect(button().parentElement).toHaveAccessibleDescription('Enter a valid email and your password.')
    await person.type(email(), 'leader@northwind')
    await person.type(secret(), 'x')
    expect(button()).toBeDisabled()
    await person.type(email(), '.test')
    await waitFor(() => expect(button()).toBeEnabled())
    await person.clear(secret())
    await waitFor(() => expect(button()).toBeDisabled())
  })

  // Specification: 5.1
  it('complains about the address only once it has been left', async () => {
    const { person } = open()
    await person.type(email(), 'leader@')
    expect(screen.queryByText('Email is not valid')).toBeNull()
    await person.tab()
    expect(await screen.findByText('Email is not valid')).toBeVisible()
    expect(email()).toHaveAccessibleDescription('Email is not valid')
  })

  it('shows and hides the password, and leads on', async () => {
    const { person } = open()
    expect(secret()).toHaveAttribute('type', 'password')
    await person.click(screen.getByRole('button', { name: 'Show password' }))
    expect(secret()).toHaveAttribute('type', 'text')
    expect(screen.getByRole('link', { name: 'Forgot your password?' })).toHaveAttribute('href', '/forgot-password')
    expect(screen.getByRole('link', { name: 'Sign up your company' })).toHaveAttribute('href', '/signup')
  })

  // Specification: 4.1
  it('sends what was derived and never the password, which leaves the form', async () => {
    const { person, server } = open()
    const field = await toCode(person)
    expect(field).toHaveFocus()
    expect(server.to('POST /api/auth/login-onboard')[0]?.body).toEqual({
      emailAddress: account.user.email_address,
      password: account.keys.auth,
      passkey: false,
    })
    expect(JSON.stringify(server.calls)).not.toContain(password)
    expect(document.body.innerHTML).not.toContain(password)
  })

  // Specification: 8.54
  it('says in red what the server said, takes the focus there and empties the password', async () => {
    const { person, server } = open()
    server.handlers['POST /api/auth/login-onboard'] = () => fail(401, 'login_failed', 'The password is wrong.')
    await person.type(email(), 'a@b.co')
    await person.type(secret(), 'wrong')
    await person.click(button())
    const alert = await screen.findByRole('alert')
    expect(alert).toHaveTextContent('The password is wrong.')
    expect(alert).toHaveFocus()
    expect(secret()).toHaveValue('')
    expect(email()).toHaveValue('a@b.co')
  })

  // Specification: 8.54
  it('says Login Failed when there is nothing else to say', async () => {
    const { person, server } = open()
    server.handlers['POST /api/auth/prelogin'] = () => new Response('', { status: 502 })
    await person.type(email(), 'a@b.co')
    await person.type(secret(), 'wrong')
    await person.click(button())
    expect(await screen.findByRole('alert')).toHaveTextContent('Login Failed')
  })

  it('waits as long as the server says after too many tries', async () => {
    const { person, server } = open()
    server.handlers['POST /api/auth/login-onboard'] = () =>
      fail(429, 'too_many_tries', 'Too many attempts. Please try again in 2 min.', { retryAfter: 90 })
    await person.type(email(), 'a@b.co')
    await person.type(secret(), 'wrong')
    await person.click(button())
    expect(await screen.findByRole('alert')).toHaveTextContent('Too many attempts')
    await person.type(secret(), 'again')
    expect(screen.getByRole('button', { name: /^Try again in 1:\d\d\.$/ })).toBeDisabled()
    await pass(91)
    await waitFor(() => expect(button()).toBeEnabled())
  })

  it('after too many tries for one address lets another one log in', async () => {
    const { person, server } = open()
    const answer = server.handlers['POST /api/auth/login-onboard']!
    server.handlers['POST /api/auth/login-onboard'] = () =>
      fail(429, 'too_many_tries', 'Too many attempts. Please try again in 2 min.', { retryAfter: 90 })
    await fillIn(person, email(), 'a@b.co')
    await fillIn(person, secret(), 'wrong')
    await person.click(button())
    await screen.findByRole('alert')
    await fillIn(person, secret(), password)
    expect(screen.getByRole('button', { name: /^Try again in/ })).toBeDisabled()
    await person.clear(email())
    await fillIn(person, email(), account.user.email_address)
    await waitFor(() => expect(button()).toBeEnabled())
    await person.clear(email())
    await fillIn(person, email(), 'A@b.co')
    expect(screen.getByRole('button', { name: /^Try again in/ })).toBeDisabled()
    await person.clear(email())
    server.handlers['POST /api/auth/login-onboard'] = answer
    await fillIn(person, email(), account.user.email_address)
    await waitFor(() => expect(button()).toBeEnabled())
    await person.click(button())
    expect(await codeField()).toBeVisible()
  })

  it('blocks when the cryptography of the browser gives wrong answers', async () => {
    class WrongWorker extends QuickWorker {
      override postMessage(request: Parameters<QuickWorker['postMessage']>[0]): void {
        super.postMessage({ ...request, password: new TextEncoder().encode('something else') })
      }
    }
    vi.resetModules()
    vi.stubGlobal('Worker', WrongWorker)
    const { default: FreshPage } = await import('../LoginPage')
    const person = userEvent.setup({ advanceTimers: vi.advanceTimersByTime.bind(vi) })
    const server = serve({ 'POST /api/auth/prelogin': () => ok({ salt: account.keys.salt, kdf: 1 }) })
    renderWithProviders(<FreshPage />, { path: '/login' })
    await person.type(email(), 'a@b.co')
    await person.type(secret(), 'wrong')
    await person.click(button())
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'does not work correctly in this browser, so nothing was sent',
    )
    expect(server.to('POST /api/auth/login-onboard')).toHaveLength(0)
  })
})

describe('the code', () => {
  // Specification: 4.4, 7.1
  it('signs in with six digits, however they are typed, and opens the keys', async () => {
    const { person, server } = open()
    await toCode(person)
    await person.paste('12 34-56')
    await waitFor(() =>
      expect(sessionStore.get()).toMatchObject({ status: 'signedIn', user: { uuid: account.user.uuid } }),
    )
    expect(server.to('POST /api/auth/verify-otp')[0]?.body).toMatchObject({
      password: account.keys.auth,
      otp: '123456',
    })
    expect(keyring.isUnlocked()).toBe(true)
    expect(localStorage.getItem('tessera.token')).toBe('token-1')
  })

  it('shows where it was sent and how long it is valid', async () => {
    const { person } = open()
    await toCode(person)
    expect(screen.getByText('+1•••••••01')).toHaveAttribute('dir', 'ltr')
    expect(screen.getByText('Code should be 6 digit long', { selector: 'p' })).toBeVisible()
    expect(screen.getByText(/The code expires in/)).toHaveTextContent(/[45]:\d\d/)
    await pass(301)
    expect(await screen.findByRole('status')).toHaveTextContent('The code has expired. Request a new one.')
    expect(screen.getByRole('button', { name: 'Verify and log in' })).toBeDisabled()
  })

  // Specification: 2.7, 4.3
  it('asks again by repeating the first step, but not before the wait is over', async () => {
    const { person, server } = open()
    await toCode(person)
    const resend = screen.getByRole('button', { name: 'Resend Code' })
    expect(resend).toBeDisabled()
    expect(resend).toHaveTextContent(/Resend Code in (1:00|0:5\d)/)
    await pass(61)
    expect(resend).toBeEnabled()
    await person.click(resend)
    await waitFor(() => expect(server.to('POST /api/auth/login-onboard')).toHaveLength(2))
    expect(server.to('POST /api/auth/prelogin')).toHaveLength(1)
    await waitFor(() => expect(resend).toBeDisabled())
  })

  it('takes back a wrong code and waits for the next', async () => {
    const { person, server } = open()
    server.handlers['POST /api/auth/verify-otp'] = () =>
      fail(400, 'code_wrong', 'The code is incorrect. Attempts left: 4.')
    const field = await toCode(person)
    await person.type(field, '000000')
    expect(await screen.findByRole('alert')).toHaveTextContent('Attempts left: 4.')
    await waitFor(() => expect(field).toHaveValue(''))
    expect(field).toHaveFocus()
    expect(field).toBeInvalid()
    expect(sessionStore.get().status).toBe('guest')
  })

  // Specification: 2.7, 4.2
  it('goes back to an empty form', async () => {
    const { person } = open()
    await toCode(person)
    await person.click(screen.getByRole('button', { name: 'Go Back' }))
    expect(email()).toHaveValue('')
    expect(secret()).toHaveValue('')
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('refuses a session whose key does not open, and ends it', async () => {
    const { person, server } = open()
    const foreign = await makeUserKeys('another password', { uid: account.user.uuid, cid: account.user.companyUuid })
    server.handlers['POST /api/auth/verify-otp'] = () =>
      ok({ ...account.session, sealedUserKey: foreign.userKey, salt: foreign.salt })
    await person.type(await toCode(person), '123456')
    expect(await screen.findByRole('alert')).toHaveTextContent('This password does not unlock your keys')
    expect(sessionStore.get().status).toBe('guest')
    expect(server.to('POST /api/auth/logout')[0]?.headers.get('Authorization')).toBe('Bearer token-1')
  })
})

describe('the code of an authenticator app', () => {
  function openWithApp() {
    const opened = open()
    opened.server.handlers['POST /api/auth/login-onboard'] = () => ok({ otpRequired: true, method: 'totp' })
    return opened
  }

  it('speaks of the app, and of nothing that was sent', async () => {
    const { person, server } = openWithApp()
    const field = await toCode(person)
    expect(screen.getByText(/your authenticator app shows/)).toBeVisible()
    expect(screen.queryByText(/SMS/)).toBeNull()
    expect(screen.queryByText(/The code expires in/)).toBeNull()
    expect(screen.queryByRole('button', { name: 'Resend Code' })).toBeNull()
    await person.type(field, '123456')
    await waitFor(() => expect(sessionStore.get().status).toBe('signedIn'))
    expect(server.to('POST /api/auth/verify-otp')[0]?.body).toMatchObject({ otp: '123456' })
  })

  it('takes a recovery code in its place, and the other way round', async () => {
    const { person, server } = openWithApp()
    await toCode(person)
    await person.click(screen.getByRole('button', { name: 'Use a recovery code' }))
    const field = screen.getByRole('textbox', { name: 'Recovery code' })
    expect(field).toHaveFocus()
    await person.click(screen.getByRole('button', { name: 'Use the authenticator app' }))
    expect(await codeField()).toHaveFocus()
    await person.click(screen.getByRole('button', { name: 'Use a recovery code' }))
    const submit = screen.getByRole('button', { name: 'Verify and log in' })
    await person.type(screen.getByRole('textbox', { name: 'Recovery code' }), 'k7qm-2xvd-9h3c')
    expect(submit).toBeDisabled()
    await person.type(screen.getByRole('textbox', { name: 'Recovery code' }), '-0tz4 ')
    await person.click(submit)
    await waitFor(() => expect(sessionStore.get().status).toBe('signedIn'))
    expect(server.to('POST /api/auth/verify-otp')[0]?.body).toMatchObject({ otp: 'k7qm-2xvd-9h3c-0tz4' })
  })

  it('waits when there were too many wrong ones', async () => {
    const { person, server } = openWithApp()
    server.handlers['POST /api/auth/verify-otp'] = () =>
      fail(429, 'too_many_tries', 'Too many attempts. Please try again in 5 min.', { retryAfter: 300 })
    await person.type(await toCode(person), '000000')
    expect(await screen.findByRole('alert')).toHaveTextContent('Too many attempts')
    const submit = screen.getByRole('button', { name: 'Verify and log in' })
    expect(submit).toBeDisabled()
    expect(submit.parentElement).toHaveAccessibleDescription(/Try again in [45]:\d\d\./)
  })
})
