import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { useEffect } from 'react'
import { useLocation, type Location } from 'react-router'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { captureLinkToken } from '@/api/link-token'
import { sessionStore } from '@/api/session'
import { keyring } from '@/crypto/keyring'
import { QuickWorker } from '@/crypto/testing/quick-worker'
import { renderWithProviders } from '@/testing/render'
import { codeSent, fail, ok, serve } from '@/testing/server'
import { aMember } from '@/testing/users'
import RegisterPage from '../register/RegisterPage'

const token = 'a-token-of-an-invitation-0123456789'
const invite = { email_address: 'new@northwind.test', companyName: 'Northwind', companyUuid: aMember().companyUuid }
const good = 'nine tiles of a mosaic'
const key = 'POST /api/auth/register'
const user = aMember({ email_address: invite.email_address })

let location: Location | undefined

/** Notes where the page has led. */
function Place() {
  const current = useLocation()
  useEffect(() => {
    location = current
  }, [current])
  return null
}

function open(handlers: Parameters<typeof serve>[0] = {}, path = `/register?token=${token}`) {
  window.history.replaceState(null, '', path)
  captureLinkToken()
  const server = serve({
    'GET /api/auth/invite': () => ok({ state: 'open', ...invite }),
    'GET /api/auth/signup-otp': () => codeSent(),
    'POST /api/auth/verify-signup-otp': () => ok({ phoneNumber: '+12025550177' }),
    [key]: () => ok({ access_token: 'token-1', user }),
    ...handlers,
  })
  const element = (
    <>
      <RegisterPage />
      <Place />
    </>
  )
  renderWithProviders(element, { path: '/register', withToasts: true })
  return server
}

function fill(label: string, value: string) {
  const field = screen.getByLabelText(label)
  fireEvent.change(field, { target: { value } })
  fireEvent.blur(field)
}

const verifyButton = () => screen.getByRole('button', { name: 'Verify Phone Number' })

async function fillIn() {
  await screen.findByLabelText('First name')
  fill('First name', 'Linus')
  fill('Last name', 'Berg')
  fill('Phone number', '2025550177')
  fill('Password', good)
  fill('Confirm password', good)
  await waitFor(() => expect(verifyButton()).toBeEnabled())
}

async function verifyPhone() {
  fireEvent.click(verifyButton())
  fireEvent.click(await screen.findByRole('button', { name: 'Send code' }))
  fireEvent.change(await screen.findByLabelText('Verification code'), { target: { value: '123456' } })
  fireEvent.click(await screen.findByRole('button', { name: 'Close and continue' }))
}

beforeEach(() => {
  vi.stubGlobal('Worker', QuickWorker)
})

afterEach(() => {
  act(() => sessionStore.signOut('expired'))
  window.history.replaceState(null, '', '/')
  vi.unstubAllGlobals()
})

describe('an invitation that cannot be used', () => {
  it.each([
    ['expired', 'This invitation has expired', true],
    ['cancelled', 'This invitation was cancelled', true],
    ['used', 'This invitation has already been used', false],
  ])('%s says so', async (state, title, renewable) => {
    open({ 'GET /api/auth/invite': () => ok({ state, ...invite }) })
    expect(await screen.findByRole('heading', { level: 1, name: title })).toBeVisible()
    expect(document.body).toHaveTextContent('Northwind')
    expect(document.body).toHaveTextContent('new@northwind.test')
    expect(screen.queryAllByRole('button', { name: 'Ask for a new invitation' })).toHaveLength(renewable ? 1 : 0)
    expect(screen.getByRole('link', { name: 'Back to login' })).toHaveAttribute('href', '/login')
  })

  it.each([
    ['unknown', () => fail(404, 'invite_not_found')],
    ['cut off', () => fail(422, 'invalid_input')],
  ])('%s says so', async (_, answer) => {
    open({ 'GET /api/auth/invite': answer })
    expect(await screen.findByRole('heading', { level: 1, name: 'This invitation is not valid' })).toBeVisible()
  })

  it('says that an invitation is needed when there is none', () => {
    const server = open({}, '/register?token=')
    expect(screen.getByRole('heading', { level: 1, name: 'You need an invitation' })).toBeVisible()
    expect(screen.getByRole('link', { name: 'Sign up a company' })).toHaveAttribute('href', '/signup')
    expect(server.calls).toHaveLength(0)
  })

  it('asks the leader for a new invitation once', async () => {
    const server = open({
      'GET /api/auth/invite': () => ok({ state: 'expired', ...invite }),
      'POST /api/auth/invite/ask': () => new Response('null', { status: 202 }),
    })
    fireEvent.click(await screen.findByRole('button', { name: 'Ask for a new invitation' }))
    await waitFor(() => expect(screen.getByRole('button', { name: 'We notified the team leader' })).toBeDisabled())
    expect(server.to('POST /api/auth/invite/ask')[0]?.body).toEqual({ token })
  })

  it('shows an error when asking for an invitation fails', async () => {
    open({
      'GET /api/auth/invite': () => ok({ state: 'cancelled', ...invite }),
      'POST /api/auth/invite/ask': () => new Response('', { status: 500 }),
    })
    fireEvent.click(await screen.findByRole('button', { name: 'Ask for a new invitation' }))
    expect(await screen.findByText('Could not ask for a new invitation')).toBeVisible()
  })

  it('looks the invitation up again on retry', async () => {
    const answers = [new Response('', { status: 503 }), ok({ state: 'open', ...invite })]
    open({ 'GET /api/auth/invite': () => answers.shift()! })
    fireEvent.click(await screen.findByRole('button', { name: 'Retry' }))
    expect(await screen.findByLabelText('First name')).toBeVisible()
  })
})

