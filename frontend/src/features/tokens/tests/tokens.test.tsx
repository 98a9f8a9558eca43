import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { sessionStore } from '@/api/session'
import { verificationStore } from '@/api/verification'
import { LANGUAGES } from '@/i18n/languages'
import { changeLanguage, i18n } from '@/i18n/i18n'
import { renderWithProviders } from '@/testing/render'
import { codeSent, fail, ok, serve } from '@/testing/server'
import { aLeader } from '@/testing/users'
import type { ApiToken } from '../api'
import { SCOPES, scopeText } from '../scopes'
import TokensPage from '../TokensPage'

const secret = `tsk_2-${'a'.repeat(43)}`
const deploy: ApiToken = {
  id: 7,
  name: 'Payroll sync',
  scopes: ['members:read', 'storage:future'],
  networks: ['203.0.113.7/32', '2001:db8::/32'],
  state: 'active',
  createdBy: 'Ada Lindqvist',
  createdAt: '2026-11-01T09:00:00Z',
  expiresAt: '2027-02-01T09:00:00Z',
  lastUsedAt: null,
  lastOrigin: null,
}

beforeEach(() => {
  sessionStore.signIn('t', aLeader())
})

afterEach(async () => {
  await act(async () => {
    sessionStore.signOut('expired')
    await changeLanguage('en')
  })
  vi.unstubAllGlobals()
})

function open(tokens: ApiToken[], handlers: Parameters<typeof serve>[0] = {}, maxTokens = 50) {
  const server = serve({
    'GET /api/tokens': () => ok({ tokens, maxTokens }),
    'POST /api/auth/generate-otp': () => codeSent(),
    ...handlers,
  })
  renderWithProviders(<TokensPage />, { withToasts: true })
  return server
}

async function fillIn() {
  await userEvent.click(await screen.findByRole('button', { name: 'Create token' }))
  const dialog = await screen.findByRole('dialog', { name: 'Create API token' })
  await userEvent.type(within(dialog).getByLabelText('Name'), 'Payroll sync')
  return dialog
}

const submit = (dialog: HTMLElement) => userEvent.click(within(dialog).getByRole('button', { name: 'Create token' }))

describe('API tokens', () => {
  it('says what a token may do, from where, until when, and its last use', async () => {
    const used = { lastUsedAt: new Date().toISOString(), lastOrigin: '203.0.113.7' }
    open([
      { ...deploy, ...used },
      { ...deploy, id: 6, name: 'Old', state: 'revoked', networks: [] },
    ])
    expect(await screen.findByRole('heading', { name: 'Payroll sync' })).toBeVisible()
    const [first, second] = screen.getAllByRole('listitem').filter((item) => item.hasAttribute('data-state'))
    expect(first).toHaveTextContent('Works')
    expect(first).toHaveTextContent('Read members and invitations')
    expect(first).toHaveTextContent('storage:future')
    expect(first).toHaveTextContent('203.0.113.7, 2001:db8::/32')
    expect(first).toHaveTextContent('February 1, 2027')
    expect(first).toHaveTextContent('by Ada Lindqvist')
    expect(second).toHaveTextContent('Revoked')
    expect(second).toHaveTextContent('Never')
    expect(second).toHaveTextContent('Any address')
    expect(screen.getAllByRole('button', { name: /^Revoke/ })).toHaveLength(1)
  })

  it('explains an empty list, and why it could not be loaded', async () => {
    open([])
    expect(await screen.findByText('No API tokens yet')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Open the API reference' })).toHaveAttribute('href', '/api')
  })

  it('offers another try when the list cannot be loaded', async () => {
    open([], { 'GET /api/tokens': () => fail(500, 'internal_error', 'Something went wrong.') })
    expect(await screen.findByText('Could not load the tokens')).toBeVisible()
    expect(screen.getByRole('button', { name: /again|retry/i })).toBeVisible()
  })

  it('asks for verified access, shows the token once, and forgets it', async () => {
    const answers = [fail(403, 'verification_required')]
    const server = open([], {
      'POST /api/tokens': () => answers.shift() ?? Response.json({ token: secret, created: deploy }, { status: 201 }),
    })
    const dialog = await fillIn()
    await userEvent.click(within(dialog).getByRole('checkbox', { name: /Read the activity/ }))
    await userEvent.selectOptions(within(dialog).getByLabelText('Expires in'), '30 days')
    await userEvent.type(within(dialog).getByLabelText(/^Allowed addresses/), '203.0.113.7{Enter}2001:db8::/32')
    await submit(dialog)
    await waitFor(() => expect(verificationStore.get().status).toBe('sent'))
    act(() => verificationStore.confirm())
    const shown = await screen.findByRole('dialog', { name: 'Token “Payroll sync” created' })
    expect(shown).toHaveTextContent(secret)
    const body = server.to('POST /api/tokens').at(-1)!.body as Record<string, unknown>
    const inDays = (Date.parse(String(body['expiresAt'])) - Date.now()) / 86_400_000
    expect(Math.round(inDays)).toBe(30)
    expect(body).toMatchObject({
      name: 'Payroll sync',
      scopes: ['activity:read'],
      networks: ['203.0.113.7', '2001:db8::/32'],
    })
    await userEvent.click(within(shown).getByRole('button', { name: 'I have copied it' }))
    expect(document.body).not.toHaveTextContent(secret)
    expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain(secret)
  })

  it('sends nothing without a scope', async () => {
    const server = open([])
    const dialog = await fillIn()
    await submit(dialog)
    expect(await within(dialog).findByText('Choose at least one.')).toBeVisible()
    expect(server.to('POST /api/tokens')).toEqual([])
  })

  it('shows what the server says about an address', async () => {
    open([], {
      'POST /api/tokens': () => fail(422, 'invalid', '', { fields: { 'networks.1': 'Enter an address.' } }),
    })
    const dialog = await fillIn()
    await userEvent.click(within(dialog).getByRole('checkbox', { name: /Read the activity/ }))
    await submit(dialog)
    expect(await within(dialog).findByText('Enter an address.')).toBeVisible()
    expect(within(dialog).getByLabelText(/^Allowed addresses/)).toBeInvalid()
  })

  it('makes no more than a company may have', async () => {
    open([deploy], {}, 1)
    const button = await screen.findByRole('button', { name: 'Create token' })
    await waitFor(() => expect(button).toBeDisabled())
    expect(screen.getByText('A company can have 1 tokens. Revoke one first.')).toBeInTheDocument()
  })

  it('revokes after a question', async () => {
    const server = open([deploy], { 'DELETE /api/tokens/7': () => ok() })
    await userEvent.click(await screen.findByRole('button', { name: 'Revoke Payroll sync' }))
    const dialog = await screen.findByRole('alertdialog', { name: 'Revoke “Payroll sync”?' })
    await userEvent.click(within(dialog).getByRole('button', { name: 'Revoke token' }))
    expect(await screen.findByText('Token Revoked')).toBeVisible()
    expect(server.to('DELETE /api/tokens/7')).toHaveLength(1)
  })

  it.each(LANGUAGES)('names every scope in %s', async (language) => {
    await act(() => changeLanguage(language))
    await i18n.loadNamespaces('tokens')
    for (const scope of SCOPES) expect(i18n.exists(`tokens:${scopeText(scope)}`)).toBe(true)
  })
})
