import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { fillIn } from '@/testing/fill-in'
import { renderWithProviders } from '@/testing/render'
import { fail, serve } from '@/testing/server'
import ForgotPasswordPage from '../ForgotPasswordPage'

afterEach(() => {
  vi.unstubAllGlobals()
})

async function ask(address: string, answer: () => Response) {
  const person = userEvent.setup()
  const server = serve({ 'POST /api/auth/forgot-password': answer })
  renderWithProviders(<ForgotPasswordPage />, { path: '/forgot-password', withToasts: true })
  expect(screen.getByRole('button', { name: 'Send reset link' })).toBeDisabled()
  await fillIn(person, screen.getByRole('textbox', { name: 'Email' }), address)
  await person.click(screen.getByRole('button', { name: 'Send reset link' }))
  return { person, server }
}

describe('ForgotPasswordPage', () => {
  // Specification: 2.12, 5.11, 8.5
  it('says the same for every address, with a toast and an explanation', async () => {
    const { server } = await ask('leader@northwind.test', () => Response.json(null, { status: 202 }))
    const panel = await screen.findByRole('status')
    expect(panel).toHaveTextContent('If an account uses leader@northwind.test, a link is on its way.')
    const toasts = screen.getByRole('region', { name: 'Notifications' })
    expect(within(toasts).getByText('Password Reset Link Sent')).toBeVisible()
    expect(server.calls[0]?.body).toEqual({ emailAddress: 'leader@northwind.test' })
    expect(screen.getByRole('link', { name: 'Back to login' })).toHaveAttribute('href', '/login')
  })

  // Specification: 8.29
  it('says what the server said, or that it could not be sent', async () => {
    await ask('leader@northwind.test', () => new Response('', { status: 500 }))
    expect(await screen.findByRole('alert')).toHaveTextContent('Could not Send Reset Password Link')
  })

  it('disables the button for as long as the server says', async () => {
    await ask('a@b.co', () => fail(429, 'too_many_tries', 'Too many tries.', { retryAfter: 60 }))
    expect(await screen.findByRole('alert')).toHaveTextContent('Too many tries.')
    expect(screen.getByRole('button', { name: 'Send reset link' })).toBeDisabled()
  })

  it('sends nothing for an invalid address', async () => {
    const { server } = await ask('leader', () => Response.json(null))
    expect(await screen.findByText('Email is not valid')).toBeVisible()
    expect(server.calls).toHaveLength(0)
  })
})