describe('the form', () => {
  // Specification: 5.8
  it('shows company and address, and waits for everything', async () => {
    open()
    expect(await screen.findByText('Northwind invited you to join its encrypted storage.')).toBeVisible()
    expect(screen.getByText('new@northwind.test')).toBeVisible()
    expect(screen.getByText(/^By registering you accept the/)).toBeVisible()
    expect(screen.getByRole('link', { name: 'User Agreement' })).toHaveAttribute('href', '/agreement')
    expect(verifyButton()).toBeDisabled()
  })

  // Specification: 2.9, 5.8, 5.9
  it.each([
    ['First name', ''],
    ['Last name', '  '],
    ['Phone number', '12'],
    ['Password', ''],
    ['Confirm password', 'something else'],
  ])('does not go on with a wrong %s', async (label, value) => {
    open()
    await fillIn()
    fill(label, value)
    await waitFor(() => expect(verifyButton()).toBeDisabled())
    if (label === 'Confirm password') expect(await screen.findByText('Password should be equal')).toBeVisible()
  })

  // Specification: 2.9, 4.19, 4.20, 4.21
  it('verifies the phone first; a change clears that and the verified number restores it', async () => {
    const server = open()
    await fillIn()
    await verifyPhone()
    expect(await screen.findByRole('button', { name: 'Register' })).toBeEnabled()
    expect(server.to('GET /api/auth/signup-otp')[0]?.headers.get('X-Invite-Token')).toBe(token)
    fill('Phone number', '2025550178')
    expect(await screen.findByRole('button', { name: 'Verify Phone Number' })).toBeVisible()
    fill('Phone number', '(202) 555-0177')
    expect(await screen.findByRole('button', { name: 'Register' })).toBeVisible()
    expect(server.to(key)).toHaveLength(0)
  })

  it('leads to the login with the company account where single sign-on is required', async () => {
    open({ [key]: () => ok({ access_token: null, user: null }) })
    await fillIn()
    await verifyPhone()
    fireEvent.click(await screen.findByRole('button', { name: 'Register' }))
    expect(await screen.findByText('Registered. Now log in with your company account.')).toBeVisible()
    expect(sessionStore.get().status).not.toBe('signedIn')
    expect(keyring.isUnlocked()).toBe(false)
    await waitFor(() =>
      expect(location).toMatchObject({ pathname: '/login/company', state: { email: invite.email_address } }),
    )
  })

  // Specification: 4.23, 8.22
  it('makes own keys, and signs in', async () => {
    const server = open()
    await fillIn()
    await verifyPhone()
    fireEvent.click(await screen.findByRole('button', { name: 'Register' }))
    expect(await screen.findByText('Registered Successfully')).toBeVisible()
    expect(sessionStore.get()).toEqual({ status: 'signedIn', user })
    expect(keyring.isUnlocked()).toBe(true)
    const [call] = server.to(key)
    const body = call?.body as Record<string, string>
    expect(call?.url.searchParams.get('token')).toBe(token)
    expect(body.password).toMatch(/^a1\.[\w-]{43}$/)
    expect(body.phoneNumber).toBe('+12025550177')
    expect(keyring.ids()).toEqual({ uid: body.uuid, cid: invite.companyUuid })
    expect(JSON.stringify(server.calls)).not.toContain(good)
  })

  // Specification: 4.23, 8.55
  it.each([
    [
      () => fail(409, 'invite_used', 'This invitation has already been used.'),
      'This invitation has already been used.',
    ],
    [() => new Response('', { status: 500 }), 'Registration Failed'],
  ])('says why it could not be done', async (answer, message) => {
    open({ [key]: answer })
    await fillIn()
    await verifyPhone()
    fireEvent.click(await screen.findByRole('button', { name: 'Register' }))
    expect(await screen.findByRole('alert')).toHaveTextContent(message)
  })
})
