import { act, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { sessionStore, type User } from '@/api/session'
import { toast } from '@/components/toast'
import { renderWithProviders } from '@/testing/render'
import { aLeader, aMember } from '@/testing/users'
import { AppBody } from './App'

vi.mock('./layout/console/ConsoleFrame', () => ({
  default: ({ children }: { children: ReactNode }) => <main>{children}</main>,
}))

beforeEach(async () => {
  vi.stubGlobal(
    'fetch',
    vi.fn(() => new Promise<Response>(() => undefined)),
  )
  localStorage.removeItem('tessera.token')
  await sessionStore.startUp()
})

afterEach(() => {
  act(() => sessionStore.signOut('loggedOut'))
  vi.unstubAllGlobals()
})

afterAll(() => {
  vi.doUnmock('./layout/console/ConsoleFrame')
})

const places: [string, string, User | null][] = [
  ['a public page', '/login', null],
  ['a bare page', '/signup', null],
  ['a public page of a member', '/download', aMember()],
  ['a console page', '/subscription', aLeader()],
]

describe('a toast', () => {
  it.each(places)('is shown once on %s', async (_, path, user) => {
    if (user) sessionStore.signIn('header.payload.signature', user)
    renderWithProviders(<AppBody />, { path })
    expect(await screen.findByRole('region', { name: 'Notifications' })).toBeInTheDocument()
    act(() => toast.success('Registered Successfully'))
    expect(await screen.findAllByText('Registered Successfully')).toHaveLength(1)
  })
})
