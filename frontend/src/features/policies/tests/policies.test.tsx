import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { sessionStore } from '@/api/session'
import { verificationStore } from '@/api/verification'
import { renderWithProviders } from '@/testing/render'
import { codeSent, fail, ok, serve } from '@/testing/server'
import { aLeader } from '@/testing/users'
import type { Policies } from '../api'
import PoliciesPage from '../PoliciesPage'

const none: Policies = {
  secondFactors: null,
  sessionHours: null,
  clientSessionDays: null,
  minClientVersion: null,
  networks: [],
  countries: [],
  maxSessionHours: 12,
  maxClientSessionDays: 90,
  newestClientVersion: '0.7.7',
  ownAddress: '203.0.113.9',
  ownCountry: null,
  areCountriesOffered: false,
}

beforeEach(() => {
  sessionStore.signIn('t', aLeader())
})

afterEach(() => {
  act(() => sessionStore.signOut('expired'))
  vi.unstubAllGlobals()
})

function open(policies: Policies, handlers: Parameters<typeof serve>[0] = {}) {
  const server = serve({
    'GET /api/policies': () => ok(policies),
    'POST /api/auth/generate-otp': () => codeSent(),
    ...handlers,
  })
  renderWithProviders(<PoliciesPage />, { withToasts: true })
  return server
}

const save = () => userEvent.click(screen.getByRole('button', { name: 'Save policies' }))

describe('policies', () => {
  it('are saved with verified access, empty fields as the platform has them', async () => {
    const answers = [fail(403, 'verification_required')]
    const server = open(none, { 'PUT /api/policies': () => answers.shift() ?? ok({ ...none, sessionHours: 8 }) })
    await userEvent.type(await screen.findByLabelText('Hours of a login in a browser'), '8')
    await userEvent.click(screen.getByLabelText('Passkeys'))
    await userEvent.type(
      screen.getByLabelText('Networks from which members may log in and work'),
      '203.0.113.0/24, 2001:db8::/32',
    )
    await save()
    await waitFor(() => expect(verificationStore.get().status).toBe('sent'))
    act(() => verificationStore.confirm())
    expect(await screen.findByText('Policies Saved')).toBeVisible()
    expect(server.to('PUT /api/policies').at(-1)!.body).toEqual({
      secondFactors: ['sms', 'totp'],
      sessionHours: 8,
      clientSessionDays: null,
      minClientVersion: null,
      networks: ['203.0.113.0/24', '2001:db8::/32'],
      countries: [],
    })
  })

  it('that are looser than the platform are not sent', async () => {
    const server = open({ ...none, sessionHours: 8 })
    const hours = await screen.findByLabelText('Hours of a login in a browser')
    expect(hours).toHaveValue('8')
    await userEvent.clear(hours)
    await userEvent.type(hours, '13')
    await save()
    expect(await screen.findByText('Enter a whole number from 1 to 12, or nothing.')).toBeVisible()
    expect(server.to('PUT /api/policies')).toEqual([])
  })

  it('that would lock out the leader say why', async () => {
    open(none, {
      'PUT /api/policies': () => fail(409, 'own_network_left_out', 'You come from 203.0.113.9, which is not included.'),
    })
    await screen.findByLabelText('Passkeys')
    await save()
    expect(await screen.findByText('You come from 203.0.113.9, which is not included.')).toBeVisible()
  })

  it('name countries only where the service knows them', async () => {
    const countries = 'Countries from which members may log in and work'
    open(none)
    await screen.findByLabelText('Passkeys')
    expect(screen.queryByLabelText(countries)).toBeNull()
  })

  it('name countries by their codes, and show what was chosen', async () => {
    const offered = { ...none, ownCountry: 'TR', areCountriesOffered: true }
    const server = open(offered, { 'PUT /api/policies': () => ok({ ...offered, countries: ['DE', 'TR'] }) })
    const field = await screen.findByLabelText('Countries from which members may log in and work')
    expect(screen.getByText(/Your address is in Türkiye\./)).toBeVisible()
    await userEvent.type(field, 'tr; xq')
    await save()
    expect(await screen.findByText('XQ is not a country’s code. Enter its two letters, such as DE.')).toBeVisible()
    expect(server.to('PUT /api/policies')).toEqual([])
    await userEvent.clear(field)
    await userEvent.type(field, 'tr, de')
    expect(screen.getByText(/Chosen: Türkiye and Germany/)).toBeVisible()
    await save()
    expect(await screen.findByText('Policies Saved')).toBeVisible()
    expect(server.to('PUT /api/policies').at(-1)!.body).toMatchObject({ countries: ['TR', 'DE'] })
  })

  it('name a wrong network at the field', async () => {
    open(none, {
      'PUT /api/policies': () => fail(422, 'invalid_input', '', { fields: { 'networks.0': 'Enter a network.' } }),
    })
    await userEvent.type(await screen.findByLabelText(/^Networks/), 'office')
    await save()
    expect(await screen.findByText('Enter a network.')).toBeVisible()
  })
})
