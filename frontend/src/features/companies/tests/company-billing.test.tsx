import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { renderWithProviders } from '@/testing/render'
import type { CompanyDetail } from '../api'
import { CompanyFacts } from '../page/CompanyFacts'
import { detail } from './companies'

function facts(change: Partial<CompanyDetail>, billing: Partial<CompanyDetail['billing']>) {
  renderWithProviders(<CompanyFacts company={{ ...detail, ...change, billing: { ...detail.billing, ...billing } }} />)
  const value = (name: string) => screen.queryByText(name)?.nextElementSibling?.textContent
  return (...names: string[]) => Object.fromEntries(names.map((name) => [name, value(name)]))
}

describe('the billing of a company', () => {
  // Specification: 3.4
  it('shows a trial that has paid nothing as a trial', () => {
    const shown = facts(
      { subscriptionState: 'trialing' },
      { planId: 5, trialEnd: '2026-12-15T12:00:00Z', nextBilling: '2026-12-15T12:00:00Z', customerId: 'cus_1' },
    )
    expect(shown('Plan', 'State', 'Trial ends', 'Next billing', 'Past due since', 'Customer ID')).toEqual({
      Plan: 'Basic',
      State: 'Trial',
      'Trial ends': 'December 15, 2026',
      'Next billing': 'December 15, 2026',
      'Past due since': undefined,
      'Customer ID': 'cus_1',
    })
    expect(screen.queryByText('Paid until')).toBeNull()
  })

  it('shows what is past due', () => {
    const shown = facts({ subscriptionState: 'pastDue' }, { planId: 1, pastDueSince: '2026-11-02T12:00:00Z' })
    expect(shown('Plan', 'State', 'Past due since', 'Customer ID')).toEqual({
      Plan: 'Basic Monthly',
      State: 'Past due',
      'Past due since': 'November 2, 2026',
      'Customer ID': '–',
    })
  })
})
