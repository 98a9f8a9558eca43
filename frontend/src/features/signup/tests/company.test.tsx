import { screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { US_STATES } from '@/components/forms/us-states'
import { newDraft, readDraft } from '../draft'
import { button, company, fill, openSignup, press, title } from './open-signup'

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('the company step', () => {
  // Specification: 2.88, 3.27, 4.26, 5.14, 5.15, 5.16
  it('enables Next once everything but the city is filled in', async () => {
    openSignup('company', { company: newDraft().company })
    await title('Register Company')
    expect(screen.getByLabelText('City')).toBeRequired()
    expect(screen.getByLabelText('Apt/Suite')).not.toBeRequired()
    const needed = {
      'Company name': 'Acme',
      'Street address': '1 Main Street',
      State: 'NY',
      'Zip code': '10001',
      'Phone number': '2025550150',
      Email: 'office@acme.test',
    }
    for (const [label, value] of Object.entries(needed)) {
      expect(button('Next')).toBeDisabled()
      fill(label, value)
    }
    await waitFor(() => expect(button('Next')).toBeEnabled())
    press('Next')
    await title('Sign up as the team leader')
  })

  // Specification: 5.12, 5.14
  it.each([
    ['Company name', '  '],
    ['Street address', ''],
    ['State', ''],
    ['Zip code', '1000'],
    ['Phone number', '12'],
    ['Email', 'office@'],
  ])('does not let on with a wrong %s', async (label, value) => {
    openSignup('company')
    await title('Register Company')
    await waitFor(() => expect(button('Next')).toBeEnabled())
    fill(label, value)
    await waitFor(() => expect(button('Next')).toBeDisabled())
  })

  // Specification: 5.4
  it('says what is wrong with phone, email and zip code', async () => {
    openSignup('company')
    await title('Register Company')
    fill('Phone number', '12')
    fill('Email', 'office@')
    fill('Zip code', '1000')
    expect(await screen.findByText('Phone number is not valid.')).toBeVisible()
    expect(await screen.findByText('Email is not valid')).toBeVisible()
    expect(await screen.findByText('The zip code must have exactly 5 characters.')).toBeVisible()
  })

  it('warns about a number that the country does not have, but allows it', async () => {
    openSignup('company')
    await title('Register Company')
    fill('Phone number', '2025550')
    expect(await screen.findByText(/^This does not look like a phone number of that country/)).toBeVisible()
    await waitFor(() => expect(button('Next')).toBeEnabled())
  })

  // Specification: 3.28, 5.5, 9.13
  it('offers the states and territories, and the United States first as a country', async () => {
    openSignup('company', { company: newDraft().company })
    await title('Register Company')
    expect(screen.getByLabelText('Country')).toHaveValue('US')
    const codes = US_STATES.map(({ code }) => code)
    expect(codes).toHaveLength(59)
    for (const territory of ['DC', 'AS', 'FM', 'GU', 'MH', 'MP', 'PW', 'PR', 'VI']) expect(codes).toContain(territory)
    expect(screen.getByLabelText('State').querySelectorAll('option')).toHaveLength(60)
  })

  // Specification: 3.27
  it('keeps the company in the draft while it is typed', async () => {
    openSignup('company')
    await title('Register Company')
    fill('Company name', 'Acme and Daughters')
    await waitFor(() => expect(readDraft().draft.company).toEqual({ ...company, name: 'Acme and Daughters' }))
  })
})
