import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { queryClient } from '@/api/query-client'
import { fail } from '@/testing/server'
import { button, fill, openSignup, press, secrets, title } from './open-signup'

const noCard = { ...secrets, card: null }

async function typeCard() {
  const frame = await screen.findByTitle<HTMLIFrameElement>('Card form')
  fireEvent.load(frame)
  const data = { about: 'token', token: 'pm_new' }
  const source = frame.contentWindow
  act(() => {
    window.dispatchEvent(new MessageEvent('message', { data, origin: 'http://cards.test', source }))
  })
}

afterEach(() => {
  queryClient.clear()
  vi.unstubAllGlobals()
})

describe('the card step', () => {
  // Specification: 2.91, 4.30
  it('takes the card in a frame, shows it as verified, and goes to the review', async () => {
    const server = openSignup('payment', {}, {}, noCard)
    await title('Add Payment Method')
    expect(button('Next')).toBeDisabled()
    await typeCard()
    expect(await screen.findByText('Card verified')).toBeVisible()
    expect(server.to('POST /api/payment/setup-intent')[0]?.headers.get('X-Signup-Ticket')).toBe('ticket-1')
    expect(screen.getByLabelText('Billing email')).toHaveValue('office@acme.test')
    press('Next')
    await title('Review and Submit')
    expect(JSON.stringify({ ...sessionStorage })).not.toContain('pm_new')
  })

  // Specification: 4.30
  it('returns to unverified with Change', async () => {
    openSignup('payment')
    await screen.findByText('Card verified')
    press('Change')
    expect(await screen.findByTitle('Card form')).toBeInTheDocument()
    expect(button('Next')).toBeDisabled()
  })

  it('asks for a new ticket, and offers to begin again when that is put off', async () => {
    const over = () => fail(403, 'signup_ticket_expired', 'over')
    const server = openSignup('payment', {}, { 'POST /api/payment/setup-intent': over }, noCard)
    fireEvent.click(await screen.findByRole('button', { name: 'Not now' }))
    expect(await screen.findByText('Enter the registration password again')).toBeVisible()
    expect(button('Retry')).toBeVisible()
    expect(server.to('POST /api/payment/setup-intent')).toHaveLength(1)
  })

  // Specification: 5.23
  it('needs a valid billing email', async () => {
    openSignup('payment')
    await screen.findByText('Card verified')
    expect(button('Next')).toBeEnabled()
    fill('Billing email', 'bills@')
    expect(await screen.findByText('Email is not valid')).toBeVisible()
    expect(button('Next')).toBeDisabled()
  })
})
