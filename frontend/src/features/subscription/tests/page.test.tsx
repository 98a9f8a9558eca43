import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { sessionStore } from '@/api/session'
import { renderWithProviders } from '@/testing/render'
import { aLeader } from '@/testing/users'
import SubscriptionPage from '../SubscriptionPage'
import { details, open, withLeader } from './open-page'
import { anInvoice, aPayment, fail, plan, serve } from './server'

withLeader()

describe('the page', () => {
  // Specification: 2.73
  it('shows skeletons, then header, plan, details and invoices', async () => {
    serve(aPayment())
    renderWithProviders(<SubscriptionPage />)
    expect(screen.getByRole('heading', { level: 1, name: 'Subscription' })).toBeVisible()
    expect(screen.getByRole('status', { name: 'Loading subscription…' })).toBeVisible()
    expect(await details()).toBeVisible()
    expect(screen.getByRole('region', { name: 'Plan' })).toBeVisible()
    expect(screen.getByRole('region', { name: 'Invoices' })).toBeVisible()
  })

  // Specification: 2.71
  it('is headed by the card membership icon', async () => {
    await open()
    const heading = screen.getByRole('heading', { level: 1, name: 'Subscription' })
    expect(heading.querySelector('path')).toHaveAttribute('d', expect.stringMatching(/^M20 2H4c-1.11 0-2 .89-2 2v11/))
  })

  it('says why it could not be loaded, and tries again', async () => {
    let broken = true
    serve(aPayment(), {
      'GET /api/payment/methods': () => (broken ? fail(503, 'unavailable', 'Back soon.') : Response.json(aPayment())),
    })
    renderWithProviders(<SubscriptionPage />)
    expect(await screen.findByRole('alert')).toHaveTextContent('Could not load the subscriptionBack soon.')
    broken = false
    await userEvent.setup().click(screen.getByRole('button', { name: 'Retry' }))
    expect(await details()).toBeVisible()
  })

  // Specification: 2.73, 2.82
  it('shows the next step instead of plan and details when there is no subscription', async () => {
    const { person } = await open(
      aPayment({ status: '', planId: 0, cards: [], defaultCardId: null, renewalDate: null }),
    )
    expect(screen.getByRole('heading', { name: 'No subscription yet' })).toBeVisible()
    expect(screen.getByText('No Registered Payment Method')).toBeVisible()
    expect(screen.queryByRole('region', { name: 'Plan' })).toBeNull()
    expect(screen.queryByRole('region', { name: 'Payment Details' })).toBeNull()
    await person.click(screen.getByRole('button', { name: 'Add Payment Method' }))
    expect(await screen.findByRole('dialog', { name: 'Add Payment Method' })).toBeVisible()
  })

  it('starts a subscription with a stored card', async () => {
    const none = aPayment({ status: '', planId: 0, renewalDate: null, isSubscribed: false, reactivationAmount: 75_000 })
    const { server, person } = await open(none, { 'PUT /api/payment/reactivate': () => Response.json(aPayment()) })
    await person.click(screen.getByRole('button', { name: 'Start Subscription' }))
    const dialog = await screen.findByRole('alertdialog')
    expect(dialog).toHaveTextContent('$750 will be charged now to the card ending in 4242.')
    await person.click(within(dialog).getByRole('button', { name: 'Reactivate Subscription' }))
    expect(await details()).toBeVisible()
    expect(server.to('PUT /api/payment/reactivate')[0]?.body).toEqual({ amount: 75_000 })
  })
})

describe('warehouses', () => {
  // Specification: 2.72
  it('shows the warehouses card for plan 5 only', async () => {
    await open(aPayment({ planId: 2 }))
    await details()
    expect(screen.queryByRole('region', { name: 'Warehouses' })).toBeNull()
  })

  // Specification: 1.4, 2.72
  it('shows Warehouses in the menu once own ones are chosen', async () => {
    const { server, person } = await open(aPayment(), {
      'PUT /api/payment/own-warehouses': () => Response.json(aPayment({ usesDefaultWarehouses: false })),
    })
    const card = screen.getByRole('region', { name: 'Warehouses' })
    expect(card).toHaveTextContent('The company uses the default warehouses.')
    await person.click(within(card).getByRole('button', { name: 'Connect your own warehouses' }))
    const dialog = screen.getByRole('alertdialog', { name: 'Connect your own warehouses?' })
    expect(dialog).toHaveTextContent('files go to the default warehouses as before')
    expect(server.to('PUT /api/payment/own-warehouses')).toHaveLength(0)
    await person.click(within(dialog).getByRole('button', { name: 'Continue' }))
    expect(await within(card).findByRole('link', { name: 'Go to Warehouses' })).toHaveAttribute('href', '/warehouses')
    expect(server.to('PUT /api/payment/own-warehouses')[0]?.body).toEqual({ enabled: true })
    expect(card).toHaveTextContent('No warehouse of your own is connected yet.')
    const session = sessionStore.get()
    expect(session.status === 'signedIn' && session.user.canViewWarehouse).toBe(true)
  })

  it('returns to the default warehouses while none is connected', async () => {
    sessionStore.signIn('t', aLeader())
    const { server, person } = await open(aPayment({ usesDefaultWarehouses: false }), {
      'PUT /api/payment/own-warehouses': () => Response.json(aPayment()),
    })
    await person.click(screen.getByRole('button', { name: 'Use the default warehouses' }))
    expect(await screen.findByRole('button', { name: 'Connect your own warehouses' })).toBeVisible()
    expect(server.to('PUT /api/payment/own-warehouses')[0]?.body).toEqual({ enabled: false })
  })

  it('keeps own warehouses when some are connected, and says why', async () => {
    await open(aPayment({ usesDefaultWarehouses: false, hasOwnWarehouses: true }))
    const button = screen.getByRole('button', { name: 'Use the default warehouses' })
    expect(button).toBeDisabled()
    expect(button.parentElement).toHaveAccessibleDescription('Remove your own warehouses first.')
  })
})

