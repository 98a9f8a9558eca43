import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { captureLinkToken } from '@/api/link-token'
import { sessionStore } from '@/api/session'
import { renderWithProviders } from '@/testing/render'
import { codeSent, fail, ok, serve, type Call } from '@/testing/server'
import { aLeader } from '@/testing/users'
import ConfirmEmailPage from '../ConfirmEmailPage'
import VerificationDialog from '../VerificationDialog'

let token = 0

const own = { currentEmailAddress: 'new@northwind.test', newEmailAddress: 'new@northwind.test', isChange: false }
const other = { currentEmailAddress: 'ada@northwind.test', newEmailAddress: 'ada@elsewhere.test', isChange: true }

function open(answer: (call: Call) => Response, link: object | (() => Response) = own) {
  token += 1
  window.history.replaceState(null, '', `/confirm-email?token=link-${token}-0123456789abcdef`)
  captureLinkToken()
  const server = serve({
    'GET /api/auth/confirm-email': () => (typeof link === 'function' ? (link as () => Response)() : ok(link)),
    'POST /api/auth/confirm-email': answer,
    'POST /api/auth/logout': () => ok(),
    'POST /api/auth/generate-otp': () => codeSent(),
    'POST /api/auth/verify-otp/246810': () => ok({ verifiedFor: 300 }),
  })
  renderWithProviders(
    <>
      <ConfirmEmailPage />
      <VerificationDialog />
    </>,
    { path: '/confirm-email' },
  )
  return server
}

beforeEach(async () => {
  localStorage.removeItem('tessera.token')
  await sessionStore.startUp()
})

afterEach(() => {
  window.history.replaceState(null, '', '/')
  sessionStore.signOut('expired')
  vi.unstubAllGlobals()
})

describe('ConfirmEmailPage', () => {
  it('sends a guest to the login, and confirms once that is done', async () => {
    const user = aLeader({ email_address: 'new@northwind.test', emailConfirmed: true })
    const server = open(() => ok(user))
    expect(screen.getByRole('heading', { level: 1, name: 'Log in to confirm your email' })).toBeVisible()
    expect(screen.getByRole('link', { name: 'Login' })).toHaveAttribute('href', '/login')
    expect(server.calls).toHaveLength(0)
    act(() => sessionStore.signIn('t', aLeader({ emailConfirmed: false })))
    expect(await screen.findByRole('heading', { level: 1, name: 'Your email is confirmed' })).toBeVisible()
    expect(screen.getByText('new@northwind.test')).toHaveAttribute('dir', 'ltr')
    expect(sessionStore.get()).toMatchObject({ user: { email_address: 'new@northwind.test', emailConfirmed: true } })
    expect(server.to('POST /api/auth/confirm-email')).toHaveLength(1)
  })

  it.each([
    [409, 'link_expired', 'This link has expired'],
    [409, 'link_used', 'This link has already been used'],
    [404, 'link_unknown', 'This link is not valid'],
    [409, 'address_in_use', 'This email is already in use'],
  ])('%i %s has its own text', async (status, code, title) => {
    sessionStore.signIn('t', aLeader())
    open(
      () => ok(aLeader()),
      () => fail(status, code),
    )
    expect(await screen.findByRole('heading', { level: 1, name: title })).toBeVisible()
    expect(screen.getByRole('link', { name: 'Go to App' })).toHaveAttribute('href', '/team-members')
  })

  it('offers to log out when the link belongs to another account', async () => {
    sessionStore.signIn('t', aLeader())
    const server = open(
      () => ok(aLeader()),
      () => fail(403, 'link_of_another_account'),
    )
    const person = userEvent.setup()
    await person.click(await screen.findByRole('button', { name: 'Log out and use the other account' }))
    expect(screen.getByRole('heading', { level: 1, name: 'Log in to confirm your email' })).toBeVisible()
    server.handlers['GET /api/auth/confirm-email'] = () => ok(own)
    act(() => sessionStore.signIn('t2', aLeader()))
    expect(await screen.findByRole('heading', { level: 1, name: 'Your email is confirmed' })).toBeVisible()
  })

  it('tries again after no answer', async () => {
    sessionStore.signIn('t', aLeader())
    const answers = [new Response('', { status: 502 })]
    open(() => answers.shift() ?? ok(aLeader()))
    await userEvent.setup().click(await screen.findByRole('button', { name: 'Retry' }))
    expect(await screen.findByRole('heading', { level: 1, name: 'Your email is confirmed' })).toBeVisible()
  })
  it('shows both addresses of a change, and sends nothing before a click and a code', async () => {
    sessionStore.signIn('t', aLeader({ email_address: 'ada@northwind.test' }))
    const answers = [fail(403, 'verification_required', 'Please verify.')]
    const server = open(() => answers.shift() ?? ok(aLeader({ email_address: 'ada@elsewhere.test' })), other)
    expect(await screen.findByRole('heading', { level: 1, name: 'Confirm your new email' })).toBeVisible()
    expect(screen.getByText('ada@northwind.test')).toHaveAttribute('dir', 'ltr')
    expect(screen.getByText('ada@elsewhere.test')).toHaveAttribute('dir', 'ltr')
    expect(screen.getByRole('link', { name: 'Not now' })).toHaveAttribute('href', '/team-members')
    expect(server.to('POST /api/auth/confirm-email')).toHaveLength(0)
    const person = userEvent.setup()
    await person.click(screen.getByRole('button', { name: 'Confirm new email' }))
    await person.type(await screen.findByRole('textbox', { name: 'Verification code' }), '246810')
    expect(await screen.findByRole('heading', { level: 1, name: 'Your email is confirmed' })).toBeVisible()
    expect(sessionStore.get()).toMatchObject({ user: { email_address: 'ada@elsewhere.test' } })
    expect(server.to('POST /api/auth/confirm-email')).toHaveLength(2)
  })

  it('says when a change could not be confirmed', async () => {
    sessionStore.signIn('t', aLeader())
    const answers = [new Response('', { status: 500 }), fail(409, 'address_in_use')]
    open(() => answers.shift() ?? ok(aLeader()), other)
    const person = userEvent.setup()
    await person.click(await screen.findByRole('button', { name: 'Confirm new email' }))
    expect(await screen.findByRole('alert')).toHaveTextContent('Could not confirm the email')
    await waitFor(() => expect(screen.getByRole('button', { name: 'Confirm new email' })).toBeEnabled())
    await person.click(screen.getByRole('button', { name: 'Confirm new email' }))
    expect(await screen.findByRole('heading', { level: 1, name: 'This email is already in use' })).toBeVisible()
  })
})
