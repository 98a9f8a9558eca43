import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { sessionStore } from '@/api/session'
import { verificationStore } from '@/api/verification'
import { changeLanguage } from '@/i18n/i18n'
import { renderWithProviders } from '@/testing/render'
import { codeSent, fail, ok, serve } from '@/testing/server'
import { aLeader } from '@/testing/users'
import { DomainsSection } from '../domains/DomainsSection'
import type { Domain } from '../domains/api'

const waiting: Domain = {
  domain: 'acme.test',
  recordName: '_tessera-domain.acme.test',
  recordValue: 'tessera-domain=abc',
  createdAt: '2026-11-01T09:00:00Z',
  provedAt: null,
  missingSince: null,
  lostAt: null,
}
const proved = { ...waiting, domain: 'proved.test', provedAt: '2026-11-02T09:00:00Z' }

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

function open(domains: Domain[], handlers: Parameters<typeof serve>[0] = {}, maxDomains = 50) {
  const server = serve({
    'GET /api/identity/domains': () => ok({ domains, maxDomains }),
    'POST /api/auth/generate-otp': () => codeSent(),
    ...handlers,
  })
  renderWithProviders(<DomainsSection />, { withToasts: true })
  return server
}

describe('domains', () => {
  it('show the record of one that is not proved, and the day of one that is', async () => {
    open([waiting, proved])
    const [first, second] = await screen.findAllByRole('listitem')
    expect(first).toHaveTextContent('Not proved yet')
    expect(first).toHaveTextContent('_tessera-domain.acme.test')
    expect(first).toHaveTextContent('tessera-domain=abc')
    expect(second).toHaveTextContent('Proved on November 2, 2026')
    expect(second).not.toHaveTextContent('tessera-domain=abc')
    expect(within(second!).queryByRole('button', { name: /^Check/ })).toBeNull()
  })

  it('show the record again while it is missing, and once the domain is lost', async () => {
    const missing = { ...proved, missingSince: '2026-11-05T04:29:00Z' }
    const lost = { ...missing, domain: 'lost.test', provedAt: null, lostAt: '2026-11-11T04:29:00Z' }
    open([missing, lost], { 'POST /api/identity/domains/lost.test/check': () => ok(lost) })
    const [first, second] = await screen.findAllByRole('listitem')
    expect(first).toHaveTextContent('Record missing')
    expect(first).toHaveTextContent('has been missing since November 5, 2026')
    expect(first).toHaveTextContent('tessera-domain=abc')
    expect(second).toHaveTextContent('No longer proved')
    expect(second).toHaveTextContent('since November 11, 2026')
    await userEvent.click(within(second!).getByRole('button', { name: 'Check lost.test now' }))
    expect(await screen.findByText('Domain Proved')).toBeVisible()
  })

  it('are shown with verified access, or why not', async () => {
    let verified = false
    open([], {
      'GET /api/identity/domains': () =>
        verified
          ? ok({ domains: [proved], maxDomains: 50 })
          : fail(403, 'verification_required', 'Please verify your identity to continue.'),
    })
    await waitFor(() => expect(verificationStore.get().status).toBe('sent'))
    act(() => verificationStore.cancel())
    expect(await screen.findByText('Please verify your identity to continue.')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
    await waitFor(() => expect(verificationStore.get().status).toBe('sent'))
    verified = true
    act(() => verificationStore.confirm())
    expect(await screen.findByText('proved.test')).toBeVisible()
  })

  it('are added with verified access, and the server names a wrong one at the field', async () => {
    const answers = [
      fail(403, 'verification_required'),
      fail(422, 'invalid', '', { fields: { domain: 'Enter a domain such as example.com.' } }),
    ]
    const server = open([], {
      'POST /api/identity/domains': () => answers.shift() ?? Response.json(waiting, { status: 201 }),
    })
    await userEvent.type(await screen.findByLabelText('Domain'), 'acme')
    await userEvent.click(screen.getByRole('button', { name: 'Add domain' }))
    await waitFor(() => expect(verificationStore.get().status).toBe('sent'))
    act(() => verificationStore.confirm())
    expect(await screen.findByText('Enter a domain such as example.com.')).toBeVisible()
    await userEvent.type(screen.getByLabelText('Domain'), '.test')
    await userEvent.click(screen.getByRole('button', { name: 'Add domain' }))
    expect(await screen.findByText('Domain Added')).toBeVisible()
    expect(server.to('POST /api/identity/domains').at(-1)!.body).toEqual({ domain: 'acme.test' })
  })

  it('say why a check found nothing', async () => {
    open([waiting], {
      'POST /api/identity/domains/acme.test/check': () =>
        fail(409, 'domain_record_missing', 'The DNS has no such TXT record.'),
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Check acme.test now' }))
    expect(await screen.findByText('The DNS has no such TXT record.')).toBeVisible()
  })

  it('are removed once confirmed', async () => {
    const server = open([proved], {
      'DELETE /api/identity/domains/proved.test': () => new Response(null, { status: 204 }),
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Remove proved.test' }))
    const dialog = await screen.findByRole('alertdialog', { name: 'Remove proved.test?' })
    expect(server.to('DELETE /api/identity/domains/proved.test')).toEqual([])
    await userEvent.click(within(dialog).getByRole('button', { name: 'Remove' }))
    expect(await screen.findByText('Domain Removed')).toBeVisible()
  })

  it('cannot be added beyond the limit', async () => {
    open([proved], {}, 1)
    expect(await screen.findByRole('button', { name: 'Add domain' })).toBeDisabled()
  })
})
