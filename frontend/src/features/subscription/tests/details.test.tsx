import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { details, open, withLeader } from './open-page'
import { amex, anEndedPayment, aPayment, fail, visa } from './server'

withLeader()

describe('payment details', () => {
  // Specification: 2.75, 2.84
  it.each([
    ['renews', aPayment(), 'Next Billing Date:', 'December 15, 2026'],
    [
      'is cancelled',
      aPayment({ isCanceled: true, autoRenew: false, endsAt: '2026-12-15T10:00:00Z' }),
      'Ending:',
      'December 15, 2026',
    ],
    ['does not renew', aPayment({ autoRenew: false, endsAt: '2026-12-15T10:00:00Z' }), 'Ending:', 'December 15, 2026'],
    ['has ended', anEndedPayment(), 'Ending:', 'November 1, 2026'],
  ])('name the date when it %s', async (_, payment, label, date) => {
    await open(payment)
    const card = await details()
    expect(within(card).getByText(label).nextSibling).toHaveTextContent(date)
    const button = label === 'Ending:' ? 'Reactivate Subscription' : 'Cancel Subscription'
    expect(within(card).getByRole('button', { name: button })).toBeEnabled()
  })

  // Specification: 2.75, 3.21
  it('shows no billing line without a plan', async () => {
    await open(aPayment({ planId: 0 }))
    expect(within(await details()).queryByText('Next Billing Date:')).toBeNull()
  })

  // Specification: 2.76, 3.19, 3.22
  it.each([
    [1, 'Basic Monthly'],
    [2, 'Basic Yearly'],
    [3, 'Professional Monthly'],
    [4, 'Professional Yearly'],
    [5, 'Basic'],
    [42, 'Basic Monthly'],
  ])('call plan %i %s', async (planId, name) => {
    await open(aPayment({ planId }))
    expect(within(await details()).getByText('Plan type').nextSibling).toHaveTextContent(name)
  })

  // Specification: 2.77, 3.18
  it.each([
    ['trialing', 'Trialing'],
    ['active', 'Active'],
    ['past_due', 'Past due'],
    ['cancelled', 'Cancelled'],
  ] as const)('show %s as %s', async (status, text) => {
    await open(aPayment({ status }))
    expect(within(await details()).getByText('Subscription status').nextSibling).toHaveTextContent(text)
  })

  // Specification: 2.83, 4.43
  it('disables Change Plan and says why', async () => {
    await open()
    const button = within(await details()).getByRole('button', { name: 'Change Plan' })
    expect(button).toBeDisabled()
    expect(button.parentElement).toHaveAccessibleDescription('Basic is the only plan available.')
  })
})

describe('the deadline', () => {
  const passed = { deadline: '2026-11-24T10:00:00Z', endsAt: '2027-01-15T10:00:00Z', amount: 75_000 }

  it.each([
    ['a term', aPayment(), /^Cancel by Nov 24, 2026, .* to end with the current term\.$/],
    ['a trial', aPayment({ status: 'trialing' }), /^Cancel by Nov 24, 2026, .* and nothing is charged\.$/],
    [
      'a term whose deadline has passed',
      aPayment({ notice: passed }),
      'If you cancel now, the subscription ends on January 15, 2027, after one more term.',
    ],
  ])('describes the cancel button in %s', async (_, payment, text) => {
    await open(payment)
    expect(screen.getByRole('button', { name: 'Cancel Subscription' })).toHaveAccessibleDescription(text)
    expect(screen.getByText(text)).toBeVisible()
  })

  it('is asked before Auto Renew is turned off too late', async () => {
    const { server, person } = await open(aPayment({ notice: passed }), {
      'PUT /api/payment/auto-renew': () => Response.json(aPayment({ autoRenew: false, endsAt: passed.endsAt })),
    })
    await person.click(screen.getByRole('switch', { name: 'Auto Renew' }))
    const dialog = await screen.findByRole('alertdialog', { name: 'Turn off Auto Renew?' })
    expect(dialog).toHaveTextContent('Still due: $750 on December 15, 2026.')
    expect(server.to('PUT /api/payment/auto-renew')).toEqual([])
    await person.click(within(dialog).getByRole('button', { name: 'Turn Off Auto Renew' }))
    expect(await screen.findByText('Subscription Successfully Changed')).toBeVisible()
    expect(server.to('PUT /api/payment/auto-renew').map(({ body }) => body)).toEqual([{ enabled: false }])
  })
})

