import { act, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from '@/api/errors'
import { sessionStore } from '@/api/session'
import { withVerification } from '@/api/verification'
import { CancelledError } from '@/lib/deferred'
import { renderWithProviders } from '@/testing/render'
import { aLeader } from '@/testing/users'
import { AppBody } from './App'
import SessionGuard from './SessionGuard'

const settle = (work: () => unknown) =>
  act(async () => {
    await work()
  })

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  vi.stubGlobal(
    'fetch',
    vi.fn(() => Promise.resolve(Response.json({}))),
  )
  sessionStore.signIn('t', aLeader())
})

afterEach(() => {
  act(() => sessionStore.signOut('expired'))
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('SessionGuard', () => {
  it('asks whoever has been idle, on any page', async () => {
    await settle(() => renderWithProviders(<SessionGuard />))
    expect(screen.queryByRole('alertdialog')).toBeNull()
    await settle(() => vi.advanceTimersByTimeAsync(15 * 60_000))
    expect(await screen.findByRole('alertdialog', { name: 'Are you still there?' })).toBeVisible()
    await settle(() => vi.advanceTimersByTimeAsync(31_000))
    expect(sessionStore.get()).toEqual({ status: 'guest', reason: 'inactivity' })
  })

  // Specification: 4.16, 6.11
  it('never asks a guest', async () => {
    act(() => sessionStore.signOut('expired'))
    await settle(() => renderWithProviders(<AppBody />, { path: '/forgot-password' }))
    await settle(() => vi.advanceTimersByTimeAsync(60 * 60_000))
    expect(screen.queryByRole('alertdialog')).toBeNull()
    await settle(() => sessionStore.signIn('t', aLeader()))
    await settle(() => vi.advanceTimersByTimeAsync(15 * 60_000))
    expect(await screen.findByRole('alertdialog', { name: 'Are you still there?' })).toBeVisible()
  })

  it('asks for a code when a call wants one', async () => {
    await settle(() => renderWithProviders(<SessionGuard />))
    const refused = new ApiError({ status: 403, code: 'verification_required', message: '' })
    const running = expect(withVerification(() => Promise.reject(refused))).rejects.toThrow(CancelledError)
    expect(await screen.findByRole('dialog', { name: 'Verification Required' })).toBeVisible()
    act(() => sessionStore.signOut('expired'))
    await running
  })
})
