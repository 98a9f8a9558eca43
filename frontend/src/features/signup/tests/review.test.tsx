import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { sessionStore } from '@/api/session'
import { keyring } from '@/crypto/keyring'
import { fail, ok } from '@/testing/server'
import { aLeader } from '@/testing/users'
import type { Registration } from '../api'
import { button, goodPassphrase, goodPassword, openSignup, phone, press, title } from './open-signup'

const key = 'POST /api/auth/register-team-leader'
const verified = { verifiedPhone: phone, billingEmail: 'bills@acme.test' }
const user = aLeader({ email_address: 'grace@acme.test' })
const registered = () => ok({ data: { access_token: 'token-1', user } })

async function open(answer: () => Response = registered, change = {}) {
  const server = openSignup('submit', { ...verified, ...change }, { [key]: answer })
  await title('Review and Submit')
  return server
}

function submit() {
  const tick = screen.getByRole<HTMLInputElement>('checkbox')
  if (!tick.checked) fireEvent.click(tick)
  press('Submit')
}

const bodies = (server: Awaited<ReturnType<typeof open>>) => server.to(key).map(({ body }) => body as Registration)

afterEach(() => {
  act(() => sessionStore.signOut('expired'))
  vi.unstubAllGlobals()
})

describe('the review', () => {
  it('shows everything but the secrets', async () => {
    await open()
    const page = document.body
    for (const text of ['Acme', 'office@acme.test', '+12025550150', '1 Main Street', 'New York 10001']) {
      expect(page).toHaveTextContent(text)
    }
    for (const text of ['Grace Hopper', 'grace@acme.test', phone, 'bills@acme.test', 'Card verified']) {
      expect(page).toHaveTextContent(text)
    }
    expect(page.textContent.replace(/[\u2068\u2069]/g, '')).toContain('Basic: 30 days free, then $750 a month')
    expect(page).not.toHaveTextContent(goodPassword)
    expect(page).not.toHaveTextContent(goodPassphrase)
  })

  it.each([
    ['Company', 'Register Company'],
    ['Team leader', 'Sign up as the team leader'],
    ['Passphrase', 'Select a Pass Phrase'],
    ['Payment', 'Add Payment Method'],
  ])('leads back to: %s', async (part, heading) => {
    await open()
    fireEvent.click(within(screen.getByRole('region', { name: part })).getByRole('button', { name: /Edit/ }))
    await title(heading)
  })

  // Specification: 2.92, 5.25
  it('requires the agreement, which opens in a new tab', async () => {
    await open()
    expect(button('Submit')).toBeDisabled()
    expect(screen.getByRole('link', { name: 'User Agreement' })).toHaveAttribute('target', '_blank')
    fireEvent.click(screen.getByRole('checkbox'))
    expect(button('Submit')).toBeEnabled()
  })
})

describe('the submit', () => {
  // Specification: 3.29, 3.30, 3.31, 4.31, 8.22
  it('sends what was sealed, signs in, holds the keys and forgets the draft', async () => {
    const server = await open()
    submit()
    expect(await screen.findByText('Registered Successfully')).toBeVisible()
    expect(sessionStore.get()).toEqual({ status: 'signedIn', user })
    expect(keyring.isUnlocked()).toBe(true)
    expect(sessionStorage.getItem('tessera.signup')).toBeNull()
    const [sent] = bodies(server)
    expect(sent?.user.password).toMatch(/^a1\.[\w-]{43}$/)
    expect(sent?.company.passPhrase).toMatch(/^[\w.-]+~[\w.-]+$/)
    expect(sent?.payment).toEqual({ stripeToken: 'pm_card', email: 'bills@acme.test', planId: 5 })
    expect(sent?.company.address).toEqual({
      state: 'NY',
      zipCode: '10001',
      addressLine1: '1 Main Street',
      addressLine2: '',
      city: '',
    })
    expect(keyring.ids()).toEqual({ uid: sent?.user.uuid, cid: sent?.company.uuid })
    expect(server.to(key)[0]?.headers.get('X-Signup-Ticket')).toBe('ticket-1')
    const everything = JSON.stringify(server.calls)
    expect(everything).not.toContain(goodPassword)
    expect(everything).not.toContain(goodPassphrase)
  })

  // Specification: 4.32, 5.25, 8.53
  it.each([
    [
      () => fail(402, 'card_declined', 'Your card was declined.'),
      'Your card was declined.',
      'Use another card or ask your bank, then submit again.',
      'Enter Another Card',
    ],
    [
      () => new Response('', { status: 500 }),
      'Could not Register',
      'verify the card again and submit.',
      'Verify Card Again',
    ],
  ])('that fails says why, what to do next, and leads there', async (answer, message, next, action) => {
    await open(answer)
    submit()
    expect(await screen.findByRole('alert')).toHaveTextContent(message)
    expect(screen.getByText('Not verified')).toBeVisible()
    expect(button('Submit')).toBeDisabled()
    expect(screen.getByText(new RegExp(next))).toHaveTextContent('Nothing was registered or charged.')
    press(action)
    expect(await screen.findByTitle('Card form')).toBeInTheDocument()
  })

  it('repeats the submit with the same secret when no answer came', async () => {
    const answers = [() => Response.error(), registered]
    const server = await open(() => answers.shift()!())
    vi.mocked(fetch).mockImplementationOnce(() => Promise.reject(new TypeError('offline')))
    submit()
    expect(await screen.findByRole('alert')).toHaveTextContent('Could not Register. Cannot reach the server.')
    answers.shift()
    submit()
    await screen.findByText('Registered Successfully')
    expect(bodies(server)).toHaveLength(1)
  })

  it('asks again with the same secret while the submit is under way', async () => {
    const answers = [fail(409, 'registration_under_way', 'wait'), registered()]
    const server = await open(() => answers.shift()!)
    vi.useFakeTimers({ shouldAdvanceTime: true })
    submit()
    await waitFor(() => expect(bodies(server)).toHaveLength(1))
    await act(() => vi.advanceTimersByTimeAsync(2_000))
    await screen.findByText('Registered Successfully')
    const [first, second] = bodies(server)
    expect(second).toEqual(first)
  })

  it('asks for a new ticket and verifies the phone again when the hour is over', async () => {
    const answers = [fail(403, 'signup_ticket_expired', 'over'), registered()]
    const server = await open(() => answers.shift()!)
    submit()
    fireEvent.change(await screen.findByLabelText('Registration password'), { target: { value: 'tessera-beta-2026' } })
    press('Verify')
    fireEvent.click(await screen.findByRole('button', { name: 'Send code' }))
    fireEvent.change(await screen.findByLabelText('Verification code'), { target: { value: '123456' } })
    fireEvent.click(await screen.findByRole('button', { name: 'Close and continue' }))
    await screen.findByText('Registered Successfully')
    expect(server.to(key).map(({ headers }) => headers.get('X-Signup-Ticket'))).toEqual(['ticket-1', 'ticket-2'])
    await waitFor(() => expect(bodies(server)[1]).toEqual(bodies(server)[0]))
  })
})
