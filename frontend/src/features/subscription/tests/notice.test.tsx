import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useLocation } from 'react-router'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { sessionStore } from '@/api/session'
import { renderWithProviders } from '@/testing/render'
import { aLeader } from '@/testing/users'
import type { Payment } from '../api'
import { dialogStore } from '../dialog-store'
import SubscriptionNotice from '../SubscriptionNotice'
import SubscriptionSection from '../SubscriptionSection'
import { anEndedPayment, aPayment, fail, serve } from './server'

const unpaid = aPayment({ status: 'past_due', isSubscribed: false, amountDue: 75_000 })

function Where() {
  return <p data-testid="where">{useLocation().pathname}</p>
}

beforeEach(() => {
  sessionStore.signIn('t', aLeader({ isSubscribed: false }))
})

afterEach(() => {
  act(() => {
    dialogStore.close()
    sessionStore.signOut('expired')
  })
  vi.unstubAllGlobals()
})

function arrive(payment: Payment) {
  serve(payment)
  const element = (
    <>
      <SubscriptionNotice />
      <Where />
    </>
  )
  return { ...renderWithProviders(element, { path: '/activity' }), person: userEvent.setup() }
}

describe('on arrival', () => {
  // Specification: 2.105, 2.109
  it('offers both ways back when the subscription is cancelled', async () => {
    const { person } = arrive(anEndedPayment())
    const dialog = await screen.findByRole('dialog', { name: 'Subscription Cancelled' })
    expect(dialog).toHaveTextContent('add a valid payment method or reactivate the subscription')
    await person.click(within(dialog).getByRole('button', { name: 'Reactivate Subscription' }))
    expect(dialogStore.get()).toBe('reactivate')
    expect(screen.getByTestId('where')).toHaveTextContent('/subscription')
  })

  // Specification: 2.109
  it('opens the card form from the notice of a cancelled subscription', async () => {
    const { person } = arrive(anEndedPayment())
    await person.click(await screen.findByRole('button', { name: 'Add Payment Method' }))
    expect(dialogStore.get()).toBe('addCard')
  })

  it.each([
    ['an unpaid subscription', unpaid],
    ['a deactivated company', { ...unpaid, isDeactivated: true }],
    ['no subscription', aPayment({ status: '', isSubscribed: false })],
  ])('opens no dialog for %s, of which page and banner tell', async (_, payment) => {
    arrive(payment)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('shows the notice once per login', async () => {
    const { person, unmount } = arrive(anEndedPayment())
    await person.click(await screen.findByRole('button', { name: 'Close' }))
    unmount()
    const again = arrive(anEndedPayment())
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(screen.queryByRole('dialog')).toBeNull()
    again.unmount()
    act(() => sessionStore.signOut('loggedOut'))
    sessionStore.signIn('t', aLeader({ isSubscribed: false }))
    arrive(anEndedPayment())
    expect(await screen.findByRole('dialog')).toBeVisible()
  })

  it('shows no notice while the subscription is active', async () => {
    arrive(aPayment())
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})

describe('in the quick panel', () => {
  const close = vi.fn()
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000 - 60_000).toISOString()

  function open(payment: Payment, handlers: Parameters<typeof serve>[1] = {}) {
    close.mockReset()
    serve(payment, handlers)
    renderWithProviders(<SubscriptionSection onClose={close} />)
  }

  it('counts the days to the renewal', async () => {
    open(aPayment({ renewalDate: inDays(12) }))
    expect(await screen.findByText('12 days left')).toBeVisible()
    expect(screen.getByText(/^Renews on/)).toBeVisible()
    await userEvent.setup().click(screen.getByRole('link', { name: 'Go to Subscription' }))
    expect(close).toHaveBeenCalledOnce()
  })

  it('counts the days to the end', async () => {
    open(aPayment({ endsAt: inDays(1) }))
    expect(await screen.findByText('1 day left')).toBeVisible()
    expect(screen.getByText(/^Ends on/)).toBeVisible()
  })

  it('says that the subscription is not active', async () => {
    open(anEndedPayment())
    expect(await screen.findByText('Your subscription is not active.')).toBeVisible()
  })

  it('loads again when the quick panel’s retry is pressed', async () => {
    let broken = true
    open(aPayment(), {
      'GET /api/payment/methods': () =>
        broken ? fail(500, 'x', 'Not now.') : Response.json(aPayment({ renewalDate: inDays(3) })),
    })
    expect(await screen.findByRole('alert')).toHaveTextContent('Not now.')
    broken = false
    await userEvent.setup().click(screen.getByRole('button', { name: 'Retry' }))
    await waitFor(() => expect(screen.getByText('3 days left')).toBeVisible())
  })
})
