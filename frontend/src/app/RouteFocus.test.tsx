import { act } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { sessionStore } from '@/api/session'
import { renderWithProviders } from '@/testing/render'
import { aLeader } from '@/testing/users'
import { RouteFocus } from './RouteFocus'

const kept = () => sessionStorage.getItem('tessera.scroll')

afterEach(() => sessionStorage.clear())

describe('the scroll position', () => {
  it('is noted when a page is left', () => {
    const { unmount } = renderWithProviders(<RouteFocus />, { path: '/team-members' })
    unmount()
    expect(kept()).toContain('/team-members')
  })

  it('is forgotten with the session', () => {
    sessionStore.signIn('header.payload.signature', aLeader())
    const { unmount } = renderWithProviders(<RouteFocus />, { path: '/team-members' })
    act(() => sessionStore.signOut('loggedOut'))
    unmount()
    expect(kept()).toBeNull()
  })
})
