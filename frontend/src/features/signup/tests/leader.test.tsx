import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { codeSent, fail, ok } from '@/testing/server'
import { button, fill, goodPassword, openSignup, phone, press, title } from './open-signup'

const passphrase = () => title('Select a Pass Phrase')

async function open(...args: Parameters<typeof openSignup> extends [unknown, ...infer Rest] ? Rest : never) {
  const server = openSignup('leader', ...args)
  await title('Sign up as the team leader')
  return server
}

async function next() {
  await waitFor(() => expect(button('Next')).toBeEnabled())
  press('Next')
}

async function typeCode(code = '123456') {
  fireEvent.change(await screen.findByLabelText('Verification code'), { target: { value: code } })
}

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('the team leader step', () => {
  // Specification: 5.17
  it.each([
    ['First name', ' '],
    ['Last name', ''],
    ['Email', 'grace'],
    ['Phone number', '1'],
    ['Password', ''],
    ['Password', 'short'],
    ['Confirm password', 'something else'],
  ])('does not let on with a wrong %s: "%s"', async (label, value) => {
    await open()
    await waitFor(() => expect(button('Next')).toBeEnabled())
    fill(label, value)
    await waitFor(() => expect(button('Next')).toBeDisabled())
  })

  it('says that the passwords differ', async () => {
    await open()
    fill('Confirm password', 'something else')
    expect(await screen.findByText('Password should be equal')).toBeVisible()
  })

  // Specification: 4.28, 5.18, 8.52
  it('refuses an email that is in use', async () => {
    const taken = () => fail(409, 'address_in_use', 'taken')
    const server = await open({}, { 'POST /api/auth/verify-email': taken })
    await next()
    expect(await screen.findByText('User already exists with the given email address')).toBeVisible()
    const call = server.to('POST /api/auth/verify-email')[0]!
    expect(call.url.searchParams.get('email')).toBe('grace@acme.test')
    expect(call.headers.get('X-Signup-Ticket')).toBe('ticket-1')
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('says when the email could not be checked', async () => {
    await open({}, { 'POST /api/auth/verify-email': () => new Response('', { status: 500 }) })
    await next()
    expect(await screen.findByRole('alert')).toHaveTextContent('Could not check the email')
  })

  // Specification: 2.89, 2.102, 4.22, 4.28
  it('verifies the phone in a dialog and goes on', async () => {
    const server = await open()
    await next()
    fireEvent.click(await screen.findByRole('button', { name: 'Send code' }))
    await typeCode()
    fireEvent.click(await screen.findByRole('button', { name: 'Close and continue' }))
    await passphrase()
    expect(server.to('GET /api/auth/signup-otp')[0]?.url.searchParams.get('phoneNumber')).toBe(phone)
    expect(server.to('POST /api/auth/verify-signup-otp')[0]?.body).toEqual({ phoneNumber: phone, otp: '123456' })
    const stored = sessionStorage.getItem('tessera.signup')
    expect(stored).toContain(phone)
    expect(stored).not.toContain(goodPassword)
  })

  it('stays on the step when the phone dialog is closed', async () => {
    await open()
    await next()
    fireEvent.click(await screen.findByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await waitFor(() => expect(button('Next')).toBeEnabled())
    expect(screen.queryByRole('alert')).toBeNull()
  })

  // Specification: 8.56
  it.each([
    [() => new Response('', { status: 500 }), 'Could not send code'],
    [() => fail(422, 'country_not_served', 'Not this country.'), 'Not this country.'],
  ])('says when no code could be sent', async (answer, message) => {
    await open({}, { 'GET /api/auth/signup-otp': answer })
    await next()
    fireEvent.click(await screen.findByRole('button', { name: 'Send code' }))
    expect(await screen.findByRole('alert')).toHaveTextContent(message)
  })

  // Specification: 8.57
  it.each([
    [() => new Response('', { status: 500 }), 'Could not verify code'],
    [() => fail(422, 'code_wrong', 'The code is wrong.'), 'The code is wrong.'],
  ])('says when the code could not be verified', async (answer, message) => {
    await open({}, { 'POST /api/auth/verify-signup-otp': answer })
    await next()
    fireEvent.click(await screen.findByRole('button', { name: 'Send code' }))
    await typeCode()
    expect(await screen.findByRole('alert')).toHaveTextContent(message)
  })

  // Specification: 5.37
  it('enables Verify with six digits', async () => {
    const server = await open()
    await next()
    fireEvent.click(await screen.findByRole('button', { name: 'Send code' }))
    await typeCode('12345')
    expect(button('Verify')).toBeDisabled()
    expect(server.to('POST /api/auth/verify-signup-otp')).toHaveLength(0)
  })

  // Specification: 4.27
  it('goes straight on with a verified number, which a change clears and typing it again restores', async () => {
    await open({ verifiedPhone: phone, freeEmail: 'grace@acme.test' })
    expect(screen.getByText('Phone number verified')).toBeVisible()
    fill('Phone number', '2025550199')
    await waitFor(() => expect(screen.queryByText('Phone number verified')).toBeNull())
    fill('Phone number', '+1 202 555 0151')
    expect(await screen.findByText('Phone number verified')).toBeVisible()
    await next()
    await passphrase()
  })

  it('checks a changed email although the phone is verified', async () => {
    const server = await open({ verifiedPhone: phone, freeEmail: 'other@acme.test' })
    await next()
    await passphrase()
    expect(server.to('POST /api/auth/verify-email')).toHaveLength(1)
  })
})

describe('a ticket that runs out', () => {
  it('renews an expired ticket and keeps what was entered', async () => {
    const answers = [fail(403, 'signup_ticket_expired', 'over'), ok()]
    const server = await open({}, { 'POST /api/auth/verify-email': () => answers.shift()! })
    await next()
    await screen.findByRole('heading', { name: 'Enter the registration password again' })
    fill('Registration password', 'tessera-beta-2026')
    press('Verify')
    fireEvent.click(await screen.findByRole('button', { name: 'Send code' }))
    await screen.findByLabelText('Verification code')
    const calls = server.to('POST /api/auth/verify-email').map(({ headers }) => headers.get('X-Signup-Ticket'))
    expect(calls).toEqual(['ticket-1', 'ticket-2'])
    expect(screen.getByLabelText('First name')).toHaveValue('Grace')
  })

  it('asks for the phone again after a new ticket', async () => {
    const over = fail(403, 'signup_ticket_expired', 'over')
    const answers = [over, ok()]
    await open({ verifiedPhone: phone }, { 'POST /api/auth/verify-email': () => answers.shift()! })
    await next()
    await screen.findByRole('heading', { name: 'Enter the registration password again' })
    fill('Registration password', 'tessera-beta-2026')
    press('Verify')
    expect(await screen.findByRole('heading', { name: 'Verify your phone number' })).toBeInTheDocument()
  })

  it('changes nothing when the ticket dialog is closed', async () => {
    const over = () => fail(403, 'signup_ticket_expired', 'over')
    await open({}, { 'POST /api/auth/verify-email': over, 'GET /api/auth/signup-otp': () => codeSent() })
    await next()
    fireEvent.click(await screen.findByRole('button', { name: 'Not now' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(screen.getByLabelText('Password')).toHaveValue(goodPassword)
  })
})
