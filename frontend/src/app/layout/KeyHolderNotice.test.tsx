import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { queryClient } from '@/api/query-client'
import { sessionStore } from '@/api/session'
import { renderWithProviders } from '@/testing/render'
import { ok, serve } from '@/testing/server'
import { aMember } from '@/testing/users'
import KeyHolderNotice from './KeyHolderNotice'

const held = {
  since: '2026-11-06T12:00:00Z',
  isCurrent: true,
  leaderUuid: '22222222-2222-4222-8222-222222222222',
  leaderName: 'Grace Lee',
  leaderNeedsKey: true,
  handedOver: false,
  leaderPublicKeys: null,
}

beforeEach(() => sessionStore.signIn('t', aMember({ isKeyHolder: true })))
afterEach(() => {
  vi.unstubAllGlobals()
  queryClient.clear()
})

describe('the notice to the second key holder', () => {
  it('says that the leader cannot open the passphrase, and opens the dialog', async () => {
    serve({ 'GET /api/company/held-key': () => ok(held) })
    renderWithProviders(<KeyHolderNotice />)
    expect(await screen.findByText(/Grace Lee, your team leader, cannot open the company passphrase/)).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Company passphrase' }))
    expect(await screen.findByText(/Grace Lee first needs keys/)).toBeVisible()
  })

  it.each([{ leaderNeedsKey: false }, { handedOver: true }, { isCurrent: false }])(
    'is silent otherwise: %o',
    async (change) => {
      const server = serve({ 'GET /api/company/held-key': () => ok({ ...held, ...change }) })
      renderWithProviders(<KeyHolderNotice />)
      await vi.waitFor(() => expect(server.calls).toHaveLength(1))
      expect(screen.queryByRole('complementary')).toBeNull()
    },
  )
})
