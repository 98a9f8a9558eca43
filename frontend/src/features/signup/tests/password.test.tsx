import { screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { fail } from '@/testing/server'
import { button, fill, openSignup, press, title } from './open-signup'

const key = 'POST /api/auth/verify-registration-password'

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('the registration password', () => {
  // Specification: 2.16, 2.85, 2.87
  it('asks for the registration password first, in plain text, below six labels', async () => {
    openSignup('password', { ticket: null })
    await title('Type in the provided password')
    expect(screen.getByLabelText('Registration password')).toHaveAttribute('type', 'text')
    const labels = ['Password', 'Register Company', 'Sign up', 'Passphrase', 'Select Plan', 'Submit']
    expect(screen.getAllByRole('listitem').map((item) => item.textContent.replace(/^\d/, ''))).toEqual(labels)
    expect(screen.getAllByRole('listitem')[0]).toHaveAttribute('aria-current', 'step')
  })

  // Specification: 2.87, 5.19, 5.20
  it('enables Verify with at least 8 characters', async () => {
    openSignup('password', { ticket: null })
    await title('Type in the provided password')
    expect(button('Verify')).toBeDisabled()
    fill('Registration password', 'seven77')
    expect(button('Verify')).toBeDisabled()
    expect(screen.getAllByText('Password must be at least 8 characters in length.')[0]).toBeVisible()
    fill('Registration password', 'eight888')
    expect(button('Verify')).toBeEnabled()
  })

  // Specification: 8.51
  it.each([
    [() => fail(403, 'registration_password_wrong', 'The server says no.'), 'The server says no.'],
    [() => new Response('', { status: 500 }), 'Invalid registration password'],
  ])('that is wrong is said to be', async (answer, message) => {
    openSignup('password', { ticket: null }, { [key]: answer })
    fill('Registration password', 'not-the-one')
    press('Verify')
    expect(await screen.findByRole('alert')).toHaveTextContent(message)
  })

  // Specification: 5.38
  it('sends the password in the body and opens the company step', async () => {
    const server = openSignup('password', { ticket: null })
    fill('Registration password', 'tessera-beta-2026')
    press('Verify')
    await title('Register Company')
    expect(server.to(key)[0]?.body).toEqual({ password: 'tessera-beta-2026' })
    expect(server.to(key)[0]?.url.search).toBe('')
    await waitFor(() => expect(sessionStorage.getItem('tessera.signup')).toContain('ticket-2'))
    expect(JSON.stringify({ ...sessionStorage })).not.toContain('tessera-beta-2026')
  })

  // Specification: 4.25
  it('does not ask for the password again after Back', async () => {
    openSignup('company')
    await title('Register Company')
    press('Back')
    expect(await screen.findByText('Registration password verified.')).toBeVisible()
    press('Next')
    await title('Register Company')
  })
})
