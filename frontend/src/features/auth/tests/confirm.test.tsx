import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { captureLinkToken } from '@/api/link-token'
import { sessionStore } from '@/api/session'
import { renderWithProviders } from '@/testing/render'
import { fail, ok, serve, type Call } from '@/testing/server'
import { aLeader } from '@/testing/users'
import ConfirmEmailPage from '../ConfirmEmailPage'

let token = 0

function open(answer: (call: Call) => Response) {
  token += 1
  window.history.replaceState(null, '', `/confirm-email?token=link-${token}-0123456789abcdef`)
  captureLinkToken()
  const server = serve({ 'POST /api/auth/confirm-email': answer, 'POST /api/auth/logout': () => ok() })
  renderWithProviders(<ConfirmEmailPage />, { path: '/confirm-email' })
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
  ])('%i %s has words of its own', async (status, code, title) => {
    sessionStore.signIn('t', aLeader())
    open(() => fail(status, code))
    expect(await screen.findByRole('heading', { level: 1, name: title })).toBeVisible()
    expect(screen.getByRole('link', { name: 'Go to App' })).toHaveAttribute('href', '/team-members')
  })

  it('offers the other account its turn', async () => {
    sessionStore.signIn('t', aLeader())
    const server = open(() => fail(403, 'link_of_another_account'))
    const person = userEvent.setup()
    await person.click(await screen.findByRole('button', { name: 'Log out and use the other account' }))
    expect(screen.getByRole('heading', { level: 1, name: 'Log in to confirm your email' })).toBeVisible()
    server.handlers['POST /api/auth/confirm-email'] = () => ok(aLeader())
    act(() => sessionStore.signIn('t2', aLeader()))
    expect(await screen.findByRole('heading', { level: 1, name: 'Your email is confirmed' })).toBeVisible()
  })

  it('can be tried again when nobody answered', async () => {
    sessionStore.signIn('t', aLeader())
    const answers = [new Response('', { status: 502 })]
    open(() => answers.shift() ?? ok(aLeader()))
    await userEvent.setup().click(await screen.findByRole('button', { name: 'Retry' }))
    expect(await screen.findByRole('heading', { level: 1, name: 'Your email is confirmed' })).toBeVisible()
  })
})
