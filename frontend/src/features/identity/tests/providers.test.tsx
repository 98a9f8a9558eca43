import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { fillIn } from '@/testing/fill-in'
import { renderWithProviders } from '@/testing/render'
import { fail, ok, serve } from '@/testing/server'
import type { Sso } from '../sso/api'
import { SsoSection } from '../sso/SsoSection'
import { anSso, aProvider, branch } from './sso-answers'

const main = aProvider()
const path = `/api/identity/sso/providers/${main.uuid}` as const

function open(sso: Partial<Sso>, handlers: Parameters<typeof serve>[0] = {}) {
  const server = serve({ 'GET /api/identity/sso': () => ok(anSso(sso)), ...handlers })
  renderWithProviders(<SsoSection />, { withToasts: true })
  return server
}

const button = (name: string) => screen.findByRole('button', { name })

describe('a company without a provider', () => {
  it('adds one by its name, and requires nothing', async () => {
    const added = aProvider({ name: 'Okta', issuer: null, clientId: null, isDefault: false, isNeeded: false })
    const server = open({ providers: [] }, { 'POST /api/identity/sso/providers': () => ok(added) })
    expect(await screen.findByText('No providers yet.')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Require single sign-on' })).toBeNull()
    await fillIn(userEvent, screen.getByRole('textbox', { name: 'Name of a new provider' }), 'Okta')
    await userEvent.click(await button('Add provider'))
    await waitFor(() => expect(server.to('POST /api/identity/sso/providers')[0]?.body).toEqual({ name: 'Okta' }))
    expect(await screen.findByText('Provider Added')).toBeVisible()
  })
})

describe('a provider that is not set up', () => {
  it('shows its own addresses and its form', async () => {
    const fresh = aProvider({ issuer: null, clientId: null, isDefault: false, isNeeded: false, linkedMembers: 0 })
    const server = open({ providers: [fresh] }, { [`PUT ${path}`]: () => ok(main) })
    expect(await screen.findByText('Not set up')).toBeVisible()
    expect(screen.getByRole('region', { name: 'Redirect URI of Okta' })).toHaveTextContent(fresh.redirectUri)
    expect(screen.getByRole('region', { name: 'Back-channel logout URI of Okta' })).toHaveTextContent(
      fresh.backchannelLogoutUri,
    )
    await fillIn(userEvent, screen.getByLabelText('Issuer'), 'https://login.acme.test')
    await fillIn(userEvent, screen.getByLabelText('Client ID'), 'tessera')
    await fillIn(userEvent, screen.getByLabelText('Client secret'), 'a secret')
    await userEvent.click(await button('Test and save'))
    await waitFor(() =>
      expect(server.to(`PUT ${path}`)[0]?.body).toEqual({
        name: 'Okta',
        issuer: 'https://login.acme.test',
        clientId: 'tessera',
        clientSecret: 'a secret',
      }),
    )
  })
})

describe('a provider that is set up', () => {
  it('is edited without its secret, and says beside the field what is wrong', async () => {
    const server = open(
      {},
      {
        [`PUT ${path}`]: () => fail(422, 'sso_provider_refused', 'No.', { fields: { name: 'Another has this name.' } }),
      },
    )
    expect(await screen.findByText('3 members have linked a company account.')).toBeVisible()
    expect(screen.queryByLabelText('Issuer')).toBeNull()
    await userEvent.click(await button('Edit Okta'))
    await userEvent.click(await button('Test and save'))
    expect(await screen.findByText('Another has this name.')).toBeVisible()
    expect(server.to(`PUT ${path}`)[0]?.body).toMatchObject({ clientSecret: null })
    await userEvent.click(await button('Close Okta'))
    expect(screen.queryByLabelText('Issuer')).toBeNull()
  })

  it('of two has a badge or can become the default, which alone cannot be removed', async () => {
    const choice = '/api/identity/sso/default'
    const removal = `/api/identity/sso/providers/${branch.uuid}` as const
    const server = open(
      { providers: [main, branch] },
      { [`PUT ${choice}`]: () => ok(anSso()), [`DELETE ${removal}`]: () => new Response(null, { status: 204 }) },
    )
    expect(await screen.findByText('Default')).toBeVisible()
    expect(await button('Remove Okta')).toBeDisabled()
    await userEvent.click(await button('Make Branch the default'))
    await waitFor(() => expect(server.to(`PUT ${choice}`)[0]?.body).toEqual({ provider: branch.uuid }))
    await userEvent.click(await button('Remove Branch'))
    expect(await screen.findByText(/its domains lead to the default provider/)).toBeInTheDocument()
    await userEvent.click(screen.getByRole('button', { name: 'Remove', hidden: true }))
    await waitFor(() => expect(server.to(`DELETE ${removal}`)).toHaveLength(1))
  })

  it('stays while members need it and it is required', async () => {
    open({ required: true, providers: [main, { ...branch, isNeeded: false }] })
    expect(await button('Remove Okta')).toBeDisabled()
    expect(await button('Remove Branch')).toBeEnabled()
    expect(screen.getAllByText(/^Members still need this provider/)[0]).toBeInTheDocument()
  })
})

describe('a domain', () => {
  const domains = [{ domain: 'acme.test', provider: null, isLost: false }]
  const led = '/api/identity/sso/domains/acme.test'

  it('leads to the provider that is chosen', async () => {
    const server = open({ providers: [main, branch], domains }, { [`PUT ${led}`]: () => ok(anSso()) })
    const field = await screen.findByRole('combobox', { name: 'acme.test' })
    expect(field).toHaveDisplayValue('Default (Okta)')
    await userEvent.selectOptions(field, 'Branch')
    await waitFor(() => expect(server.to(`PUT ${led}`)[0]?.body).toEqual({ provider: branch.uuid }))
    expect(await screen.findByText('Domain Changed')).toBeVisible()
  })

  it('that is lost is marked, and leads on', async () => {
    const lost = { domain: 'lost.test', provider: branch.uuid, isLost: true }
    open({ providers: [main, branch], domains: [...domains, lost] })
    const field = await screen.findByRole('combobox', { name: 'lost.test' })
    expect(field).toHaveAccessibleDescription(/^No longer proved/)
    expect(field).toBeEnabled()
    expect(screen.getByRole('combobox', { name: 'acme.test' })).not.toHaveAccessibleDescription()
  })

  it('leads to the only provider without a choice', async () => {
    open({ domains, providers: [main, { ...branch, issuer: null }] })
    expect(await screen.findByText('Not set up')).toBeVisible()
    expect(screen.queryByRole('combobox')).toBeNull()
  })
})
