import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { ok, serve } from '@/testing/server'
import { showClient } from './show-client'

const CHANGED = { email: 'before@acme.test', replacedAt: '2026-11-18T09:00:00Z' }
const WARNING = /changed the address of Eve Moss from before@acme.test to eve@acme.test on Nov 18, 2026/

const EVE = { name: 'Eve Moss', email: 'eve@acme.test', isLeader: false, isActive: true, isYou: false, spaces: [] }
const ACCOUNT = {
  origin: 'https://tessera.test',
  email: 'ada@tessera.test',
  name: 'Ada Lindqvist',
  company: 'Northwind',
  device: 'laptop',
  words: ['zoo', 'zoo', 'zoo', 'zoo', 'zoo', 'zoo'],
  isLeader: false,
  isLeaderTrusted: false,
}
const ADA = { ...EVE, name: 'Ada Lindqvist', email: 'ada@tessera.test', isLeader: true, isYou: true }

describe('an address that the directory changed', () => {
  it.each([
    [CHANGED, 1],
    [null, 0],
  ])('is named before access is given: %o', async (formerAddress, warnings) => {
    serve({
      'GET /api/team': () =>
        ok([
          { ...ADA, formerAddress: null },
          { ...EVE, formerAddress },
        ]),
    })
    showClient('/team')
    await userEvent.click(await screen.findByRole('button', { name: 'Give access' }))
    expect(within(screen.getByRole('dialog')).queryAllByText(WARNING)).toHaveLength(warnings)
  })

  it.each([
    [CHANGED, 1],
    [null, 0],
  ])('is named before the leader is trusted: %o', async (formerAddress, warnings) => {
    const leader = { name: EVE.name, email: EVE.email, formerAddress }
    showClient('/files', { phase: 'waiting', spaces: [], account: { ...ACCOUNT, leader } })
    expect(await screen.findByRole('heading', { name: 'The six words of Eve Moss' })).toBeVisible()
    expect(screen.queryAllByText(WARNING)).toHaveLength(warnings)
  })
})
