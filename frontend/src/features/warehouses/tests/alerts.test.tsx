import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { fail, ok } from '@/testing/server'
import type { Delivery, Recipient, Webhook } from '../alerts/api'
import { four, open, withLeader } from './open-page'

withLeader()

const READ = 'GET /api/warehouse-alerts'
const SAVE = 'PUT /api/warehouse-alerts/webhook'
const omar: Recipient = { uuid: 'omar', firstName: 'Omar', lastName: 'Haddad', email: 'omar@northwind.test' }
const url = 'https://hooks.northwind.test/tessera'

function aDelivery(change: Partial<Delivery> = {}): Delivery {
  return {
    id: 1,
    event: 'warehouse.not_connected',
    createdAt: '2026-11-03T10:00:00Z',
    attempts: 1,
    lastAttemptAt: '2026-11-03T10:00:01Z',
    nextAttemptAt: null,
    outcome: 'delivered',
    status: 204,
    error: null,
    ...change,
  }
}

function aWebhook(change: Partial<Webhook> = {}): Webhook {
  return {
    url,
    createdAt: '2026-11-01T10:00:00Z',
    secretCreatedAt: '2026-11-01T10:00:00Z',
    disabledAt: null,
    deliveries: [],
    ...change,
  }
}

function answer(recipients: Recipient[], webhook: Webhook | null = null) {
  return () => ok({ recipients, maxRecipients: 10, webhook })
}

