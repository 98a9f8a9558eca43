import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, vi } from 'vitest'
import { sessionStore } from '@/api/session'
import { renderWithProviders } from '@/testing/render'
import { aLeader } from '@/testing/users'
import type { Payment } from '../api'
import { dialogStore } from '../dialog-store'
import SubscriptionPage from '../SubscriptionPage'
import { aPayment, serve } from './server'

/** Signs a leader in before each test, and leaves nothing behind. */
export function withLeader(): void {
  beforeEach(() => {
    sessionStore.signIn('t', aLeader({ canViewWarehouse: false }))
  })
  afterEach(() => {
    act(() => {
      dialogStore.close()
      sessionStore.signOut('expired')
    })
    vi.unstubAllGlobals()
  })
}

export async function open(payment: Payment = aPayment(), handlers: Parameters<typeof serve>[1] = {}) {
  const server = serve(payment, handlers)
  renderWithProviders(<SubscriptionPage />, { path: '/subscription', withToasts: true })
  await screen.findByRole('region', { name: 'Invoices' })
  return { server, person: userEvent.setup() }
}

export const details = () => screen.findByRole('region', { name: 'Payment Details' })
