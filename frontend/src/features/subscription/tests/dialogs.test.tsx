import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { sessionStore } from '@/api/session'
import { verificationStore } from '@/api/verification'
import { renderWithProviders } from '@/testing/render'
import { codeSent } from '@/testing/server'
import { aLeader } from '@/testing/users'
import type { Payment } from '../api'
import { dialogStore } from '../dialog-store'
import ChangePlanDialog from '../dialogs/ChangePlanDialog'
import SubscriptionPage from '../SubscriptionPage'
import { anEndedPayment, aPayment, fail, serve } from './server'

const ending = aPayment({ isCanceled: true, autoRenew: false, endsAt: '2026-12-15T10:00:00Z', notice: null })
const late = { deadline: '2026-11-24T10:00:00Z', endsAt: '2027-01-15T10:00:00Z', amount: 75_000 }

beforeEach(() => {
  sessionStore.signIn('t', aLeader({ canViewWarehouse: false }))
})

afterEach(() => {
  act(() => {
    dialogStore.close()
    sessionStore.signOut('expired')
  })
  vi.unstubAllGlobals()
})

async function ask(payment: Payment, button: string, handlers: Parameters<typeof serve>[1] = {}) {
  const server = serve(payment, handlers)
  renderWithProviders(<SubscriptionPage />, { withToasts: true })
  const person = userEvent.setup()
  await person.click(await screen.findByRole('button', { name: button }))
  return { server, person, dialog: await screen.findByRole('alertdialog') }
}

