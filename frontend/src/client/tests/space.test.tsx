import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { fail, ok, serve } from '@/testing/server'
import { showClient, SPACE } from './show-client'

const KEEP = { allDays: 0, daily: 0, weekly: 0, monthly: 0, yearly: 0 }
const STATISTICS = {
  files: 2,
  bytes: 2_000_000,
  kept: 5_000_000,
  stored: 1_000_000,
  savedByDeduplication: 3_000_000,
  savedByCompression: 1_500_000,
  members: [
    { name: 'Ada', files: 1, bytes: 1_500_000 },
    { name: null, files: 1, bytes: 500_000 },
  ],
}

function open(settings: object = {}, handlers: Parameters<typeof serve>[0] = {}) {
  const server = serve({
    'GET /api/statistics': () => ok(STATISTICS),
    'GET /api/space-settings': () => ok({ isLeader: true, isCompressed: true, keep: KEEP, ...settings }),
    'POST /api/prune/preview': () => ok({ versions: 3, packs: 1, bytes: 2_000_000 }),
    'POST /api/space-settings': () => ok({}),
    'POST /api/prune': () => ok({ versions: 3, packs: 1, bytes: 2_000_000 }),
    ...handlers,
  })
  showClient(`/space/${SPACE}`)
  return server
}

describe('the statistics of a space', () => {
  it('say what is stored and saved, and by whom', async () => {
    open()
    expect(await screen.findByText('Saved by compression')).toBeVisible()
    expect(screen.getByText('1.5 MB')).toBeVisible()
    expect(screen.getByText('Former member')).toBeVisible()
    expect(screen.getByText('1 file · 500 kB')).toBeVisible()
  })

  it('say why they cannot be counted', async () => {
    open({}, { 'GET /api/statistics': () => fail(400, 'space_busy') })
    expect(await screen.findByText('Somebody else has just changed the space. Try again.')).toBeVisible()
  })
})

describe('the settings of a space', () => {
  it('are saved by its leader, after saying what they delete and confirming a code', async () => {
    let isVerified = false
    const server = open(
      {},
      {
        'POST /api/space-settings': () => (isVerified ? ok({}) : fail(403, 'verification_required')),
        'POST /api/verification': () => ok({ method: 'sms', sentTo: null }),
        'POST /api/verify': () => {
          isVerified = true
          return ok(null)
        },
      },
    )
    const user = userEvent.setup()
    const days = await screen.findByLabelText('Days with every version')
    expect(screen.getByText('Without a rule, every version of the last 30 days is kept.')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Save' })).toBeDisabled()
    await user.clear(days)
    await user.type(days, '7')
    await user.click(screen.getByLabelText('Compress new files'))
    await user.click(screen.getByRole('button', { name: 'Save' }))
    const dialog = within(screen.getByRole('dialog', { name: 'Save these settings?' }))
    expect(await dialog.findByText(/no longer keep 3 earlier versions. Deleting them frees 2 MB/)).toBeVisible()
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    await user.type(await screen.findByLabelText('Code'), '123456')
    await user.click(screen.getByRole('button', { name: 'Confirm' }))
    expect(await screen.findByText('The settings were saved')).toBeVisible()
    const keep = { ...KEEP, allDays: 7 }
    expect(server.to('POST /api/prune/preview')[0]?.body).toEqual({ space: SPACE, keep })
    expect(server.to('POST /api/space-settings').at(-1)?.body).toEqual({ space: SPACE, isCompressed: false, keep })
  })

  it('delete old versions only after saying how many', async () => {
    const server = open()
    await userEvent.click(await screen.findByRole('button', { name: 'Delete old versions' }))
    const dialog = within(screen.getByRole('dialog', { name: 'Delete old versions for good?' }))
    expect(await dialog.findByText(/3 earlier versions are deleted, which frees 2 MB/)).toBeVisible()
    await userEvent.click(dialog.getByRole('button', { name: 'Delete old versions' }))
    expect(await screen.findByText('The old versions were deleted')).toBeVisible()
    expect(server.to('POST /api/prune')).toHaveLength(1)
  })

  it('delete nothing where the rules keep everything', async () => {
    open({}, { 'POST /api/prune/preview': () => ok({ versions: 0, packs: 0, bytes: 0 }) })
    await userEvent.click(await screen.findByRole('button', { name: 'Delete old versions' }))
    const dialog = within(screen.getByRole('dialog'))
    expect(await dialog.findByText('These rules keep everything that is stored now.')).toBeVisible()
    expect(dialog.getByRole('button', { name: 'Delete old versions' })).toBeDisabled()
  })

  it('can only be read by other members', async () => {
    open({ isLeader: false, keep: { ...KEEP, weekly: 4 } })
    expect(await screen.findByText('Only the leader of the space can change these.')).toBeVisible()
    expect(screen.getByLabelText('Weeks')).toHaveAttribute('readonly')
    expect(screen.getByLabelText('Weeks')).toHaveValue(4)
    expect(screen.getByLabelText('Compress new files')).toBeDisabled()
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
  })
})