describe('plan card', () => {
  // Specification: 9.17, 9.18, 9.19, 9.20, 9.21, 9.22, 9.23, 9.24
  it('shows the plan’s price and facts', async () => {
    await open()
    const card = screen.getByRole('region', { name: 'Plan' })
    expect(await within(card).findByText('$750')).toBeVisible()
    expect(card).toHaveTextContent('monthly fee')
    expect(
      within(card)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual([
      '3 active public clouds (warehouses)',
      '25 GB data upload per month',
      'Redundant backupless storage',
      'Lost file recovery',
      'Status monitoring',
      'Zero-knowledge encryption',
      '30-day free trial for beta users',
    ])
  })

  it('leaves out facts that the plan does not have', async () => {
    const yearly = { ...plan, plan: { ...plan.plan, planId: 4, interval: 'year' as const, trialDays: 0 } }
    await open(aPayment({ planId: 4 }), { 'GET /api/payment/plan': () => Response.json(yearly) })
    const card = screen.getByRole('region', { name: 'Plan' })
    expect(await within(card).findByText('Professional Yearly')).toBeVisible()
    expect(card).toHaveTextContent('yearly fee')
    expect(within(card).queryByText(/free trial/)).toBeNull()
  })

  it('fetches the plan again when retry is pressed', async () => {
    let broken = true
    await open(aPayment(), {
      'GET /api/payment/plan': () => (broken ? fail(500, 'x') : Response.json(plan)),
    })
    const card = screen.getByRole('region', { name: 'Plan' })
    await within(card).findByRole('alert')
    broken = false
    await userEvent.setup().click(within(card).getByRole('button', { name: 'Retry' }))
    expect(await within(card).findByText('$750')).toBeVisible()
  })
})

describe('invoices', () => {
  it('links invoices to their documents and names the next amount', async () => {
    await open(aPayment(), {
      'GET /api/payment/invoices': () =>
        Response.json({ item1: [anInvoice(), anInvoice({ id: 'in_2', status: 'open', pdfUrl: null })], item2: 2 }),
    })
    const region = screen.getByRole('region', { name: 'Invoices' })
    const link = await within(region).findByRole('link', { name: /NW-0001 \(PDF/ })
    expect(link).toHaveAttribute('href', 'https://pay.test/NW-0001.pdf')
    expect(link).toHaveAttribute('rel', 'noopener noreferrer')
    expect(within(region).getByText('Not available yet')).toBeVisible()
    expect(await within(region).findByText('Next: $750 on Dec 15, 2026')).toBeVisible()
    expect(within(region).queryByRole('navigation')).toBeNull()
  })

  it('are none: said so', async () => {
    await open(aPayment(), { 'GET /api/payment/invoices': () => Response.json({ item1: [], item2: 0 }) })
    expect(await screen.findByText('No invoices yet')).toBeVisible()
  })

  it('shows invoices in pages of five', async () => {
    const { server, person } = await open(aPayment(), {
      'GET /api/payment/invoices': ({ query }) =>
        Response.json({ item1: [anInvoice({ number: `NW-${query.get('skip') ?? ''}` })], item2: 7 }),
    })
    expect(await screen.findByText('NW-0')).toBeVisible()
    expect(screen.getByText('1–5 of 7')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Newer' })).toBeDisabled()
    await person.click(screen.getByRole('button', { name: 'Older' }))
    expect(await screen.findByText('NW-1')).toBeVisible()
    expect(screen.getByText('6–7 of 7')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Older' })).toBeDisabled()
    await person.click(screen.getByRole('button', { name: 'Newer' }))
    expect(await screen.findByText('NW-0')).toBeVisible()
    expect(server.to('GET /api/payment/invoices')[0]?.query.toString()).toBe('skip=0&limit=5')
  })

  it('shows an error when invoices cannot be loaded', async () => {
    await open(aPayment(), { 'GET /api/payment/invoices': () => fail(500, 'x') })
    expect(await screen.findByText('Could not load invoices')).toBeVisible()
  })
})
