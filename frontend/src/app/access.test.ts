import { describe, expect, it } from 'vitest'
import { routes } from 'virtual:routes'
import type { Session } from '@/api/session'
import { aLeader, aMember, anAdmin } from '@/testing/users'
import { afterLogin, decide, homeOf } from './access'
import { findRoute } from './routes'

const sessions = {
  guest: { status: 'guest' },
  admin: { status: 'signedIn', user: anAdmin() },
  leader: { status: 'signedIn', user: aLeader() },
  leaderUnsubscribed: { status: 'signedIn', user: aLeader({ isSubscribed: false }) },
  leaderNoWarehouses: { status: 'signedIn', user: aLeader({ canViewWarehouse: false }) },
  member: { status: 'signedIn', user: aMember() },
  memberUnsubscribed: { status: 'signedIn', user: aMember({ isSubscribed: false }) },
} satisfies Record<string, Session>

type Who = keyof typeof sessions
const people = Object.keys(sessions) as Who[]

const homes: Record<Who, string> = {
  guest: '/',
  admin: '/admin/companies',
  leader: '/team-members',
  leaderUnsubscribed: '/subscription',
  leaderNoWarehouses: '/team-members',
  member: '/download',
  memberUnsubscribed: '/download',
}

const leaders: Who[] = ['leader', 'leaderUnsubscribed', 'leaderNoWarehouses']
const subscribedLeaders: Who[] = ['leader', 'leaderNoWarehouses']
const members: Who[] = ['member', 'memberUnsubscribed']

const allowed: Record<string, Who[]> = {
  '/': people,
  '/agreement': people,
  '/privacy': people,
  '/data-processing': people,
  '/api': people,
  '/forgot-password': people,
  '/reset-password': people,
  '/confirm-email': people,
  '/login': ['guest'],
  '/login/company': people,
  '/login/company/:provider': people,
  '/register': ['guest'],
  '/signup': ['guest'],
  '/admin/companies': ['admin'],
  '/admin/companies/:id': ['admin'],
  '/admin/members': ['admin'],
  '/admin/access-requests': ['admin'],
  '/admin/activity': ['admin'],
  '/admin/system': ['admin'],
  '/team-members': subscribedLeaders,
  '/warehouses': ['leader'],
  '/storage': subscribedLeaders,
  '/subscription': leaders,
  '/api-tokens': leaders,
  '/identity': leaders,
  '/policies': leaders,
  '/leave': leaders,
  '/activity': [...subscribedLeaders, 'admin'],
  '/faq': subscribedLeaders,
  '/download': [...subscribedLeaders, ...members],
  '*': people,
}

const cases = routes.flatMap((route) => people.map((who) => ({ route, path: route.path, who })))

describe('decide', () => {
  // Specification: 6.12
  it('has an expectation for every route and no other', () => {
    expect(Object.keys(allowed).sort()).toEqual(routes.map((route) => route.path).sort())
  })

  // Specification: 1.17, 2.5, 2.8, 2.11, 2.13, 2.15, 2.18, 2.20, 2.25, 2.28, 2.30, 2.32, 2.34, 2.36, 4.45, 6.1, 6.6, 6.8, 6.10, 6.12, 6.13, 6.14, 6.15, 6.17
  it.each(cases)('$path for $who', ({ route, path, who }) => {
    const expected = allowed[path]?.includes(who) ? { allow: true } : { redirect: homes[who] }
    expect(decide(route, sessions[who])).toEqual(expected)
  })

  it.each(routes)('$path waits while the session is being checked, unless it is public', (route) => {
    const expected = route.access === 'public' ? { allow: true } : { wait: true }
    expect(decide(route, { status: 'checking' })).toEqual(expected)
  })

  it.each(['expired', 'failed', 'loggedOut', 'inactivity'] as const)(
    'sends an ended session (%s) to the login',
    (reason) => {
      expect(decide(findRoute('/warehouses'), { status: 'guest', reason })).toEqual({ redirect: '/login' })
    },
  )

  it.each(people)('never sends %s in a circle', (who) => {
    const home = findRoute(homeOf(sessions[who]))
    expect(decide(home, sessions[who])).toEqual({ allow: true })
  })
})

describe('homeOf', () => {
  // Specification: 2.4, 2.24, 6.15
  it.each(people)('of %s', (who) => {
    expect(homeOf(sessions[who])).toBe(homes[who])
  })

  it('is the landing page while the session is being checked', () => {
    expect(homeOf({ status: 'checking' })).toBe('/')
  })
})

describe('afterLogin', () => {
  const go = (who: Who, from?: string) => afterLogin(sessions[who], from ? findRoute(from) : undefined, from)

  // Specification: 6.16
  it('goes to the page first asked for, with its query', () => {
    expect(go('leader', '/warehouses?open=3')).toBe('/warehouses?open=3')
  })

  it('goes home when that page is not for this user', () => {
    expect(go('member', '/warehouses')).toBe('/download')
    expect(go('leaderUnsubscribed', '/team-members')).toBe('/subscription')
  })

  it('returns after the login to the public page that required it', () => {
    expect(go('member', '/confirm-email')).toBe('/confirm-email')
  })

  // Specification: 4.6
  it('goes home when nothing, an unknown or a public page was asked for', () => {
    expect(go('admin')).toBe('/admin/companies')
    expect(go('admin', '/nowhere')).toBe('/admin/companies')
    expect(go('leader', '/agreement')).toBe('/team-members')
  })
})