async function openAlerts(read: () => Response, more: Parameters<typeof open>[1] = {}) {
  const { server, person } = open(four, { ...more, more: { [READ]: read, ...more.more } })
  await person.click(await screen.findByRole('button', { name: 'Alerts' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Alerts' }))
  return { server, person, dialog }
}

describe('recipients', () => {
  it('are found among the active members, and added', async () => {
    const { server, person, dialog } = await openAlerts(answer([]), {
      more: {
        'GET /api/users': () =>
          ok({ item1: [{ uuid: 'omar', firstName: 'Omar', lastName: 'Haddad', email_address: omar.email }], item2: 1 }),
        'PUT /api/warehouse-alerts/recipients/omar': () => ok(),
      },
    })
    expect(await dialog.findByText('No other recipients yet.')).toBeVisible()
    await person.click(dialog.getByRole('searchbox', { name: 'Search members to add' }))
    await person.paste('omar')
    await person.keyboard('{Enter}')
    server.handlers[READ] = answer([omar])
    await person.click(await dialog.findByRole('button', { name: 'Add Omar Haddad' }))
    expect(await screen.findByText('Recipient Added')).toBeVisible()
    expect(await dialog.findByRole('button', { name: 'Remove Omar Haddad' })).toBeVisible()
    expect(dialog.getByText('No other active member matches.')).toBeVisible()
    const query = server.to('GET /api/users').at(0)!.url.searchParams
    expect(query.getAll('filter')).toEqual(['role:matches:teamMember', 'isActive:matches:true'])
  })

  it('are removed', async () => {
    const { server, person, dialog } = await openAlerts(answer([omar]), {
      more: { 'DELETE /api/warehouse-alerts/recipients/omar': () => ok() },
    })
    const remove = await dialog.findByRole('button', { name: 'Remove Omar Haddad' })
    server.handlers[READ] = answer([])
    await person.click(remove)
    expect(await dialog.findByText('No other recipients yet.')).toBeVisible()
  })

  it('are ten at most', async () => {
    const ten = Array.from({ length: 10 }, (_, number) => ({ ...omar, uuid: String(number) }))
    const { dialog } = await openAlerts(answer(ten))
    expect(await dialog.findByText(/remove a recipient first/)).toBeVisible()
    expect(dialog.queryByRole('searchbox')).toBeNull()
  })
})

describe('the webhook', () => {
  it('is added, and its secret shown once and copied', async () => {
    const { server, person, dialog } = await openAlerts(answer([]), {
      more: { [SAVE]: () => ok({ secret: 'whsec_c2VjcmV0' }) },
    })
    await person.click(await dialog.findByRole('textbox', { name: 'Address' }))
    await person.paste(url)
    server.handlers[READ] = answer([], aWebhook())
    await person.click(dialog.getByRole('button', { name: 'Add webhook' }))
    expect(await dialog.findByText('whsec_c2VjcmV0')).toBeVisible()
    expect(server.to(SAVE)[0]!.body).toEqual({ url })
    const copy = vi.spyOn(navigator.clipboard, 'writeText')
    await person.click(dialog.getByRole('button', { name: 'Copy secret' }))
    expect(copy).toHaveBeenCalledWith('whsec_c2VjcmV0')
    expect(await dialog.findByRole('button', { name: 'Save address' })).toBeDisabled()
    await person.click(dialog.getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await person.click(screen.getByRole('button', { name: 'Alerts' }))
    const again = within(await screen.findByRole('dialog', { name: 'Alerts' }))
    expect(await again.findByRole('button', { name: 'Send test event' })).toBeVisible()
    expect(again.queryByText('whsec_c2VjcmV0')).toBeNull()
  })

  it('says why an address is refused, beside it', async () => {
    const fields = { fields: { url: 'This host is not on the public internet.' } }
    const { person, dialog } = await openAlerts(answer([]), {
      more: { [SAVE]: () => fail(422, 'invalid_input', '', fields) },
    })
    const address = await dialog.findByRole('textbox', { name: 'Address' })
    await person.click(address)
    await person.paste('https://10.0.0.1')
    await person.keyboard('{Enter}')
    expect(await dialog.findByText('This host is not on the public internet.')).toBeVisible()
    expect(address).toHaveAttribute('aria-invalid', 'true')
  })

  it('lists its deliveries, and those of a test as they go on', async () => {
    const late = aDelivery({
      id: 2,
      event: 'storage.at_risk',
      outcome: 'waiting',
      attempts: 2,
      status: null,
      error: 'timeout',
      nextAttemptAt: '2026-11-03T10:05:00Z',
    })
    const webhook = aWebhook({ deliveries: [late, aDelivery()] })
    const { server, person, dialog } = await openAlerts(answer([], webhook), {
      more: { 'POST /api/warehouse-alerts/webhook/test': () => ok() },
    })
    const list = within(await dialog.findByRole('list', { name: 'Latest deliveries' }))
    const [first, second] = list.getAllByRole('listitem')
    expect(first).toHaveTextContent(
      /^Files at risk.*No response within 10 seconds · 2 attempts · next attempt.*Waiting$/,
    )
    expect(second).toHaveTextContent(/^Warehouse not connected.*Status 204Delivered$/)
    const test = aDelivery({ id: 3, event: 'webhook.test', outcome: 'failed', status: 500, error: 'status' })
    server.handlers[READ] = answer([], aWebhook({ deliveries: [test, late, aDelivery()] }))
    await person.click(dialog.getByRole('button', { name: 'Send test event' }))
    expect(await list.findByText('Test event')).toBeVisible()
    expect(list.getAllByRole('listitem')[0]).toHaveTextContent(/Status 500Failed$/)
  })

  it('gets a new secret after a confirmation', async () => {
    const { person, dialog } = await openAlerts(answer([], aWebhook()), {
      more: { 'POST /api/warehouse-alerts/webhook/secret': () => ok({ secret: 'whsec_bmV3' }) },
    })
    await person.click(await dialog.findByRole('button', { name: 'Replace secret' }))
    const question = within(await screen.findByRole('alertdialog', { name: 'Replace the signing secret?' }))
    await person.click(question.getByRole('button', { name: 'Replace secret' }))
    expect(await screen.findByText('whsec_bmV3')).toBeInTheDocument()
  })

  it('is removed after a confirmation, and its address is gone', async () => {
    const { server, person, dialog } = await openAlerts(answer([], aWebhook()), {
      more: { 'DELETE /api/warehouse-alerts/webhook': () => ok() },
    })
    await person.click(await dialog.findByRole('button', { name: 'Remove webhook' }))
    const question = within(await screen.findByRole('alertdialog', { name: 'Remove the webhook?' }))
    server.handlers[READ] = answer([])
    await person.click(question.getByRole('button', { name: 'Remove webhook' }))
    expect(await dialog.findByRole('button', { name: 'Add webhook' })).toBeInTheDocument()
    expect(dialog.getByLabelText('Address')).toHaveValue('')
  })

  it('is turned on again', async () => {
    const off = aWebhook({ disabledAt: '2026-11-04T10:00:00Z' })
    const { server, person, dialog } = await openAlerts(answer([], off), {
      more: { [SAVE]: () => ok({ secret: null }) },
    })
    const turnOn = await dialog.findByRole('button', { name: 'Turn on again' })
    server.handlers[READ] = answer([], aWebhook())
    await person.click(turnOn)
    await waitFor(() => expect(dialog.queryByRole('button', { name: 'Turn on again' })).toBeNull())
    expect(server.to(SAVE)[0]!.body).toEqual({ url })
  })
})

describe('the dialog', () => {
  it('says why it could not be loaded, and tries again', async () => {
    const { server, person, dialog } = await openAlerts(() => fail(503, 'unavailable', 'Back soon.'))
    expect(await dialog.findByText('Could not load alerts')).toBeVisible()
    server.handlers[READ] = answer([omar])
    await person.click(dialog.getByRole('button', { name: 'Retry' }))
    expect(await dialog.findByText('omar@northwind.test')).toBeVisible()
  })
})
