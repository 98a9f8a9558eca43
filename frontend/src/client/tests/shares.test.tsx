import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { fail, ok, serve } from '@/testing/server'
import { showClient, SPACE } from './show-client'

const RULES = { isAllowed: true, maxDays: 30, maxDownloads: 1000, password: 'apple-brave-cargo-delta-eagle' }
const ROW = { path: 'report.txt', name: 'report.txt', type: 'file', size: 10, modified: 0, files: 0, versions: 1 }
const SHARE = {
  id: '0a8f2d3e-0000-4000-8000-000000000009',
  author: 'Omar Haddad',
  isOwn: false,
  state: 'open',
  bytes: 2_000_000,
  downloads: 1,
  maxDownloads: 5,
  created: Date.UTC(2026, 10, 16, 12),
  expires: Date.UTC(2026, 10, 23, 12),
}
const MADE = {
  link: 'https://share.test/s/1#1.secret',
  expires: SHARE.expires,
  files: 1,
  bytes: 10,
  leftOut: ['a/link'],
}

async function openDialog(rules: object = RULES, answers: Parameters<typeof serve>[0] = {}) {
  const { to } = serve({
    'GET /api/files': () => ok({ rows: [ROW], offset: 0, total: 1 }),
    'POST /api/protection': () => ok({}),
    'GET /api/shares/rules': () => ok(rules),
    ...answers,
  })
  showClient(`/files/${SPACE}`)
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select report.txt' }))
  await userEvent.click(screen.getByRole('button', { name: 'Share' }))
  return { to, dialog: await screen.findByRole('dialog') }
}

describe('sharing', () => {
  it('says why it is not possible', async () => {
    const { dialog } = await openDialog({ ...RULES, isAllowed: false })
    expect(await within(dialog).findByText('Your team leader does not allow share links.')).toBeVisible()
    expect(within(dialog).queryByRole('button', { name: 'Create link' })).toBeNull()
  })

  it('keeps to the days that the leader allows', async () => {
    await openDialog({ ...RULES, maxDays: 3 })
    const days = await screen.findByRole('spinbutton', { name: 'Days' })
    expect(days).toHaveValue(3)
    await userEvent.clear(days)
    await userEvent.type(days, '4')
    expect(screen.getByRole('button', { name: 'Create link' })).toBeDisabled()
  })

  it('makes a link with the proposed password and shows both once', async () => {
    const { to } = await openDialog(RULES, { 'POST /api/shares': () => ok(MADE) })
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Protect the link with a password' }))
    expect(screen.getByRole('textbox', { name: 'Password' })).toHaveValue(RULES.password)
    await userEvent.click(screen.getByRole('button', { name: 'Create link' }))
    expect(await screen.findByText(MADE.link)).toBeVisible()
    expect(screen.getByText(RULES.password)).toBeVisible()
    expect(screen.getByText('a/link')).toBeVisible()
    expect(to('POST /api/shares')[0]).toMatchObject({
      body: { space: SPACE, paths: ['report.txt'], days: 7, downloads: 5, password: RULES.password },
    })
  })

  it('says what the service refuses', async () => {
    await openDialog(RULES, {
      'POST /api/shares': () => fail(409, 'too_many_shares', 'A company can have 100 open share links.'),
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Create link' }))
    expect(await screen.findByRole('alert')).toHaveTextContent('A company can have 100 open share links.')
  })
})

describe('the list of share links', () => {
  it('says how to begin while it is empty', async () => {
    serve({ 'GET /api/shares': () => ok([]) })
    showClient('/shares')
    expect(await screen.findByText('There are no share links')).toBeVisible()
  })

  it('shows how often each was opened, and ends one', async () => {
    const { to } = serve({
      'GET /api/shares': () =>
        ok([SHARE, { ...SHARE, id: 'b', state: 'used', isOwn: true }, { ...SHARE, id: 'c', state: 'new' }]),
      'POST /api/shares/end': () => ok(null),
    })
    showClient('/shares')
    expect(await screen.findAllByText(/opened 1 of 5 times/)).toHaveLength(3)
    expect(screen.getByText('Used up')).toBeVisible()
    expect(screen.getByText('Ended')).toBeVisible()
    expect(screen.getAllByText('Omar Haddad')).toHaveLength(2)
    await userEvent.click(screen.getByRole('button', { name: /End the link created/ }))
    await userEvent.click(screen.getByRole('button', { name: 'End' }))
    expect(await screen.findByText('The link has ended')).toBeVisible()
    expect(to('POST /api/shares/end')[0]?.body).toEqual({ share: SHARE.id })
  })

  it('says that it could not be loaded', async () => {
    serve({ 'GET /api/shares': () => fail(503, 'unreachable', '') })
    showClient('/shares')
    expect(
      await screen.findByText('The service cannot be reached. Check the address and your connection.'),
    ).toBeVisible()
  })
})
