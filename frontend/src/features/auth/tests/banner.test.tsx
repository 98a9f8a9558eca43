import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { sessionStore } from '@/api/session'
import { renderWithProviders } from '@/testing/render'
import { fail, ok, serve } from '@/testing/server'
import { aLeader } from '@/testing/users'
import EmailBanner from '../EmailBanner'

const address = 'leader@northwind.test'

function open(answer: () => Response) {
  sessionStore.signIn('t', aLeader({ emailConfirmed: false }))
  const server = serve({ 'POST /api/auth/profile/email': answer })
  renderWithProviders(<EmailBanner address={address} />, { withToasts: true })
  return server
}

const sendAgain = () => userEvent.setup().click(screen.getByRole('button', { name: 'Send again' }))

afterEach(() => {
  act(() => sessionStore.signOut('expired'))
  vi.unstubAllGlobals()
})

describe('EmailBanner', () => {
  it('sends the link again to the same address', async () => {
    const server = open(() => ok())
    expect(screen.getByRole('complementary')).toHaveTextContent(`Please confirm your email ${address}.`)
    await sendAgain()
    expect(await screen.findByText('Link sent')).toBeVisible()
    expect(server.calls[0]?.body).toEqual({ email_address: address })
  })

  it('shows an error when the link cannot be sent', async () => {
    open(() => fail(409, 'nothing_to_change', 'This is already the current value.'))
    await sendAgain()
    expect(await screen.findByText('This is already the current value.')).toBeVisible()
  })
})
