import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { api } from '@/api/client'
import { sessionStore } from '@/api/session'
import { withVerification } from '@/api/verification'
import { keyring } from '@/crypto/keyring'
import { fillIn } from '@/testing/fill-in'
import { fakePasskeys, requestOptions, signed } from '@/testing/passkeys'
import { renderWithProviders } from '@/testing/render'
import { codeSent, fail, ok, serve } from '@/testing/server'
import { aLeader } from '@/testing/users'
import LoginPage from '../LoginPage'
import VerificationDialog from '../VerificationDialog'
import { anAccount, password } from './account'

const asked = (codeMethod: 'sms' | null = 'sms') =>
  ok({ otpRequired: true, method: 'passkey', options: requestOptions, codeMethod })
const go = () => screen.findByRole('button', { name: 'Continue with passkey' })

afterEach(() => {
  act(() => sessionStore.signOut('loggedOut'))
  vi.unstubAllGlobals()
})

describe('the login’s second step', () => {
  async function toPasskey(codeMethod: 'sms' | null = 'sms') {
    const browser = fakePasskeys()
    const account = await anAccount()
    localStorage.removeItem('tessera.token')
    await sessionStore.startUp()
    const server = serve({
      'POST /api/auth/prelogin': () => ok({ salt: account.keys.salt, kdf: 1 }),
      'POST /api/auth/login-onboard': ({ body }) =>
        (body as { passkey: boolean }).passkey ? asked(codeMethod) : codeSent(),
      'POST /api/auth/login-passkey': () => ok(account.session),
    })
    const person = userEvent.setup()
    renderWithProviders(<LoginPage />, { path: '/login' })
    await fillIn(person, screen.getByRole('textbox', { name: 'Email' }), account.user.email_address)
    await fillIn(person, screen.getByLabelText('Password'), password)
    await person.click(screen.getByRole('button', { name: 'Login' }))
    await go()
    return { server, person, account, ...browser }
  }

  it('takes a passkey, and the password opens the keys', async () => {
    const { server, person, account, get } = await toPasskey()
    await person.click(await go())
    await waitFor(() => expect(sessionStore.get().status).toBe('signedIn'))
    expect(server.to('POST /api/auth/login-passkey')[0]?.body).toEqual({
      emailAddress: account.user.email_address,
      password: account.keys.auth,
      credential: signed,
    })
    const options = get.mock.calls[0]?.[0].publicKey
    expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required' })
    expect(options?.allowCredentials?.map(({ id }) => new TextDecoder().decode(id))).toEqual(['credential-1'])
    expect(keyring.isUnlocked()).toBe(true)
  })

  it('goes on with the same challenge after a closed prompt, with a new one after a refusal', async () => {
    const { server, person, get } = await toPasskey()
    get.mockRejectedValueOnce(new DOMException('', 'NotAllowedError'))
    await person.click(await go())
    expect(await screen.findByRole('alert')).toHaveTextContent(/closed or timed out/)
    expect(server.to('POST /api/auth/login-onboard')).toHaveLength(1)
    server.handlers['POST /api/auth/login-passkey'] = () => fail(400, 'passkey_refused', 'Not verified.')
    await person.click(await go())
    expect(await screen.findByText('Not verified.')).toBeVisible()
    expect(server.to('POST /api/auth/login-onboard')).toHaveLength(2)
  })

  it('leads to a code', async () => {
    const { server, person } = await toPasskey()
    await person.click(screen.getByRole('button', { name: 'Use a code instead' }))
    expect(await screen.findByRole('textbox', { name: 'Verification code' })).toBeVisible()
    expect(server.to('POST /api/auth/login-onboard').at(-1)?.body).toMatchObject({ passkey: false })
  })

  it('offers no code to a user who has turned SMS off', async () => {
    const { person } = await toPasskey(null)
    expect(screen.queryByRole('button', { name: 'Use a code instead' })).toBeNull()
    await person.click(await go())
    await waitFor(() => expect(sessionStore.get().status).toBe('signedIn'))
  })
})

describe('verification', () => {
  function open(codeMethod: 'sms' | null = 'sms') {
    fakePasskeys()
    sessionStore.signIn('t', aLeader())
    let verified = false
    const server = serve({
      'POST /api/auth/profile/email': () => (verified ? ok() : fail(403, 'verification_required', 'Please verify.')),
      'POST /api/auth/generate-otp': ({ url }) => (url.searchParams.get('passkey') ? asked(codeMethod) : codeSent()),
      'POST /api/auth/verify-passkey': () => {
        verified = true
        return ok({ verifiedFor: 300 })
      },
    })
    renderWithProviders(<VerificationDialog />)
    const running = withVerification(() => api.POST('/api/auth/profile/email', { body: { email_address: 'a@b.co' } }))
    return { server, running, person: userEvent.setup() }
  }

  it('takes a passkey and repeats the call', async () => {
    const { server, running, person } = open()
    await person.click(await go())
    await running
    expect(server.to('POST /api/auth/verify-passkey')[0]?.body).toEqual({ credential: signed })
    expect(server.to('POST /api/auth/profile/email')).toHaveLength(2)
  })

  it('asks for a new challenge after a refusal, and leads to a code', async () => {
    const { server, running, person } = open()
    running.catch(() => undefined)
    server.handlers['POST /api/auth/verify-passkey'] = () => fail(400, 'passkey_refused', 'Not verified.')
    await person.click(await go())
    expect(await screen.findByText('Not verified.')).toBeVisible()
    expect(server.to('POST /api/auth/generate-otp')).toHaveLength(2)
    await person.click(screen.getByRole('button', { name: 'Use a code instead' }))
    expect(await screen.findByRole('textbox', { name: 'Verification code' })).toBeVisible()
  })

  it('offers no code to a user who has turned SMS off', async () => {
    const { running, person } = open(null)
    await go()
    expect(screen.queryByRole('button', { name: 'Use a code instead' })).toBeNull()
    await person.click(await go())
    await running
  })
})