describe('Auto Renew', () => {
  const ending = aPayment({ autoRenew: false, endsAt: '2026-12-15T10:00:00Z' })

  // Specification: 2.74, 4.41, 8.26
  it('sends the wanted state when it is turned off', async () => {
    const { server, person } = await open(aPayment(), { 'PUT /api/payment/auto-renew': () => Response.json(ending) })
    const toggle = screen.getByRole('switch', { name: 'Auto Renew' })
    expect(toggle).toBeChecked()
    await person.click(toggle)
    expect(await screen.findByText('Subscription Successfully Changed')).toBeVisible()
    expect(toggle).not.toBeChecked()
    expect(server.to('PUT /api/payment/auto-renew').map(({ body }) => body)).toEqual([{ enabled: false }])
    expect(screen.getByText('Ending:')).toBeVisible()
  })

  // Specification: 8.48
  it('shows the former state when the change fails', async () => {
    const { person } = await open(aPayment(), { 'PUT /api/payment/auto-renew': () => fail(500, 'internal_error') })
    await person.click(screen.getByRole('switch'))
    expect(await screen.findByText('Could not Edit Subscription')).toBeVisible()
    expect(screen.getByRole('switch')).toBeChecked()
  })

  it('disables the switch while the change is being sent', async () => {
    let answer: (response: Response) => void = () => undefined
    const { server, person } = await open(aPayment(), {
      'PUT /api/payment/auto-renew': () => new Promise((resolve) => (answer = resolve)),
    })
    await person.click(screen.getByRole('switch'))
    expect(screen.getByRole('switch')).toBeDisabled()
    expect(screen.getByRole('switch')).not.toBeChecked()
    await person.click(screen.getByRole('switch'))
    answer(Response.json(ending))
    expect(await screen.findByText('Ending:')).toBeVisible()
    expect(server.to('PUT /api/payment/auto-renew')).toHaveLength(1)
  })

  it('disables the switch once the subscription has ended', async () => {
    await open(anEndedPayment())
    expect(screen.getByRole('switch')).toBeDisabled()
  })
})

