import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startCardPage } from '../card-page'
import { liveProvider } from '../live-provider'
import type { Provider } from '../provider'
import { sandboxProvider } from '../sandbox-provider'
import type { StripeScript } from '../stripe-script'

const console_ = 'http://console.test'
const sandbox = `${console_}/sandbox/stripe`
const intent = { id: 'seti_1', clientSecret: 'seti_1_secret', publishableKey: 'pk_test' }
const appearance = { language: 'en', theme: 'light' as const }
const parent = { postMessage: vi.fn() }
let place: HTMLElement
const listeners: [string, EventListenerOrEventListenerObject][] = []

beforeEach(() => {
  parent.postMessage.mockReset()
  vi.stubGlobal('parent', parent)
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {
        return undefined
      }
    },
  )
  const add = window.addEventListener.bind(window)
  vi.spyOn(window, 'addEventListener').mockImplementation(
    (kind: string, listener: EventListenerOrEventListenerObject) => {
      listeners.push([kind, listener])
      add(kind, listener)
    },
  )
  place = document.body.appendChild(document.createElement('main'))
  place.id = 'card'
  place.getBoundingClientRect = () => ({ height: 300 }) as DOMRect
})

afterEach(() => {
  for (const [kind, listener] of listeners.splice(0)) window.removeEventListener(kind, listener)
  place.remove()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

function hear(data: unknown, origin = console_, source: unknown = parent) {
  const event = new MessageEvent('message', { data, origin })
  Object.defineProperty(event, 'source', { value: source })
  window.dispatchEvent(event)
}

async function open(provider: Provider = sandboxProvider(sandbox)) {
  startCardPage({ place, parents: [console_], provider })
  hear({ about: 'setUp', appearance, purpose: 'add', intent })
  await waitFor(() => expect(place.querySelector('form')).not.toBeNull())
  await Promise.resolve()
  return userEvent.setup()
}

async function fill(person: ReturnType<typeof userEvent.setup>, number: string) {
  await person.type(screen.getByLabelText('Card number'), number)
  await person.type(screen.getByLabelText('Expiry date'), '431')
  await person.type(screen.getByLabelText('CVC'), '123')
  await person.type(screen.getByLabelText('Postal code'), '04101')
  await person.click(screen.getByRole('button', { name: 'Add Card' }))
}

function answering(...answers: object[]) {
  const calls: { url: string; body: URLSearchParams }[] = []
  vi.stubGlobal('fetch', async (url: string, { body }: { body: URLSearchParams }) => {
    calls.push({ url, body })
    return Response.json(answers[calls.length - 1])
  })
  return calls
}

const tokens = () => parent.postMessage.mock.calls.filter(([news]) => (news as { about: string }).about === 'token')

describe('the card page', () => {
  it.each([
    ['another origin', { about: 'setUp', appearance, purpose: 'add', intent }, 'http://evil.test', parent],
    ['another window', { about: 'setUp', appearance, purpose: 'add', intent }, console_, {}],
    ['a strange shape', { about: 'setUp', appearance, purpose: 'steal', intent }, console_, parent],
    ['half a message', { about: 'setUp', appearance, purpose: 'add', intent: { id: 'x' } }, console_, parent],
  ])('stays empty for %s', (_, data, origin, source) => {
    startCardPage({ place, parents: [console_], provider: sandboxProvider(sandbox) })
    hear(data, origin, source)
    expect(place).toBeEmptyDOMElement()
    expect(parent.postMessage).not.toHaveBeenCalled()
  })

  it('shows the form, tells its height, and takes the focus', async () => {
    await open()
    expect(parent.postMessage).toHaveBeenCalledWith({ about: 'height', height: 300 }, console_)
    await waitFor(() => expect(screen.getByLabelText('Card number')).toHaveFocus())
    expect(screen.getByText(/4242 4242 4242 4242 succeeds/)).toBeVisible()
  })

  it('follows language, direction and theme', async () => {
    await open()
    hear({ about: 'appearance', appearance: { language: 'ar', theme: 'dark' } })
    await waitFor(() => expect(document.documentElement).toHaveAttribute('dir', 'rtl'))
    expect(document.documentElement).toHaveAttribute('lang', 'ar')
    expect(document.documentElement.dataset.theme).toBe('dark')
    expect(screen.getByLabelText('رقم البطاقة')).toHaveAttribute('dir', 'ltr')
    expect(screen.getByRole('button', { name: 'إضافة البطاقة' })).toBeVisible()
  })

  // Specification: 7.49
  it('hands back the token alone', async () => {
    const calls = answering({ status: 'succeeded', payment_method: 'pm_1' })
    const person = await open()
    await fill(person, '4242424242424242')
    await waitFor(() => expect(tokens()).toEqual([[{ about: 'token', token: 'pm_1' }, console_]]))
    expect(calls[0]?.url).toBe(`${sandbox}/v1/setup_intents/seti_1/confirm`)
    expect(Object.fromEntries(calls[0]!.body)).toMatchObject({
      key: 'pk_test',
      client_secret: 'seti_1_secret',
      'payment_method_data[card][number]': '4242424242424242',
      'payment_method_data[card][exp_month]': '4',
      'payment_method_data[card][exp_year]': '2031',
      'payment_method_data[card][cvc]': '123',
      'payment_method_data[billing_details][address][postal_code]': '04101',
    })
    expect(JSON.stringify(parent.postMessage.mock.calls)).not.toContain('4242424242424242')
    expect(screen.getByRole('button')).toBeDisabled()
  })

  // Specification: 5.24, 8.60
  it('shows the words of the provider under the field, and lets one try again', async () => {
    answering({ error: { message: 'Your card was declined.' } }, { status: 'succeeded', payment_method: 'pm_2' })
    const person = await open()
    await fill(person, '4000000000000002')
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('Your card was declined.'))
    expect(screen.getByLabelText('Card number')).toHaveAccessibleDescription('Your card was declined.')
    expect(tokens()).toEqual([])
    await person.clear(screen.getByLabelText('Card number'))
    expect(screen.getByRole('alert')).toBeEmptyDOMElement()
    await person.type(screen.getByLabelText('Card number'), '4242424242424242{Enter}')
    await waitFor(() => expect(tokens()).toHaveLength(1))
  })

  it('shows why the console refused the card, and uses the new intent', async () => {
    const calls = answering(
      { status: 'succeeded', payment_method: 'pm_1' },
      { status: 'succeeded', payment_method: 'pm_2' },
    )
    const person = await open()
    await fill(person, '4242424242424242')
    await waitFor(() => expect(tokens()).toHaveLength(1))
    hear({ about: 'refused', text: 'Insufficient funds.', intent: { ...intent, id: 'seti_2' } })
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('Insufficient funds.'))
    await person.click(screen.getByRole('button', { name: 'Add Card' }))
    await waitFor(() => expect(tokens()).toHaveLength(2))
    expect(calls[1]?.url).toContain('/seti_2/')
  })

  it.each([
    ['Approve', 'success', { status: 'succeeded', payment_method: 'pm_3' }],
    ['Decline', 'fail', { status: 'requires_payment_method', last_setup_error: { message: 'Not confirmed.' } }],
  ])('asks the bank: %s', async (button, outcome, answer) => {
    const url = `${sandbox}/authenticate/seti_1`
    const calls = answering({ status: 'requires_action', next_action: { redirect_to_url: { url } } }, answer)
    const person = await open()
    await fill(person, '4000002500003155')
    const bank = await screen.findByRole('region', { name: 'Confirm with your bank' })
    expect(bank).toHaveTextContent('•••• 3155')
    await person.click(within(bank).getByRole('button', { name: button }))
    await waitFor(() => expect(calls).toHaveLength(2))
    expect(calls[1]?.url).toBe(url)
    expect(calls[1]?.body.get('outcome')).toBe(outcome)
    if (outcome === 'success') await waitFor(() => expect(tokens()).toHaveLength(1))
    else await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('Not confirmed.'))
  })

  it('sends nothing to a bank elsewhere', async () => {
    const calls = answering({
      status: 'requires_action',
      next_action: { redirect_to_url: { url: 'http://evil.test/' } },
    })
    await fill(await open(), '4000002500003155')
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('Your card was not accepted.'))
    expect(calls).toHaveLength(1)
  })

  it('says when the provider cannot be reached', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')))
    await fill(await open(), '4242424242424242')
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('Cannot reach the payment provider'))
    expect(screen.getByRole('button', { name: 'Add Card' })).toBeEnabled()
  })

  it('points at what is missing, one thing after the other', async () => {
    const calls = answering()
    const person = await open()
    const submit = () => person.click(screen.getByRole('button', { name: 'Add Card' }))
    await submit()
    expect(screen.getByRole('alert')).toHaveTextContent('card number is not valid')
    expect(screen.getByLabelText('Card number')).toHaveFocus()
    await person.type(screen.getByLabelText('Card number'), '4242424242424242')
    await submit()
    expect(screen.getByLabelText('Expiry date')).toHaveFocus()
    await person.type(screen.getByLabelText('Expiry date'), '1230')
    await submit()
    expect(screen.getByLabelText('CVC')).toBeInvalid()
    await person.type(screen.getByLabelText('CVC'), '123')
    await submit()
    expect(screen.getByRole('alert')).toHaveTextContent('postal code is missing')
    expect(calls).toEqual([])
  })
})

