import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { sessionStore } from '@/api/session'
import { pageOf } from '@/testing/lists'
import { renderWithProviders } from '@/testing/render'
import { ok, serve } from '@/testing/server'
import { aLeader, anAdmin } from '@/testing/users'
import ActivityPage from '../ActivityPage'
import type { AuditStream, Check, StreamState } from '../audit/api'

const HASH = 'ab'.repeat(32)
const sending: StreamState = {
  sequence: 977,
  behind: 0,
  lastSuccessAt: '2026-11-03T10:00:00Z',
  failingSince: null,
  nextAttemptAt: null,
  error: null,
  status: 204,
}
const stream: AuditStream = {
  webhookHost: 'siem.northwind.test',
  webhook: null,
  warehouse: null,
  warehouseId: null,
  warehouses: [{ id: 4, name: 'Frankfurt' }],
  head: `977:${HASH}`,
  replayDays: 30,
  check: null,
}
const check: Check = {
  askedAt: '2026-11-03T10:00:00Z',
  finishedAt: '2026-11-03T10:00:09Z',
  head: null,
  checked: 977,
  removedUntil: 0,
  headTooOld: false,
  problems: [],
  moreProblems: 0,
}

beforeEach(() => sessionStore.signIn('t', aLeader()))
afterEach(() => {
  act(() => sessionStore.signOut('expired'))
  vi.unstubAllGlobals()
})

async function open(read: () => AuditStream, more: Parameters<typeof serve>[0] = {}) {
  const server = serve({
    'GET /api/activity': (call) => pageOf([], call),
    'GET /api/activity/actions': () => ok([]),
    'GET /api/activity/stream': () => ok(read()),
    'PUT /api/activity/stream': () => ok(read()),
    ...more,
  })
  renderWithProviders(<ActivityPage />, { withToasts: true })
  const person = userEvent.setup()
  await person.click(await screen.findByRole('button', { name: 'Audit' }))
  return { server, person, dialog: within(await screen.findByRole('dialog', { name: 'Audit' })) }
}

describe('the audit dialog', () => {
  it('is for the leader of a company', () => {
    act(() => sessionStore.signIn('t', anAdmin()))
    serve({ 'GET /api/activity': (call) => pageOf([], call), 'GET /api/activity/actions': () => ok([]) })
    renderWithProviders(<ActivityPage />)
    expect(screen.queryByRole('button', { name: 'Audit' })).toBeNull()
  })

  it('turns the stream to the webhook on, and keeps the other one', async () => {
    const { server, person, dialog } = await open(() => ({ ...stream, warehouseId: 4, warehouse: sending }))
    await person.click(await dialog.findByRole('button', { name: 'Send all activity to siem.northwind.test' }))
    await waitFor(() =>
      expect(server.to('PUT /api/activity/stream')[0]?.body).toEqual({ webhook: true, warehouseId: 4 }),
    )
    expect(await screen.findByText('Audit Stream Updated')).toBeVisible()
  })

  it('chooses the warehouse of the daily files', async () => {
    const { server, person, dialog } = await open(() => ({ ...stream, webhook: sending }))
    await person.selectOptions(await dialog.findByLabelText('Warehouse'), 'Frankfurt')
    await waitFor(() =>
      expect(server.to('PUT /api/activity/stream')[0]?.body).toEqual({ webhook: true, warehouseId: 4 }),
    )
  })

  it('says how far a stream is, and why it fails', async () => {
    const failing: StreamState = {
      ...sending,
      behind: 3,
      failingSince: '2026-11-03T11:00:00Z',
      nextAttemptAt: '2026-11-03T12:00:00Z',
      error: 'status',
      status: 500,
    }
    const { dialog } = await open(() => ({ ...stream, webhook: failing }))
    expect(await dialog.findByText('Sent up to record 977')).toBeVisible()
    expect(dialog.getByText('3 records are waiting')).toBeVisible()
    expect(dialog.getByText('Failing')).toBeVisible()
    expect(dialog.getByText(/^Status 500, since /)).toBeVisible()
    expect(dialog.getByText(/^Next attempt /)).toBeVisible()
  })

  it('sends the last days again after a question', async () => {
    const { server, person, dialog } = await open(() => ({ ...stream, webhook: sending }), {
      'POST /api/activity/stream/replay': () => ok(stream),
    })
    await person.click(await dialog.findByRole('button', { name: 'Send the last 30 days again' }))
    await person.click(await screen.findByRole('button', { name: 'Send again' }))
    await waitFor(() => expect(server.to('POST /api/activity/stream/replay')[0]?.body).toEqual({ target: 'webhook' }))
  })

  it('adds the webhook where there is none, and then offers the stream', async () => {
    let added = false
    const { person, dialog } = await open(() => ({ ...stream, webhookHost: added ? 'siem.northwind.test' : null }), {
      'PUT /api/warehouse-alerts/webhook': () => {
        added = true
        return ok({ secret: 'whsec_new' })
      },
    })
    await person.type(await dialog.findByLabelText('Address'), 'https://siem.northwind.test/in')
    await person.click(dialog.getByRole('button', { name: 'Add webhook' }))
    expect(await dialog.findByText('whsec_new')).toBeVisible()
    expect(await dialog.findByRole('button', { name: 'Send all activity to siem.northwind.test' })).toBeVisible()
  })

  it('says that no company’s own warehouse is there', async () => {
    const { dialog } = await open(() => ({ ...stream, warehouses: [] }))
    expect(await dialog.findByText('Your company has no warehouse of its own yet.')).toBeVisible()
  })
})

describe('the check', () => {
  it('compares a kept head, and says in words what is wrong', async () => {
    let result: Check | null = null
    const { server, person, dialog } = await open(() => ({ ...stream, check: result }), {
      'POST /api/activity/check': () => {
        const text = 'Record 3 is missing: it was removed from the database.'
        const problem = { kind: 'record_missing', first: 3, last: null, activityId: 8, text } as const
        result = { ...check, problems: [problem], moreProblems: 2 }
        return ok(result)
      },
    })
    const field = await dialog.findByLabelText('A head that you kept (optional)')
    await person.type(field, 'nonsense')
    await person.click(dialog.getByRole('button', { name: 'Check now' }))
    expect(await dialog.findByText('Enter a number, a colon and 64 hexadecimal digits.')).toBeVisible()
    await person.clear(field)
    await person.type(field, ` 977:${HASH} `)
    await person.click(dialog.getByRole('button', { name: 'Check now' }))
    expect(await dialog.findByText('Record 3 is missing: it was removed from the database.')).toBeVisible()
    expect(dialog.getByText('And 2 more problems.')).toBeVisible()
    expect(dialog.getByRole('status')).toHaveAttribute('data-tone', 'danger')
    expect(server.to('POST /api/activity/check')[0]?.body).toEqual({ head: `977:${HASH}` })
  })

  it('says that all is well, and what was removed for its age', async () => {
    const { dialog } = await open(() => ({ ...stream, check: { ...check, removedUntil: 40, headTooOld: true } }))
    expect(await dialog.findByText(/^977 records checked on .*: nothing is missing or changed\.$/)).toBeVisible()
    expect(dialog.getByRole('status')).toHaveAttribute('data-tone', 'success')
    expect(dialog.getByText(/^Records up to 40 were removed because of their age/)).toBeVisible()
    expect(dialog.getByText(/^The record that your head names was removed/)).toBeVisible()
  })

  it('shows that it is running', async () => {
    const { dialog } = await open(() => ({ ...stream, check: { ...check, finishedAt: null } }))
    expect(await dialog.findByText('Checking all records…')).toBeVisible()
  })
})
