import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { pageOf } from '@/testing/lists'
import { renderWithProviders } from '@/testing/render'
import { fail, ok, serve } from '@/testing/server'
import type { Invite } from '../api'
import InvitedMembers from '../InvitedMembers'

const invite: Invite = {
  companyId: 2,
  email_address: 'sam@example.test',
  key: '33333333-3333-4333-8333-333333333333',
  state: 'expired',
  dateCreated: '2026-02-03T10:00:00Z',
  expiresAt: '2026-02-10T10:00:00Z',
}

function open({ manages = true, resent = 'invited', state = invite.state } = {}) {
  const server = serve({
    'GET /api/invites': (call) => pageOf([{ ...invite, state }], call),
    'GET /api/invites/9': (call) => pageOf([invite], call),
    'POST /api/invite/users/': () => ok([{ email_address: invite.email_address, state: resent }]),
    [`DELETE /api/invite/${invite.key}`]: () => ok(),
  })
  renderWithProviders(<InvitedMembers company={manages ? null : 9} manages={manages} invite={null} />, {
    withToasts: true,
  })
  return server
}

async function choose(action: string) {
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for sam@example.test' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: action }))
}

afterEach(() => vi.unstubAllGlobals())

describe('an invitation', () => {
  // Specification: 2.57, 2.97, 7.33
  it('sends an invitation again', async () => {
    const server = open()
    expect(await screen.findByText('Expired')).toBeVisible()
    await choose('Resend invitation')
    await userEvent.click(await screen.findByRole('button', { name: 'Resend' }))
    expect(await screen.findByText('sam@example.test invited')).toBeVisible()
    expect(server.to('POST /api/invite/users/')[0]!.body).toEqual([{ email_address: 'sam@example.test' }])
  })

  it('sends the selected invitations again', async () => {
    const server = open()
    server.handlers['POST /api/invites/resend'] = () => ok()
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Select sam@example.test' }))
    await userEvent.click(screen.getByRole('button', { name: 'Resend invitations' }))
    expect(await screen.findByRole('alertdialog', { name: 'Resend 1 invitation?' })).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Resend 1' }))
    expect(await screen.findByText('1 invitation sent again')).toBeVisible()
    expect(server.to('POST /api/invites/resend')[0]!.body).toEqual({ keys: [invite.key] })
    await waitFor(() => expect(screen.getByRole('checkbox', { name: 'Select sam@example.test' })).not.toBeChecked())
  })

  it('shows an error when an invitation was not sent again', async () => {
    open({ resent: 'alreadyMember' })
    await choose('Resend invitation')
    await userEvent.click(await screen.findByRole('button', { name: 'Resend' }))
    expect(await screen.findByText('Could not Invite Members')).toBeVisible()
  })

  // Specification: 2.57, 8.16
  it('cancels an invitation after a confirmation', async () => {
    const server = open()
    await choose('Cancel invitation')
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel invitation' }))
    expect(await screen.findByText('Invite Deleted')).toBeVisible()
    expect(server.to(`DELETE /api/invite/${invite.key}`)).toHaveLength(1)
  })

  // Specification: 8.38
  it('shows an error when an invitation cannot be cancelled', async () => {
    const server = open()
    server.handlers[`DELETE /api/invite/${invite.key}`] = () => fail(500, 'internal')
    await choose('Cancel invitation')
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel invitation' }))
    expect(await screen.findByText('Could not Delete Invite')).toBeVisible()
  })

  it('finds a cancelled invitation by a filter and sends it again', async () => {
    const server = open({ state: 'cancelled' })
    await userEvent.click(await screen.findByRole('button', { name: 'Filters' }))
    await userEvent.selectOptions(await screen.findByLabelText('Column'), 'Status')
    await userEvent.selectOptions(await screen.findByLabelText('Value'), 'Cancelled')
    await userEvent.click(screen.getByRole('button', { name: 'Add filter' }))
    await waitFor(() =>
      expect(server.calls.at(-1)!.url.searchParams.getAll('filter')).toEqual(['state:matches:cancelled']),
    )
    await userEvent.click(await screen.findByRole('button', { name: 'Actions for sam@example.test' }))
    expect(screen.queryByRole('menuitem', { name: 'Cancel invitation' })).toBeNull()
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Resend invitation' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Resend' }))
    expect(await screen.findByText('sam@example.test invited')).toBeVisible()
  })

  // Specification: 6.2, 7.31
  it('offers an admin no actions', async () => {
    const server = open({ manages: false })
    expect(await screen.findByText('sam@example.test')).toBeVisible()
    expect(screen.queryByRole('button', { name: /Actions/ })).toBeNull()
    expect(server.to('GET /api/invites/9')).toHaveLength(1)
  })
})
