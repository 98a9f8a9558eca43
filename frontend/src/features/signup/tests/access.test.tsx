import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { captureLinkToken } from '@/api/link-token'
import { pageOf } from '@/testing/lists'
import { renderWithProviders } from '@/testing/render'
import { fail, ok, serve } from '@/testing/server'
import AccessRequestsPage from '../AccessRequestsPage'
import { button, fill, openSignup, press, title } from './open-signup'

const ticketKey = 'POST /api/auth/signup-ticket'
const config = { mode: 'sandbox', chatUrl: null, cardOrigin: 'http://cards.test', version: '1' }

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('without the registration password', () => {
  it('sends a request for access', async () => {
    const server = openSignup(
      'password',
      { ticket: null },
      { 'POST /api/auth/request-access': () => new Response('null', { status: 202 }) },
    )
    await title('Type in the provided password')
    press('Request access')
    await screen.findByRole('dialog', { name: 'Request access' })
    fill('Your name', 'Grace Hopper')
    fill('Company', 'Harbour Ltd')
    fill('Email', 'grace@harbour.test')
    press('Send request')
    expect(await screen.findByRole('dialog', { name: 'Request sent' })).toBeVisible()
    expect(server.to('POST /api/auth/request-access')[0]?.body).toEqual({
      name: 'Grace Hopper',
      companyName: 'Harbour Ltd',
      emailAddress: 'grace@harbour.test',
    })
    press('Close')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('a request names the fields that are missing and says what the server refused', async () => {
    openSignup(
      'password',
      { ticket: null },
      {
        'POST /api/auth/request-access': () =>
          fail(422, 'invalid_input', 'Please check the fields.', { fields: { name: 'No links, please.' } }),
      },
    )
    press('Request access')
    await screen.findByRole('dialog')
    press('Send request')
    expect((await screen.findAllByText('This field is required.'))[0]).toBeVisible()
    fill('Your name', 'www.evil.test')
    fill('Company', 'Harbour Ltd')
    fill('Email', 'grace@harbour.test')
    press('Send request')
    expect(await screen.findByText('No links, please.')).toBeVisible()
  })

  it('starts without a password where registration is open', async () => {
    const server = openSignup(
      'password',
      { ticket: null },
      {
        'GET /api/config': () => ok({ ...config, openRegistration: true }),
        [ticketKey]: () => ok({ ticket: 'ticket-3', expiresIn: 3600 }),
      },
    )
    await title('Sign up your company')
    expect(screen.queryByText('No registration password?')).toBeNull()
    press('Begin')
    await title('Register Company')
    expect(server.to(ticketKey)[0]?.body).toEqual({ token: null })
  })
})

describe('a personal link', () => {
  function follow() {
    window.history.replaceState(null, '', '/signup?token=of-the-mail')
    captureLinkToken()
  }

  afterEach(() => {
    window.history.replaceState(null, '', '/?token=')
    captureLinkToken()
  })

  it('begins the sign-up and leaves the address bar', async () => {
    follow()
    expect(window.location.search).toBe('')
    const server = openSignup(
      'password',
      { ticket: null },
      { [ticketKey]: () => ok({ ticket: 'ticket-3', expiresIn: 3600 }) },
    )
    await title('Sign up your company')
    press('Begin')
    await title('Register Company')
    expect(server.to(ticketKey)[0]?.body).toEqual({ token: 'of-the-mail' })
  })

  it('offers a new request when the personal link no longer works', async () => {
    follow()
    openSignup(
      'password',
      { ticket: null },
      { [ticketKey]: () => fail(403, 'access_link_invalid', 'The link has expired.') },
    )
    press('Begin')
    expect(await screen.findByRole('alert')).toHaveTextContent('The link has expired.')
    expect(button('Request access')).toBeEnabled()
  })
})

describe('the admin', () => {
  const request = {
    id: 7,
    name: 'Grace Hopper',
    companyName: 'Harbour Ltd',
    emailAddress: 'grace@harbour.test',
    state: 'open',
    dateCreated: '2026-10-01T09:00:00Z',
    decidedAt: null,
    expiresAt: null,
  }

  function open(rows: object[], more: Parameters<typeof serve>[0] = {}) {
    const server = serve({ 'GET /api/access-requests': (call) => pageOf(rows, call), ...more })
    renderWithProviders(<AccessRequestsPage />, { path: '/admin/access-requests', withToasts: true })
    return server
  }

  async function choose(action: string) {
    await userEvent.click(await screen.findByRole('button', { name: 'Actions for grace@harbour.test' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: action }))
  }

  it.each([
    ['approve', 'Approve and send link', 'Link sent'],
    ['decline', 'Decline', 'Request declined'],
  ])('can %s a request', async (decision, action, toast) => {
    const key = `POST /api/access-requests/7/${decision}`
    const server = open([request], { [key]: () => ok(request) })
    expect(await screen.findByText('Harbour Ltd')).toBeVisible()
    await choose(action)
    expect(await screen.findByText(toast)).toBeVisible()
    expect(server.to(key)).toHaveLength(1)
    await waitFor(() => expect(server.to('GET /api/access-requests')).toHaveLength(2))
  })

  it('sends another link until the request is used', async () => {
    open([
      { ...request, state: 'approved' },
      { ...request, id: 8, emailAddress: 'ines@harbour.test', state: 'used' },
    ])
    await userEvent.click(await screen.findByRole('button', { name: 'Actions for grace@harbour.test' }))
    expect(await screen.findByRole('menuitem', { name: 'Send a new link' })).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Actions for ines@harbour.test' })).toBeNull()
    await act(async () => undefined)
  })

  it('shows an empty list when there are no requests', async () => {
    open([])
    expect(await screen.findByText('No requests')).toBeVisible()
  })
})
