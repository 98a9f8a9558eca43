import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { sessionStore } from '@/api/session'
import VerificationDialog from '@/features/auth/VerificationDialog'
import { Where } from '@/testing/lists'
import { renderWithProviders } from '@/testing/render'
import { aLeader } from '@/testing/users'
import type { Warehouse } from '../api'
import WarehousesPage from '../WarehousesPage'
import { aWarehouse, azure, healthless, refused, serveClouds } from './clouds'

export const four: Warehouse[] = [aWarehouse(), azure, healthless, refused]

/** Signs a leader in before each test, and leaves nothing behind. */
export function withLeader(): void {
  beforeEach(() => {
    sessionStore.signIn('t', aLeader())
  })
  afterEach(() => {
    act(() => sessionStore.signOut('expired'))
    vi.unstubAllGlobals()
  })
}

type Options = { path?: string; more?: Parameters<typeof serveClouds>[1] }

export function open(warehouses: readonly Warehouse[] = four, { path = '/warehouses', more = {} }: Options = {}) {
  const server = serveClouds(warehouses, more)
  renderWithProviders(
    <>
      <WarehousesPage />
      <VerificationDialog />
      <Where />
    </>,
    { path, withToasts: true },
  )
  return { server, person: userEvent.setup() }
}

export const header = (name: string) => screen.findByRole('button', { name })

export async function row(name: string) {
  return within((await header(name)).closest('li')!)
}

/** Opens a row, and answers its panel. */
export async function openRow(person: ReturnType<typeof userEvent.setup>, name: string) {
  await person.click(await header(name))
  const panel = within(await screen.findByRole('region', { name }))
  await waitFor(() => expect(panel.queryByRole('status', { name: 'Loading…' })).toBeNull())
  return panel
}
