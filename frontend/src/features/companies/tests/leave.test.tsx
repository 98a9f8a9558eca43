import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { sessionStore } from '@/api/session'
import { verificationStore } from '@/api/verification'
import { i18n } from '@/i18n/i18n'
import { renderWithProviders } from '@/testing/render'
import { codeSent, fail, ok, serve } from '@/testing/server'
import { aLeader } from '@/testing/users'
import type { Leaving } from '../leave/api'
import LeavePage from '../LeavePage'

const offered: Leaving = {
  leavingSince: null,
  lastDay: '2026-12-03T10:00:00Z',
  deletionAt: '2027-01-02T10:00:00Z',
  amount: 75_000,
  amountDue: 0,
  currency: 'usd',
}
const asked = { ...offered, leavingSince: '2026-11-18T10:00:00Z' }
const name = aLeader().companyName

function open(leaving: Leaving, handlers: Parameters<typeof serve>[0] = {}) {
  const state = { leaving }
  const server = serve({ 'GET /api/company/leaving': () => ok(state.leaving), ...handlers })
  renderWithProviders(<LeavePage />, { withToasts: true })
  return { server, state }
}

beforeEach(async () => {
  await i18n.loadNamespaces(['leave'])
  sessionStore.signIn('t', aLeader())
})
afterEach(() => {
  act(() => sessionStore.signOut('expired'))
  vi.unstubAllGlobals()
})

describe('leaving with the company', () => {
  it('says when access ends, what is still charged and when the company is deleted', async () => {
    open({ ...offered, amountDue: 1_250 })
    const leave = await screen.findByRole('region', { name: '3. Leave Tessera' })
    for (const words of ['December 3, 2026', '$750', '$12.50', 'January 2, 2027']) {
      expect(within(leave).getByText(words)).toBeVisible()
    }
    expect(screen.getByText('tess export tessera-files')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Download the client' })).toHaveAttribute('href', '/download')
  })

  it('asks for the name and verified access, and sends the day that was shown', async () => {
    const answers = [fail(403, 'verification_required')]
    const { server, state } = open(offered, {
      'PUT /api/company/leaving': () => {
        const answer = answers.shift()
        if (answer) return answer
        state.leaving = asked
        return ok(asked)
      },
      'POST /api/auth/generate-otp': () => codeSent(),
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Leave Tessera' }))
    const dialog = await screen.findByRole('alertdialog')
    const confirm = within(dialog).getByRole('button', { name: 'Leave Tessera' })
    const field = within(dialog).getByLabelText(`Type “${name}” to confirm`)
    await userEvent.type(field, name.slice(0, -1))
    await userEvent.click(confirm)
    expect(server.to('PUT /api/company/leaving')).toHaveLength(0)
    await userEvent.type(field, name.slice(-1))
    await userEvent.click(confirm)
    await waitFor(() => expect(verificationStore.get().status).toBe('sent'))
    act(() => verificationStore.confirm())
    expect(await screen.findByRole('region', { name: 'Your company is leaving Tessera' })).toBeVisible()
    expect(server.to('PUT /api/company/leaving').at(-1)!.body).toEqual({ name, lastDay: offered.lastDay })
    expect(screen.queryByRole('button', { name: 'Leave Tessera' })).toBeNull()
  })

  it('shows why it was refused', async () => {
    open(offered, {
      'PUT /api/company/leaving': () => fail(409, 'last_day_changed', 'The last day has changed.'),
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Leave Tessera' }))
    const dialog = await screen.findByRole('alertdialog')
    await userEvent.type(within(dialog).getByLabelText(`Type “${name}” to confirm`), name)
    await userEvent.click(within(dialog).getByRole('button', { name: 'Leave Tessera' }))
    expect(await screen.findByText('The last day has changed.')).toBeVisible()
  })

  it('lets the leader stay, and says that the subscription is still cancelled', async () => {
    const { server, state } = open(asked, {
      'DELETE /api/company/leaving': () => {
        state.leaving = offered
        return ok(offered)
      },
    })
    const notice = await screen.findByRole('region', { name: 'Your company is leaving Tessera' })
    expect(notice).toHaveTextContent('Your subscription stays cancelled')
    await userEvent.click(within(notice).getByRole('button', { name: 'Stay with Tessera' }))
    expect(await screen.findByRole('region', { name: '3. Leave Tessera' })).toBeVisible()
    expect(server.to('DELETE /api/company/leaving')).toHaveLength(1)
  })

  it('downloads the records, and says when it could not', async () => {
    const { server } = open(offered, {
      'GET /api/company/records': () => fail(429, 'export_running', 'An export is running.'),
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Download records' }))
    expect(await screen.findByText('An export is running.')).toBeVisible()
    expect(server.to('GET /api/company/records')).toHaveLength(1)
  })
})
