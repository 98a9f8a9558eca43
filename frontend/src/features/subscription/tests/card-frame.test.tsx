import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { sessionStore } from '@/api/session'
import { renderWithProviders } from '@/testing/render'
import { aLeader } from '@/testing/users'
import AddCardDialog from '../dialogs/AddCardDialog'
import { aPayment, fail, serve } from './server'

const origin = 'http://cards.test'
const intent = { id: 'seti_1', clientSecret: 'seti_1_secret', publishableKey: 'pk_test' }
const close = vi.fn()

beforeEach(() => {
  close.mockReset()
  document.documentElement.dataset.theme = 'light'
  sessionStore.signIn('t', aLeader({ canViewWarehouse: false }))
})

afterEach(() => {
  act(() => sessionStore.signOut('expired'))
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

async function open(handlers: Parameters<typeof serve>[1] = {}) {
  const server = serve(aPayment(), handlers)
  renderWithProviders(<AddCardDialog payment={aPayment()} open onClose={close} />, { withToasts: true })
  const frame = await screen.findByTitle<HTMLIFrameElement>('Card form')
  const sent = vi.spyOn(frame.contentWindow!, 'postMessage')
  fireEvent.load(frame)
  const say = (data: unknown, from = origin, source: Window | null = frame.contentWindow) =>
    act(() => {
      window.dispatchEvent(new MessageEvent('message', { data, origin: from, source }))
    })
  return { server, frame, sent, say }
}

describe('the card form in the dialog', () => {
  // Specification: 2.106
  it('is a frame of another origin that gets appearance and intent by message, not in its address', async () => {
    const { frame, sent } = await open()
    expect(frame).toHaveAttribute('src', `${origin}/`)
    expect(frame).toHaveAttribute('sandbox', 'allow-scripts allow-forms allow-same-origin allow-popups')
    const appearance = { language: 'en', theme: 'light' }
    expect(sent).toHaveBeenCalledWith({ about: 'setUp', appearance, purpose: 'add', intent }, origin)
    expect(sent.mock.calls.every(([, target]) => (target as unknown) === origin)).toBe(true)
  })

  it('takes the height that the card page reports', async () => {
    const { frame, say } = await open()
    say({ about: 'height', height: 320 })
    expect(frame).toHaveStyle({ blockSize: '320px' })
    say({ about: 'height', height: 100_000 })
    expect(frame).toHaveStyle({ blockSize: '320px' })
  })

  // Specification: 8.7
  it('adds the card whose token is returned', async () => {
    const { server, say } = await open({ 'POST /api/payment/add': () => Response.json(aPayment()) })
    say({ about: 'token', token: 'pm_new' })
    expect(await screen.findByText('Payment Method Added')).toBeVisible()
    expect(server.to('POST /api/payment/add')[0]?.body).toEqual({ stripeToken: 'pm_new', amount: null })
    expect(close).toHaveBeenCalledOnce()
  })

  it.each([
    ['another origin', { about: 'token', token: 'pm_new' }, 'http://evil.test', undefined],
    ['another window', { about: 'token', token: 'pm_new' }, origin, window],
    ['a strange shape', { about: 'token', token: '<script>' }, origin, undefined],
    ['no shape at all', 'pm_new', origin, undefined],
  ])('hears nothing from %s', async (_, data, from, source) => {
    const { server, say } = await open()
    say(data, from, source)
    await waitFor(() => expect(server.to('POST /api/payment/setup-intent')).toHaveLength(1))
    expect(server.to('POST /api/payment/add')).toEqual([])
  })

  it('gets the reason of a refusal and another intent for the next try', async () => {
    const { server, sent, say } = await open({
      'POST /api/payment/add': () => fail(402, 'card_declined', 'Your card was not accepted. Your card was declined.'),
    })
    say({ about: 'token', token: 'pm_new' })
    const text = 'Your card was not accepted. Your card was declined.'
    await waitFor(() => expect(sent).toHaveBeenCalledWith({ about: 'refused', text, intent }, origin))
    expect(server.to('POST /api/payment/setup-intent')).toHaveLength(2)
    expect(close).not.toHaveBeenCalled()
  })

  // Specification: 8.31
  it('shows the console’s own text when the server gives no reason', async () => {
    const { sent, say } = await open({ 'POST /api/payment/add': () => fail(500, 'internal_error') })
    say({ about: 'token', token: 'tok_new' })
    await waitFor(() =>
      expect(sent).toHaveBeenCalledWith({ about: 'refused', text: 'Could Not Add Payment Method', intent }, origin),
    )
  })

  it('follows language and theme while it is open', async () => {
    const { sent } = await open()
    act(() => {
      document.documentElement.dataset.theme = 'dark'
    })
    await waitFor(() =>
      expect(sent).toHaveBeenCalledWith({ about: 'appearance', appearance: { language: 'en', theme: 'dark' } }, origin),
    )
  })

  // Specification: 2.106
  it('closes the dialog when Close is pressed', async () => {
    await open()
    await userEvent.setup().click(screen.getByRole('button', { name: 'Close' }))
    expect(close).toHaveBeenCalledOnce()
  })

  it('shows an error when no intent can be fetched, and fetches again on retry', async () => {
    let broken = true
    serve(aPayment(), {
      'POST /api/payment/setup-intent': () =>
        broken ? fail(503, 'card_provider_unavailable', 'The card provider cannot be reached.') : Response.json(intent),
    })
    renderWithProviders(<AddCardDialog payment={aPayment()} open onClose={close} />)
    expect(await screen.findByRole('alert')).toHaveTextContent('The card provider cannot be reached.')
    broken = false
    await userEvent.setup().click(screen.getByRole('button', { name: 'Retry' }))
    expect(await screen.findByTitle('Card form')).toBeInTheDocument()
  })

  it('shows an error when the card page never answers', async () => {
    serve(aPayment())
    renderWithProviders(<AddCardDialog payment={aPayment()} open onClose={close} />)
    const frame = await screen.findByTitle('Card form')
    vi.useFakeTimers()
    fireEvent.load(frame)
    act(() => {
      vi.advanceTimersByTime(15_000)
    })
    expect(screen.getByRole('alert')).toHaveTextContent('Could not open the card form')
  })
})
