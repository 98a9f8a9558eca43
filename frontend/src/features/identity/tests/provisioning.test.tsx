import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { sessionStore } from '@/api/session'
import { renderWithProviders } from '@/testing/render'
import { ok, serve } from '@/testing/server'
import { aLeader } from '@/testing/users'
import type { Provisioning } from '../provisioning/api'
import { ProvisioningSection } from '../provisioning/ProvisioningSection'

const secret = `tscim_2-${'a'.repeat(43)}`
const none: Provisioning = {
  baseUrl: 'https://console.test/scim/v2',
  tokens: [],
  confirmDeletions: true,
  users: 0,
  groups: 0,
  deletions: 0,
}
const current = {
  createdBy: 'Ada Lindqvist',
  createdAt: '2026-11-01T09:00:00Z',
  expiresAt: null,
  lastUsedAt: null,
  lastOrigin: null,
}
const some: Provisioning = { ...none, tokens: [current], users: 42, groups: 1 }
const omar = {
  uuid: '11111111-1111-4111-8111-111111111111',
  name: 'Omar Haddad',
  emailAddress: 'omar@northwind.test',
  requestedAt: '2026-11-01T09:00:00Z',
}

beforeEach(() => {
  sessionStore.signIn('t', aLeader())
})

afterEach(() => {
  act(() => sessionStore.signOut('expired'))
  vi.unstubAllGlobals()
})

function open(data: Provisioning, handlers: Parameters<typeof serve>[0] = {}) {
  const server = serve({ 'GET /api/provisioning': () => ok(data), ...handlers })
  renderWithProviders(<ProvisioningSection />, { withToasts: true })
  return server
}

describe('Provisioning', () => {
  it('shows a new token once', async () => {
    open(none, { 'POST /api/provisioning/token': () => ok({ token: secret, provisioning: some }) })
    await userEvent.click(await screen.findByRole('button', { name: 'Create token' }))
    const dialog = await screen.findByRole('dialog', { name: 'Your SCIM token' })
    expect(dialog).toHaveTextContent(secret)
    await userEvent.click(within(dialog).getByRole('button', { name: 'Done' }))
    expect(document.body).not.toHaveTextContent(secret)
    expect(screen.getByRole('heading', { name: 'SCIM token' })).toBeVisible()
    expect(screen.getByText(/manages 42 people and 1 group/)).toBeVisible()
  })

  it('saves whether the leader is asked', async () => {
    const server = open(some, { 'PUT /api/provisioning': () => ok({ ...some, confirmDeletions: false }) })
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Ask me before members are deleted' }))
    expect(await screen.findByText('Provisioning Saved')).toBeVisible()
    expect(server.to('PUT /api/provisioning')[0]?.body).toEqual({ confirmDeletions: false })
  })

  it('removes a member whom the directory has deleted once the leader confirms', async () => {
    const server = open(
      { ...some, deletions: 1 },
      {
        'GET /api/provisioning/deletions': () => ok({ members: [omar], total: 3 }),
        'POST /api/provisioning/deletions/confirm': () => ok(null),
      },
    )
    await userEvent.click(await screen.findByRole('button', { name: 'Remove Omar Haddad' }))
    expect(screen.getByText('And 2 more.')).toBeVisible()
    const dialog = await screen.findByRole('alertdialog', { name: 'Remove Omar Haddad?' })
    await userEvent.click(within(dialog).getByRole('button', { name: 'Remove' }))
    expect(await screen.findByText('Member Removed')).toBeVisible()
    expect(server.to('POST /api/provisioning/deletions/confirm')[0]?.body).toEqual({ uuids: [omar.uuid] })
  })
})