describe('with the real provider', () => {
  type Change = { complete: boolean; error?: { message: string } }

  function stripe(...answers: object[]) {
    let change: (event: Change) => void = () => undefined
    const card = {
      mount: vi.fn(),
      update: vi.fn(),
      focus: vi.fn(),
      on: (_: string, listener: typeof change) => (change = listener),
    }
    const elements = { create: () => card, update: vi.fn() }
    const confirm = vi.fn<(...given: unknown[]) => Promise<unknown>>()
    for (const answer of answers) confirm.mockResolvedValueOnce(answer)
    const script = { elements: () => elements, confirmCardSetup: confirm } as unknown as StripeScript
    return {
      provider: liveProvider(() => Promise.resolve(script)),
      card,
      elements,
      confirm,
      type: (event: Change) => change(event),
    }
  }

  const submit = () => fireEvent.submit(place.querySelector('form')!)

  // Specification: 7.49
  it('mounts its fields and hands back the confirmed payment method', async () => {
    const { provider, card, confirm, type } = stripe({
      setupIntent: { status: 'succeeded', payment_method: 'pm_live' },
    })
    await open(provider)
    await waitFor(() => expect(card.mount).toHaveBeenCalled())
    type({ complete: true })
    submit()
    await waitFor(() => expect(tokens()).toEqual([[{ about: 'token', token: 'pm_live' }, console_]]))
    expect(confirm).toHaveBeenCalledWith('seti_1_secret', { payment_method: { card } }, { handleActions: false })
    expect(card.update).toHaveBeenCalledWith({ disabled: true })
  })

  it('makes room for the bank and goes on after it', async () => {
    const { provider, card, confirm, type } = stripe(
      { setupIntent: { status: 'requires_action', payment_method: 'pm_live' } },
      { setupIntent: { status: 'succeeded', payment_method: { id: 'pm_live' } } },
    )
    await open(provider)
    await waitFor(() => expect(card.mount).toHaveBeenCalled())
    type({ complete: true })
    submit()
    await waitFor(() => expect(tokens()).toHaveLength(1))
    expect(confirm).toHaveBeenLastCalledWith('seti_1_secret')
    expect(place.style.minBlockSize).toBe('')
  })

  // Specification: 8.60
  it('shows its problems while one types, and its refusals', async () => {
    const { provider, card, type } = stripe({ error: { message: 'Your card was declined.' } })
    await open(provider)
    await waitFor(() => expect(card.mount).toHaveBeenCalled())
    submit()
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('incomplete'))
    type({ complete: false, error: { message: 'Your card number is invalid.' } })
    expect(screen.getByRole('alert')).toHaveTextContent('Your card number is invalid.')
    type({ complete: true })
    submit()
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('Your card was declined.'))
  })

  it('follows the language', async () => {
    const { provider, elements, card } = stripe()
    await open(provider)
    await waitFor(() => expect(card.mount).toHaveBeenCalled())
    hear({ about: 'appearance', appearance: { language: 'tr', theme: 'dark' } })
    await waitFor(() => expect(elements.update).toHaveBeenCalledWith({ locale: 'tr' }))
  })

  it('says when its script does not come', async () => {
    await open(liveProvider(() => Promise.reject(new Error('blocked'))))
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('Cannot reach the payment provider'))
    expect(screen.getByRole('button')).toBeDisabled()
  })
})
