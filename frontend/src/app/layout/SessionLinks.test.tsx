import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { sessionStore } from '@/api/session'
import { renderWithProviders } from '@/testing/render'
import { aLeader, aMember } from '@/testing/users'
import { SessionLinks } from './SessionLinks'

beforeEach(() => {
  vi.stubGlobal(
    'fetch',
    vi.fn(() => Promise.resolve(new Response(null, { status: 204 }))),
  )
})

afterEach(() => {
  act(() => sessionStore.signOut('expired'))
  vi.unstubAllGlobals()
})

const openMenu = async () => {
  const person = userEvent.setup()
  await person.click(await screen.findByRole('button', { name: /open menu$/ }))
  await screen.findByRole('menu')
  return person
}

describe('the download page', () => {
  it('is all a member has, so that the account is reached from there', async () => {
    sessionStore.signIn('t', aMember())
    renderWithProviders(<SessionLinks path="/download" />)
    const person = await openMenu()
    expect(screen.getByRole('menuitem', { name: 'Profile' })).toBeVisible()
    expect(screen.getByRole('menuitem', { name: 'Change password' })).toBeVisible()
    expect(screen.queryByRole('menuitem', { name: 'Settings' })).toBeNull()
    await person.click(screen.getByRole('menuitem', { name: 'Logout' }))
    expect(sessionStore.get()).toEqual({ status: 'guest', reason: 'loggedOut' })
  })

  it('offers a leader the way back besides', async () => {
    sessionStore.signIn('t', aLeader())
    renderWithProviders(<SessionLinks path="/download" />)
    await openMenu()
    expect(screen.getByRole('link', { name: 'Go to App' })).toHaveAttribute('href', '/team-members')
  })
})

describe('other public pages', () => {
  // Specification: 2.40
  it('offer only the way to the app', () => {
    sessionStore.signIn('t', aLeader())
    renderWithProviders(<SessionLinks path="/agreement" />)
    expect(screen.getByRole('link', { name: 'Go to App' })).toBeVisible()
    expect(screen.queryByRole('button')).toBeNull()
  })
})
