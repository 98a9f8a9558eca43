import { describe, expect, it } from 'vitest'
import type { User } from '@/api/session'
import { decide } from '@/app/access'
import { findRoute } from '@/app/routes'
import { aLeader, aMember, anAdmin } from '@/testing/users'
import { screensOf } from '../screens'

const people: [string, User][] = [
  ['an admin', anAdmin()],
  ['a leader', aLeader()],
  ['a leader without own warehouses', aLeader({ canViewWarehouse: false })],
  ['a leader without a subscription', aLeader({ isSubscribed: false })],
  ['a member', aMember()],
  ['a member without a subscription', aMember({ isSubscribed: false })],
]

describe('screensOf', () => {
  it.each(people)('never offers %s a screen that would send them away', (_, user) => {
    for (const { path } of screensOf(user)) {
      expect(decide(findRoute(path), { status: 'signedIn', user }), path).toEqual({ allow: true })
    }
  })
})
