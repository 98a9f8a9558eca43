import { screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { renderWithProviders } from '@/testing/render'
import { serve } from '@/testing/server'
import { keepDraft, newDraft, readDraft } from '../draft'
import { labelIndex, labels, nextOf, previousOf, resumeAt, steps } from '../flow'
import SignupPage from '../SignupPage'
import { company, openSignup, person, press, title } from './open-signup'

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('the order of the steps', () => {
  // Specification: 2.93, 4.24, 4.25
  it('skips the plan between the card and the review', () => {
    expect(steps.map(nextOf)).toEqual(['company', 'leader', 'passphrase', 'payment', 'submit', 'submit', 'submit'])
    expect(previousOf('submit')).toBe('payment')
    expect(previousOf('password')).toBe('password')
  })

  // Specification: 2.86
  it('shows six labels, with the card under the plan', () => {
    expect(labels).toHaveLength(6)
    expect(steps.map(labelIndex)).toEqual([0, 1, 2, 3, 4, 4, 5])
  })

  // Specification: 2.93
  it('shows the plan when its step is opened', async () => {
    openSignup('plan')
    await title('Select Plan')
    expect(screen.getByRole('checkbox', { name: /Basic/ })).toBeChecked()
    expect(screen.getByText('25 GB data upload per month')).toBeVisible()
    press('Next')
    await title('Review and Submit')
  })
})

describe('the draft', () => {
  it.each([
    ['company', true, 'company'],
    ['leader', true, 'leader'],
    ['passphrase', true, 'leader'],
    ['submit', true, 'leader'],
    ['submit', false, 'password'],
  ] as const)('resumes %s (ticket: %s) at %s', (step, hasTicket, where) => {
    expect(resumeAt(step, hasTicket)).toBe(where)
  })

  // Specification: 3.29
  it('restores the draft after a reload and says what has to be typed again', async () => {
    const draft = { ...newDraft(), step: 'payment' as const, ticket: 'ticket-1', company, person }
    keepDraft(draft)
    expect(readDraft()).toEqual({ draft: { ...draft, step: 'leader' }, lostSecrets: true })
    serve({})
    renderWithProviders(<SignupPage />, { path: '/signup' })
    expect(await screen.findByText(/please enter them again/)).toBeVisible()
    expect(screen.getByLabelText('First name')).toHaveValue('Grace')
    expect(screen.getByLabelText('Password')).toHaveValue('')
  })

  it('starts over when the stored draft cannot be read', () => {
    sessionStorage.setItem('tessera.signup', '{"step":"elsewhere"}')
    expect(readDraft().draft.step).toBe('password')
  })

  it('creates the ids in the browser', () => {
    const { ids } = newDraft()
    expect(ids.uid).toMatch(/^[0-9a-f-]{36}$/)
    expect(ids.cid).not.toBe(ids.uid)
  })
})