describe('cards', () => {
  const row = (name: RegExp) =>
    within(screen.getByRole('list', { name: 'Payment methods' }))
      .getByText(name)
      .closest('li')!

  // Specification: 2.78, 2.79
  it('shows brand, last digits and expiry of each card', async () => {
    await open(aPayment({ cards: [visa, amex, { ...visa, id: 'pm_x', brand: 'elo', last4: '1111' }] }))
    expect(row(/Visa ending in 4242/)).toHaveTextContent('•••• •••• •••• 4242exp: 04/2031')
    expect(within(row(/ending in 4242/)).getByRole('img', { name: 'Visa' })).toBeVisible()
    expect(within(row(/ending in 0005/)).getByRole('img', { name: 'American Express' })).toBeVisible()
    expect(within(row(/ending in 1111/)).getByRole('img', { name: 'Card' })).toBeVisible()
    expect(screen.getByRole('checkbox', { name: /Visa ending in 4242/ })).toBeChecked()
    expect(screen.getByRole('checkbox', { name: /ending in 0005/ })).not.toBeChecked()
  })

  // Specification: 2.81, 8.66
  it('are none: said so', async () => {
    await open(aPayment({ cards: [], defaultCardId: null }))
    expect(screen.getByText('No Registered Payment Method')).toBeVisible()
  })

  // Specification: 2.80, 8.25
  it('makes the chosen card the default', async () => {
    const { server, person } = await open(aPayment(), {
      'PUT /api/payment/default': () => Response.json(aPayment({ defaultCardId: amex.id })),
    })
    await person.click(screen.getByRole('checkbox', { name: /Set Default: American Express/ }))
    expect(await screen.findByText('Default Payment Method Changed')).toBeVisible()
    expect(server.to('PUT /api/payment/default')[0]?.query.get('cardId')).toBe('pm_amex')
    expect(server.to('PUT /api/payment/default')[0]?.body).toEqual({ amount: null })
    expect(screen.getByRole('checkbox', { name: /American Express/ })).toBeChecked()
    expect(screen.getByRole('checkbox', { name: /Visa/ })).not.toBeChecked()
  })

  // Specification: 8.47
  it('keeps the former default when the change fails', async () => {
    const { person } = await open(aPayment(), { 'PUT /api/payment/default': () => fail(402, 'card_declined', '') })
    await person.click(screen.getByRole('checkbox', { name: /American Express/ }))
    expect(await screen.findByText('Could not Change Default Payment Method')).toBeVisible()
    expect(screen.getByRole('checkbox', { name: /Visa/ })).toBeChecked()
  })

  // Specification: 2.80, 8.24
  it('deletes a card after a dialog that names it', async () => {
    const { server, person } = await open(aPayment(), {
      'DELETE /api/payment': () => Response.json(aPayment({ cards: [visa] })),
    })
    await person.click(screen.getByRole('button', { name: /^Delete: American Express/ }))
    const dialog = await screen.findByRole('alertdialog', { name: 'Delete American Express •••• 0005?' })
    await person.click(within(dialog).getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('Payment Method Deleted')).toBeVisible()
    expect(server.to('DELETE /api/payment')[0]?.query.get('cardId')).toBe('pm_amex')
    expect(screen.queryByText(/0005/)).toBeNull()
  })

  it('keeps the card when the dialog is cancelled', async () => {
    const { server, person } = await open()
    await person.click(screen.getByRole('button', { name: /^Delete: American Express/ }))
    await person.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Cancel' }))
    expect(server.to('DELETE /api/payment')).toEqual([])
  })

  // Specification: 8.4, 8.46
  it.each([
    ['', 'Could not Delete Default Payment Method'],
    ['Payment method not found.', 'Payment method not found.'],
  ])('say why they could not be deleted: %s', async (message, shown) => {
    const { person } = await open(aPayment(), { 'DELETE /api/payment': () => fail(404, 'card_unknown', message) })
    await person.click(screen.getByRole('button', { name: /^Delete: American Express/ }))
    await person.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText(shown)).toBeVisible()
    expect(screen.getByRole('alertdialog')).toBeVisible()
  })

  it('does not delete the default card while there are others', async () => {
    await open()
    expect(screen.getByRole('button', { name: /^Delete: Visa/ })).toBeDisabled()
    expect(screen.getByRole('button', { name: /^Delete: American Express/ })).toBeEnabled()
  })

  it('does not delete the last card while the subscription renews', async () => {
    await open(aPayment({ cards: [visa] }))
    expect(screen.getByRole('button', { name: /^Delete: Visa/ })).toBeDisabled()
  })

  it('deletes the last card when nothing renews', async () => {
    await open(anEndedPayment({ cards: [visa] }))
    expect(screen.getByRole('button', { name: /^Delete: Visa/ })).toBeEnabled()
  })
})

