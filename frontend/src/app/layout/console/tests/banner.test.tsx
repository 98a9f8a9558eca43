import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { anEndedPayment, aPayment } from '@/features/subscription/tests/server'
import { renderWithProviders } from '@/testing/render'
import { ok, serve } from '@/testing/server'
import CompanyBanner from '../CompanyBanner'
import { loadTexts } from './render-frame'

const calm = {
  passphraseNeeded: false,
  passphraseHandedOver: false,
  keyHolder: null,
  activeWarehouses: 3,
  neededWarehouses: 3,
  deletionAt: null,
}
const soon = new Date(Date.now() + 3 * 86_400_000).toISOString()
const enterPassphrase = vi.fn()

beforeEach(() => loadTexts())
afterEach(() => vi.unstubAllGlobals())

function show({ payment = aPayment(), alerts = {}, path = '/team-members' }) {
  serve({ 'GET /api/payment/methods': () => ok(payment), 'GET /api/company/alerts': () => ok({ ...calm, ...alerts }) })
  return renderWithProviders(<CompanyBanner onPassphrase={enterPassphrase} />, { path })
}

describe('the banner across the console', () => {
  it.each([
    ['Your subscription is not active.', { payment: anEndedPayment() }, '/subscription'],
    [
      'A payment is overdue. You keep full access until November 20, 2026.',
      { payment: aPayment({ pastDueSince: '2026-11-06T12:00:00Z', accessUntil: '2026-11-20T12:00:00Z' }) },
      '/subscription',
    ],
    [
      'Your company will be deleted on January 2, 2027.',
      { payment: anEndedPayment(), alerts: { deletionAt: '2027-01-02T10:00:00Z' } },
      '/leave',
    ],
    ['Active warehouses: 2. The service requires at least 3.', { alerts: { activeWarehouses: 2 } }, '/warehouses'],
    ['Your free trial ends on', { payment: aPayment({ status: 'trialing', trialEndsAt: soon }) }, '/subscription'],
  ])('says: %s', async (words, given, page) => {
    show(given)
    const banner = await screen.findByRole('complementary', { name: 'Needs your attention' })
    expect(banner).toHaveTextContent(words)
    expect(screen.getByRole('link')).toHaveAttribute('href', page)
  })

  it('asks a new leader for the passphrase', async () => {
    show({ alerts: { passphraseNeeded: true, activeWarehouses: 0 } })
    await userEvent.click(await screen.findByRole('button', { name: 'Enter passphrase' }))
    expect(enterPassphrase).toHaveBeenCalledOnce()
  })

  it('says who else can open the passphrase', async () => {
    show({ alerts: { passphraseNeeded: true, keyHolder: 'Omar Haddad' } })
    const banner = await screen.findByRole('complementary', { name: 'Needs your attention' })
    expect(banner).toHaveTextContent('ask Omar Haddad, the second key holder, to hand the key over')
  })

  it('offers a new leader the passphrase that was handed over', async () => {
    show({ alerts: { passphraseNeeded: true, passphraseHandedOver: true } })
    await userEvent.click(await screen.findByRole('button', { name: 'Receive passphrase' }))
    expect(enterPassphrase).toHaveBeenCalled()
  })

  it('is silent on the page that deals with it', async () => {
    show({ alerts: { activeWarehouses: 2 }, path: '/warehouses' })
    await vi.waitFor(() => expect(fetch).toHaveBeenCalledTimes(2))
    expect(screen.queryByRole('complementary')).toBeNull()
  })
})