describe('Cancel Subscription', () => {
  // Specification: 2.108, 4.42, 8.28
  it('sends the reason and marks the subscription as ending when confirmed', async () => {
    const { server, person, dialog } = await ask(aPayment(), 'Cancel Subscription', {
      'PUT /api/payment/cancel': () => Response.json(ending),
    })
    expect(dialog).toHaveAccessibleName('Are you sure you want to cancel subscription?')
    expect(dialog).toHaveTextContent('The subscription ends with the current term, on December 15, 2026.')
    expect(dialog).toHaveTextContent('Nothing more is due.')
    await person.type(within(dialog).getByLabelText('Why are you leaving? (optional)'), ' too dear ')
    await person.click(within(dialog).getByRole('button', { name: 'Cancel Subscription' }))
    expect(await screen.findByText('Subscription Cancelled')).toBeVisible()
    expect(server.to('PUT /api/payment/cancel')[0]?.body).toEqual({
      reason: 'too dear',
      endsAt: '2026-12-15T10:00:00Z',
    })
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(screen.getByRole('button', { name: 'Reactivate Subscription' })).toBeVisible()
  })

  it('asks for verified access first', async () => {
    const answers = [fail(403, 'verification_required')]
    const { server, person, dialog } = await ask(aPayment(), 'Cancel Subscription', {
      'PUT /api/payment/cancel': () => answers.shift() ?? Response.json(ending),
      'POST /api/auth/generate-otp': () => codeSent(),
    })
    await person.click(within(dialog).getByRole('button', { name: 'Cancel Subscription' }))
    await waitFor(() => expect(verificationStore.get().status).toBe('sent'))
    act(() => verificationStore.confirm())
    await waitFor(() => expect(screen.getByText('Subscription Cancelled')).toBeVisible())
    expect(server.to('PUT /api/payment/cancel')).toHaveLength(2)
  })

  it('cancels without a reason', async () => {
    const { server, person, dialog } = await ask(aPayment(), 'Cancel Subscription', {
      'PUT /api/payment/cancel': () => Response.json(ending),
    })
    await person.click(within(dialog).getByRole('button', { name: 'Cancel Subscription' }))
    await screen.findByText('Ending:')
    expect(server.to('PUT /api/payment/cancel')[0]?.body).toEqual({ reason: '', endsAt: '2026-12-15T10:00:00Z' })
  })

  // Specification: 9.28, 9.29
  it.each([
    ['trialing', 'The subscription ends after one paid term, on January 15, 2027.'],
    ['active', 'The subscription ends with the next term, on January 15, 2027.'],
  ] as const)('names the last day and what is still due after the deadline: %s', async (status, text) => {
    const { server, person, dialog } = await ask(aPayment({ status, notice: late }), 'Cancel Subscription', {
      'PUT /api/payment/cancel': () => Response.json(ending),
    })
    expect(dialog).toHaveTextContent(text)
    expect(dialog).toHaveTextContent('Still due: $750 on December 15, 2026.')
    await person.click(within(dialog).getByRole('button', { name: 'Cancel Subscription' }))
    await screen.findByText('Subscription Cancelled')
    expect(server.to('PUT /api/payment/cancel')[0]?.body).toEqual({ reason: '', endsAt: late.endsAt })
  })

  it('says that nothing is charged when a trial is cancelled in time', async () => {
    const { dialog } = await ask(aPayment({ status: 'trialing' }), 'Cancel Subscription')
    expect(dialog).toHaveTextContent('The subscription ends with the free trial, on December 15, 2026.')
  })

  it('keeps the subscription when the dialog is closed', async () => {
    const { server, person, dialog } = await ask(aPayment(), 'Cancel Subscription')
    await person.click(within(dialog).getByRole('button', { name: 'Keep Subscription' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(server.to('PUT /api/payment/cancel')).toEqual([])
  })

  // Specification: 8.50
  it('stays open when the cancellation fails', async () => {
    const { person, dialog } = await ask(aPayment(), 'Cancel Subscription', {
      'PUT /api/payment/cancel': () => fail(500, 'internal_error'),
    })
    await person.click(within(dialog).getByRole('button', { name: 'Cancel Subscription' }))
    expect(await screen.findByText('Could not Cancel Subscription')).toBeVisible()
    expect(screen.getByRole('alertdialog')).toBeVisible()
  })
})

describe('Reactivate Subscription', () => {
  // Specification: 2.108, 4.42, 8.27
  it('reactivates for free before the end', async () => {
    const { server, person, dialog } = await ask(ending, 'Reactivate Subscription', {
      'PUT /api/payment/reactivate': () => Response.json(aPayment()),
    })
    expect(dialog).toHaveAccessibleName('Are you sure you want to reactivate subscription?')
    expect(dialog).toHaveTextContent('You are not charged now.')
    await person.click(within(dialog).getByRole('button', { name: 'Reactivate Subscription' }))
    expect(await screen.findByText('Subscription Reactivated')).toBeVisible()
    expect(server.to('PUT /api/payment/reactivate')[0]?.body).toEqual({ amount: null })
    expect(screen.getByRole('button', { name: 'Cancel Subscription' })).toBeVisible()
  })

  it('names the amount after the end, sends it along, and opens the menu again', async () => {
    sessionStore.signIn('t', aLeader({ isSubscribed: false }))
    const { server, person, dialog } = await ask(anEndedPayment(), 'Reactivate Subscription', {
      'GET /api/auth/login-token': () => Response.json({ access_token: 't', user: aLeader({ isSubscribed: false }) }),
      'PUT /api/payment/reactivate': () => Response.json(aPayment()),
    })
    expect(dialog).toHaveTextContent('$750 will be charged now to the card ending in 4242.')
    const before = server.to('GET /api/auth/login-token').length
    await person.click(within(dialog).getByRole('button', { name: 'Reactivate Subscription' }))
    expect(await screen.findByText('Subscription Reactivated')).toBeVisible()
    expect(screen.getByText('$750 paid')).toBeVisible()
    expect(server.to('PUT /api/payment/reactivate')[0]?.body).toEqual({ amount: 75_000 })
    await waitFor(() => expect(server.to('GET /api/auth/login-token').length).toBeGreaterThan(before))
  })

  it('asks again when the amount changed while the dialog was open', async () => {
    let asked = 0
    const { person, dialog } = await ask(anEndedPayment(), 'Reactivate Subscription', {
      'GET /api/payment/methods': () =>
        Response.json(anEndedPayment({ reactivationAmount: asked++ === 0 ? 75_000 : 80_000 })),
      'PUT /api/payment/reactivate': () => fail(409, 'amount_not_confirmed', '$800 will be charged. Please confirm.'),
    })
    await person.click(within(dialog).getByRole('button', { name: 'Reactivate Subscription' }))
    expect(await screen.findByText('$800 will be charged. Please confirm.')).toBeVisible()
    await waitFor(() => expect(dialog).toHaveTextContent('$800 will be charged now'))
  })

  it.each([
    ['after the end', anEndedPayment({ cards: [], defaultCardId: null }), 'You will be charged $750 now.'],
    ['before the end', { ...ending, cards: [], defaultCardId: null }, 'You are not charged now.'],
  ])('asks for a card where there is none, %s', async (_when, payment, words) => {
    serve(payment)
    renderWithProviders(<SubscriptionPage />, { withToasts: true })
    await userEvent.click(await screen.findByRole('button', { name: 'Reactivate Subscription' }))
    const dialog = await screen.findByRole('dialog', { name: 'Are you sure you want to reactivate subscription?' })
    expect(dialog).toHaveTextContent(words)
    expect(dialog).toHaveTextContent('Enter a card to reactivate.')
    expect(within(dialog).queryByRole('button', { name: 'Reactivate Subscription' })).toBeNull()
  })

  // Specification: 8.49
  it('shows its own message when the server gives none', async () => {
    const { person, dialog } = await ask(ending, 'Reactivate Subscription', {
      'PUT /api/payment/reactivate': () => fail(500, 'internal_error'),
    })
    await person.click(within(dialog).getByRole('button', { name: 'Reactivate Subscription' }))
    expect(await screen.findByText('Could not Reactivate Subscription')).toBeVisible()
  })

  // Specification: 8.50
  it('shows the server’s message when reactivating fails', async () => {
    const { person, dialog } = await ask(anEndedPayment(), 'Reactivate Subscription', {
      'PUT /api/payment/reactivate': () => fail(402, 'card_declined', 'Your card was not accepted.'),
    })
    await person.click(within(dialog).getByRole('button', { name: 'Reactivate Subscription' }))
    expect(await screen.findByText('Your card was not accepted.')).toBeVisible()
  })
})

describe('the billing email', () => {
  it('changes the billing email that it shows', async () => {
    const server = serve(aPayment(), {
      'PUT /api/payment/billing-email': ({ body }) =>
        Response.json(aPayment({ billingEmail: (body as { email: string }).email })),
    })
    renderWithProviders(<SubscriptionPage />, { withToasts: true })
    expect(await screen.findByText('billing@northwind.test')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Change billing email' }))
    const field = await screen.findByRole('textbox', { name: 'Billing email' })
    await userEvent.clear(field)
    await userEvent.type(field, 'invoices@northwind.test')
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Billing email changed')).toBeVisible()
    expect(screen.getByText('invoices@northwind.test')).toBeVisible()
    expect(server.to('PUT /api/payment/billing-email')[0]?.body).toEqual({ email: 'invoices@northwind.test' })
  })
})

describe('Change Plan', () => {
  const close = vi.fn()

  function open(payment: Payment, handlers: Parameters<typeof serve>[1] = {}) {
    close.mockReset()
    const server = serve(payment, handlers)
    renderWithProviders(<ChangePlanDialog payment={payment} open onClose={close} />, { withToasts: true })
    return { server, person: userEvent.setup() }
  }

  // Specification: 2.107, 8.23
  it('switches to Basic when it is chosen and submitted', async () => {
    const { server, person } = open(aPayment({ planId: 1 }), {
      'PUT /api/payment/switch-plan': () => Response.json(aPayment()),
    })
    expect(screen.getByRole('button', { name: 'Submit' })).toBeDisabled()
    await person.click(await screen.findByRole('checkbox', { name: /^Basic \$750 monthly fee$/ }))
    await person.click(screen.getByRole('button', { name: 'Submit' }))
    expect(await screen.findByText('Successfully Changed Plan')).toBeVisible()
    expect(server.to('PUT /api/payment/switch-plan')[0]?.query.get('PlanId')).toBe('5')
    expect(close).toHaveBeenCalledOnce()
  })

  // Specification: 8.45
  it('shows an error when the plan cannot be changed', async () => {
    const { person } = open(aPayment(), { 'PUT /api/payment/switch-plan': () => fail(500, 'x') })
    await person.click(screen.getByRole('button', { name: 'Submit' }))
    expect(await screen.findByText('Could not Change Plan')).toBeVisible()
    expect(close).not.toHaveBeenCalled()
  })

  // Specification: 2.107
  it('closes the plan dialog when Close is pressed', async () => {
    const { person } = open(aPayment())
    await person.click(screen.getByRole('button', { name: 'Close' }))
    expect(close).toHaveBeenCalledOnce()
  })
})