describe('a debt', () => {
  const debt = {
    status: 'past_due',
    amountDue: 75_000,
    pastDueSince: '2026-11-01T10:00:00Z',
    reactivationAmount: 75_000,
  } as const

  it.each([
    ['inside the grace time', { accessUntil: '2026-11-15T10:00:00Z' }, 'You keep full access until Nov 15, 2026.'],
    ['after it', { isSubscribed: false, deactivatesAt: '2027-01-30T10:00:00Z' }, 'deactivated on Jan 30, 2027'],
    ['after the deactivation', { isSubscribed: false, isDeactivated: true }, 'The company was deactivated'],
  ])('is shown %s', async (_, change, text) => {
    await open(aPayment({ ...debt, ...change }))
    const notice = screen.getByRole('complementary', { name: 'Unpaid amount' })
    expect(notice).toHaveTextContent('$750 unpaid since Nov 1, 2026')
    expect(notice).toHaveTextContent(text)
  })

  it('asks before the card chosen as default is charged', async () => {
    const { server, person } = await open(aPayment(debt), {
      'PUT /api/payment/default': () => Response.json(aPayment({ defaultCardId: amex.id })),
    })
    await person.click(screen.getByRole('checkbox', { name: /Set Default: American Express/ }))
    const dialog = await screen.findByRole('alertdialog', { name: 'Set as default and pay now?' })
    expect(dialog).toHaveTextContent('$750 is unpaid. It will be charged now to American Express ending in 0005.')
    expect(server.to('PUT /api/payment/default')).toEqual([])
    await person.click(within(dialog).getByRole('button', { name: 'Set Default and Pay $750' }))
    expect(await screen.findByText('Default Payment Method Changed')).toBeVisible()
    expect(screen.getByText('$750 paid with American Express ending in 0005')).toBeVisible()
    const [call] = server.to('PUT /api/payment/default')
    expect([call?.query.get('cardId'), call?.body]).toEqual(['pm_amex', { amount: 75_000 }])
  })

  it('charges nothing when the dialog is cancelled', async () => {
    const { server, person } = await open(aPayment(debt))
    await person.click(screen.getByRole('checkbox', { name: /Set Default: American Express/ }))
    await person.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Cancel' }))
    expect(server.to('PUT /api/payment/default')).toEqual([])
    expect(screen.getByRole('checkbox', { name: /Visa/ })).toBeChecked()
  })

  it('shows the new amount when it has changed meanwhile', async () => {
    let asked = 0
    const { person } = await open(aPayment(debt), {
      'GET /api/payment/methods': () =>
        Response.json(aPayment({ ...debt, amountDue: asked++ === 0 ? 75_000 : 80_000 })),
      'PUT /api/payment/default': () => fail(409, 'amount_not_confirmed', 'The amount has changed.'),
    })
    await person.click(screen.getByRole('button', { name: 'Pay $750' }))
    const dialog = await screen.findByRole('alertdialog')
    await person.click(within(dialog).getByRole('button', { name: 'Pay $750' }))
    expect(await screen.findByText('The amount has changed.')).toBeVisible()
    expect(await within(dialog).findByRole('button', { name: 'Pay $800' })).toBeVisible()
  })

  it('says that a new card is charged', async () => {
    await open(aPayment({ ...debt, cards: [], defaultCardId: null }))
    await userEvent.click(screen.getAllByRole('button', { name: 'Add Payment Method' })[0]!)
    const dialog = await screen.findByRole('dialog', { name: 'Add Payment Method' })
    expect(dialog).toHaveTextContent('$750 is unpaid and will be charged to this card now.')
  })

  it('names both parts when reactivation pays a debt and a new term', async () => {
    const { person } = await open(anEndedPayment({ ...debt, status: 'cancelled', reactivationAmount: 150_000 }))
    await person.click(screen.getByRole('button', { name: 'Reactivate Subscription' }))
    const dialog = await screen.findByRole('alertdialog')
    expect(dialog).toHaveTextContent('$750 is unpaid, and the first term costs $750.')
    expect(dialog).toHaveTextContent('$1,500 will be charged now to the card ending in 4242.')
  })

  it('pays a debt after a dialog with the amount', async () => {
    const { server, person } = await open(aPayment(debt), {
      'PUT /api/payment/default': () => Response.json(aPayment()),
    })
    await person.click(screen.getByRole('button', { name: 'Pay $750' }))
    const dialog = await screen.findByRole('alertdialog', { name: 'Pay the unpaid amount now?' })
    await person.click(within(dialog).getByRole('button', { name: 'Pay $750' }))
    expect(await screen.findByText('Payment Successful')).toBeVisible()
    expect(screen.getByText('$750 paid with Visa ending in 4242')).toBeVisible()
    expect(server.to('PUT /api/payment/default')[0]?.body).toEqual({ amount: 75_000 })
    expect(screen.queryByRole('complementary', { name: 'Unpaid amount' })).toBeNull()
  })

  it('asks for a card when a debt has none to be paid with', async () => {
    await open(aPayment({ ...debt, cards: [], defaultCardId: null }))
    const notice = screen.getByRole('complementary', { name: 'Unpaid amount' })
    expect(within(notice).getByRole('button', { name: 'Add Payment Method' })).toBeVisible()
  })
})
