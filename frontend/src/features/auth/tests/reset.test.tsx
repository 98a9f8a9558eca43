import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useLocation } from 'react-router'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { captureLinkToken } from '@/api/link-token'
import { sessionStore } from '@/api/session'
import { QuickWorker } from '@/crypto/testing/quick-worker'
import { fillIn } from '@/testing/fill-in'
import { renderWithProviders } from '@/testing/render'
import { fail, ok, serve } from '@/testing/server'
import { aLeader } from '@/testing/users'
import ResetPasswordPage from '../ResetPasswordPage'

const token = 'a-token-of-a-mailed-link-0123456789'
const ids = { uid: aLeader().uuid, cid: aLeader().companyUuid }
const good = 'nine tiles of a mosaic'

function Where() {
  return <output>{useLocation().pathname}</output>
}

function open(link: () => Response, reset: () => Response = () => ok(), path = `/reset-password?token=${token}`) {
  window.history.replaceState(null, '', path)
  captureLinkToken()
  const server = serve({ 'GET /api/auth/reset': link, 'POST /api/auth/reset-password': reset })
  renderWithProviders(
    <>
      <ResetPasswordPage />
      <Where />
    </>,
    { path: '/reset-password', withToasts: true },
  )
  return { server, person: userEvent.setup() }
}

const openLink = () => ok({ state: 'open', ...ids })
const submit = () => screen.getByRole('button', { name: 'Reset password' })
const first = () => screen.findByLabelText('New password')
const second = () => screen.getByLabelText('Confirm password')

beforeEach(() => {
  vi.stubGlobal('Worker', QuickWorker)
})

afterEach(() => {
  window.history.replaceState(null, '', '/')
  vi.unstubAllGlobals()
})

describe('the link', () => {
  it.each([
    ['expired', () => ok({ state: 'expired' }), 'This link has expired'],
    ['used', () => ok({ state: 'used' }), 'This link has already been used'],
    ['unknown', () => fail(404, 'link_unknown'), 'This link is not valid'],
    ['cut off', () => fail(422, 'invalid_input'), 'This link is not valid'],
  ])('%s says so and leads on', async (_, answer, title) => {
    open(answer)
    expect(await screen.findByRole('heading', { level: 1, name: title })).toBeVisible()
    expect(screen.getByRole('link', { name: 'Send a new link' })).toHaveAttribute('href', '/forgot-password')
    expect(screen.getByRole('link', { name: 'Back to login' })).toHaveAttribute('href', '/login')
  })

  it('asks for the link again after a reload', () => {
    const { server } = open(openLink, undefined, '/reset-password?token=')
    expect(screen.getByRole('heading', { level: 1, name: 'Open the link in your email' })).toBeVisible()
    expect(server.calls).toHaveLength(0)
  })

  it('looks the link up again on retry', async () => {
    const answers = [new Response('', { status: 503 }), openLink()]
    const { person } = open(() => answers.shift() ?? openLink())
    await person.click(await screen.findByRole('button', { name: 'Retry' }))
    expect(await first()).toBeVisible()
  })
})

describe('the new password', () => {
  // Specification: 5.10
  it('says that a new password makes new keys', async () => {
    open(openLink)
    await first()
    expect(screen.getByRole('heading', { name: 'You will get new keys' })).toBeVisible()
    expect(screen.getByText(/you will need to enter the company passphrase/)).toBeVisible()
    expect(submit()).toBeDisabled()
  })

  // Specification: 5.10
  it('refuses two passwords that differ', async () => {
    const { person } = open(openLink)
    await fillIn(person, await first(), good)
    await fillIn(person, second(), good.toUpperCase())
    await person.tab()
    expect((await screen.findAllByText('Password should be equal')).length).toBeGreaterThan(0)
    expect(submit()).toBeDisabled()
  })

  it.each([
    ['short', 'Use at least 12 characters.'],
    ['password1234', 'This password is too common. Choose another.'],
    ['123456789012', /keyboard|repetitive|letters/],
  ])('%s is refused', async (text, message) => {
    const { person, server } = open(openLink)
    await fillIn(person, await first(), text)
    await fillIn(person, second(), text)
    await person.click(submit())
    expect(await screen.findByText(message)).toBeVisible()
    expect(server.to('POST /api/auth/reset-password')).toHaveLength(0)
  })

  it('ticks the criteria that the password meets', async () => {
    const { person } = open(openLink)
    const met = () => screen.getAllByRole('listitem').map((line) => line.dataset.met)
    await first()
    expect(met()).toEqual(['false', 'false', 'false'])
    await fillIn(person, await first(), good)
    await waitFor(() => expect(met()).toEqual(['true', 'true', 'false']))
    await fillIn(person, second(), good)
    await waitFor(() => expect(met()).toEqual(['true', 'true', 'true']))
  })

  // Specification: 2.14, 8.6
  it('sends a derived secret and a sealed key, and opens the login', async () => {
    const { person, server } = open(openLink)
    sessionStore.signIn('mine', aLeader())
    await fillIn(person, await first(), good)
    await fillIn(person, second(), good)
    await person.click(submit())
    expect(await screen.findByText('Successfully Changed Password')).toBeVisible()
    expect(await screen.findByText('/login')).toBeVisible()
    const body = server.to('POST /api/auth/reset-password')[0]?.body as Record<string, string>
    expect(body.token).toBe(token)
    expect(body.password).toMatch(/^a1\.[\w-]{43}$/)
    expect(body.userKey).toMatch(/^[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/)
    expect(JSON.stringify(server.calls)).not.toContain(good)
    expect(sessionStore.get()).toEqual({ status: 'guest', reason: 'loggedOut' })
  })

  it('leaves another account signed in', async () => {
    const { person } = open(openLink)
    sessionStore.signIn('mine', aLeader({ uuid: crypto.randomUUID() }))
    await fillIn(person, await first(), good)
    await fillIn(person, second(), good)
    await person.click(submit())
    await screen.findByText('Successfully Changed Password')
    expect(sessionStore.get().status).toBe('signedIn')
    sessionStore.signOut('expired')
  })

  // Specification: 8.30
  it.each([
    [
      () => fail(409, 'link_used', 'This link has already been used already.'),
      'This link has already been used already.',
    ],
    [() => new Response('', { status: 500 }), 'Could not Reset Password'],
  ])('says why it could not be kept', async (answer, message) => {
    const { person } = open(openLink, answer)
    await fillIn(person, await first(), good)
    await fillIn(person, second(), good)
    await person.click(submit())
    expect(await screen.findByRole('alert')).toHaveTextContent(message)
  })
})
