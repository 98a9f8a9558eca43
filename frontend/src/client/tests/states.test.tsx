import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { fail, ok, serve } from '@/testing/server'
import type { Verification } from '../client-state'
import { BACKUP, healthWith, showClient, SPACE, VERIFICATION } from './show-client'

const PAGES = ['files', 'transfers', 'backups', 'team', 'health', 'recovery-kit', 'settings']
const FILES = { rows: [], offset: 0, total: 0 }

function answer() {
  return serve({
    'GET /api/files': () => ok(FILES),
    'GET /api/team': () => ok([]),
    'POST /api/verify-files': () => ok({}),
  })
}

describe.each(PAGES)('the page %s', (page) => {
  it('says that the service is away, the upload is used and a warehouse is down', async () => {
    answer()
    const warehouse = { id: 1, name: 'S3', typeName: 'S3', shards: 2, missing: 2, isPlaced: true, lastCheck: null }
    showClient(`/${page}`, {
      problem: { code: 'unreachable', message: '' },
      usage: { quota: 25e9, used: 25e9, left: 0 },
      health: healthWith({ degraded: 2, warehouses: [{ ...warehouse, status: 0 }] }),
    })
    expect(await screen.findByText(/You see what was known last/)).toBeVisible()
    expect(await screen.findByRole('heading', { level: 1 })).toBeInTheDocument()
    expect(screen.getAllByText('Your team has used its upload for this month')[0]).toBeVisible()
    expect(screen.getByLabelText('1 warehouse has a problem')).toBeVisible()
  })
})

describe('an open page', () => {
  const menu = () => screen.findByRole('navigation', { name: 'Pages' })

  it('gives way to the password when the keys are locked', async () => {
    const { show } = showClient('/backups')
    await menu()
    show({ phase: 'locked', spaces: [], backups: null })
    expect(await screen.findByRole('heading', { name: 'Locked' })).toBeVisible()
    expect(screen.queryByRole('navigation', { name: 'Pages' })).toBeNull()
  })

  it('gives way to the login when the session was revoked', async () => {
    const { show } = showClient('/backups')
    await menu()
    show({ phase: 'loggedOut', spaces: [], problem: { code: 'not_logged_in', message: '' } })
    expect(await screen.findByText('Your session has ended. Log in again to continue.')).toBeVisible()
  })

  it('says that the program has stopped', async () => {
    const { end } = showClient('/backups')
    await menu()
    end()
    expect(await screen.findByRole('heading', { name: 'The program has stopped' })).toBeVisible()
  })
})

describe('a password that was changed elsewhere', () => {
  it('is explained, and accepted by whoever changed it', async () => {
    const server = serve({
      'POST /api/login/code': ({ body }) =>
        (body as { isPasswordChanged: boolean }).isPasswordChanged
          ? ok({ method: 'sms', sentTo: null })
          : fail(409, 'salt_changed', 'The salt has changed.'),
    })
    const user = userEvent.setup()
    showClient('/files', { phase: 'loggedOut', spaces: [] })
    await user.type(await screen.findByLabelText(/^Password/), 'secret')
    await user.click(screen.getByRole('button', { name: 'Continue' }))
    const alert = await screen.findByRole('alert')
    expect(alert).toHaveTextContent('Was your password changed?')
    expect(alert).not.toHaveTextContent(/salt/i)
    expect(screen.getByRole('button', { name: 'Continue' })).toBeDisabled()
    await user.click(screen.getByLabelText('I have changed or reset my password myself.'))
    await user.click(screen.getByRole('button', { name: 'Continue' }))
    expect(await screen.findByRole('heading', { name: 'Enter the code' })).toBeVisible()
    expect(server.to('POST /api/login/code')).toHaveLength(2)
  })

  it('and reset is accepted after the login', async () => {
    const server = serve({ 'POST /api/password-reset': () => ok({}) })
    showClient('/files', { phase: 'starting', spaces: [], problem: { code: 'keys_reset', message: '--after-reset' } })
    expect(await screen.findByRole('heading', { name: 'Was your password reset?' })).toBeVisible()
    expect(screen.getByRole('button', { name: 'Continue' })).toBeDisabled()
    await userEvent.click(screen.getByLabelText('I have reset my password myself.'))
    await userEvent.click(screen.getByRole('button', { name: 'Continue' }))
    expect(server.to('POST /api/password-reset')).toHaveLength(1)
  })
})

describe('logging in', () => {
  it('marks the step', async () => {
    serve({ 'POST /api/login/code': () => ok({ method: 'sms', sentTo: '+1•••••••01' }) })
    const user = userEvent.setup()
    showClient('/files', { phase: 'loggedOut', spaces: [] })
    await user.type(await screen.findByLabelText(/^Password/), 'secret')
    const current = () => screen.getAllByRole('listitem').filter((step) => step.ariaCurrent === 'step')
    expect(current().map((step) => step.textContent)).toEqual(['1Log in'])
    await user.click(screen.getByRole('button', { name: 'Continue' }))
    expect(await screen.findByRole('heading', { name: 'Enter the code' })).toBeVisible()
    expect(current().map((step) => step.textContent)).toEqual(['2Enter the code'])
  })
})

describe('the menu', () => {
  it('counts backups whose last run failed', async () => {
    const lastRun = {
      time: 1,
      began: 1,
      stored: 0,
      unchanged: 0,
      bytes: 0,
      notSafe: 0,
      failed: 0,
      problems: [],
      code: 'folder_gone',
      message: '',
    }
    showClient('/settings', { backups: { problem: null, rows: [{ ...BACKUP, lastRun }] } })
    expect(await screen.findByLabelText('1 backup has a problem')).toHaveTextContent('1')
  })
})

describe('verifying', () => {
  const card = async () => within(await screen.findByRole('region', { name: 'Verify your files' }))

  it('starts, shows its progress and can be cancelled', async () => {
    const server = answer()
    const { show } = showClient('/health')
    await userEvent.click((await card()).getByRole('button', { name: 'Verify now' }))
    show({ verification: { ...VERIFICATION, state: 'running', done: 1_000_000, size: 4_000_000 } })
    expect((await card()).getByRole('progressbar')).toHaveAttribute('aria-valuenow', '25')
    await userEvent.click((await card()).getByRole('button', { name: 'Cancel' }))
    expect(server.to('POST /api/verify-files').map((call) => call.body)).toEqual([
      { action: 'start' },
      { action: 'cancel' },
    ])
    show({ verification: { ...VERIFICATION, state: 'cancelled' } })
    expect((await card()).getByText('Cancelled before the end.')).toBeVisible()
  })

  it.each([
    [{ packs: 2, degraded: 0, affected: 0, files: [] }, 'All files are intact.'],
    [{ packs: 0, degraded: 0, affected: 0, files: [] }, 'Nothing is stored yet.'],
    [{ packs: 2, degraded: 1, affected: 0, files: [] }, '1 pack has missing or changed pieces'],
    [{ packs: 2, degraded: 0, affected: 1, files: [{ space: SPACE, path: 'plan.txt' }] }, 'Designs: plan.txt'],
  ])('says what was found: %o', async (found, text) => {
    showClient('/health', { verification: { ...VERIFICATION, ...found } })
    expect((await card()).getByRole('status')).toHaveTextContent(text)
  })

  it('says why it failed', async () => {
    const verification: Verification = { ...VERIFICATION, state: 'failed', code: 'unreachable' }
    showClient('/health', { verification })
    expect((await card()).getByRole('alert')).toHaveTextContent('The service cannot be reached.')
  })
})

describe('changes that make no sense', () => {
  it('are named on the health page with their authors', async () => {
    showClient('/health', { notes: ['Designs: change 7 by 0f3a cannot be opened and was left out.'] })
    expect(await screen.findByRole('heading', { name: 'Left out' })).toBeVisible()
    expect(screen.getByText(/change 7 by 0f3a/)).toBeVisible()
  })
})

describe('the recovery kit', () => {
  it('waits for the passphrase, which is typed', async () => {
    const sent: unknown[] = []
    serve({
      'POST /api/recovery-kit': ({ body }) => {
        sent.push(body)
        return ok({ code: 'ABCD', counter: 1, page: '', text: 'Kit' })
      },
    })
    showClient('/recovery-kit')
    const make = await screen.findByRole('button', { name: 'Make a recovery kit' })
    expect(make).toBeDisabled()
    await userEvent.type(screen.getByLabelText('The company’s passphrase'), 'three clouds')
    await userEvent.click(make)
    expect(await screen.findByText('ABCD')).toBeVisible()
    expect(sent).toEqual([{ passphrase: 'three clouds' }])
  })

  it('is confirmed with two groups of its code, which are tried on the stored kit', async () => {
    const code = 'AAAA-BBBB-CCCC-DDDD-EEEE-FFFF-GGGG'
    const answers = [fail(400, 'spool_failed', 'The disk is full.'), ok({})]
    const server = serve({
      'POST /api/recovery-kit': () => ok({ code, counter: 1, page: '', text: 'Kit' }),
      'POST /api/recovery-kit/confirmation': ({ body }) =>
        (body as { code: string }).code === code
          ? (answers.shift() ?? ok({}))
          : fail(400, 'code_malformed', 'It has 28 letters.'),
    })
    showClient('/recovery-kit')
    await userEvent.type(await screen.findByLabelText('The company’s passphrase'), 'three clouds')
    await userEvent.click(screen.getByRole('button', { name: 'Make a recovery kit' }))
    const fields = await screen.findAllByLabelText(/^Group/)
    expect(fields).toHaveLength(2)
    const [first, second] = fields as [HTMLElement, HTMLElement]
    const groupOf = (label: string) => code.split('-')[Number(label.replace(/\D/g, '')) - 1] ?? ''
    const labels = screen.getAllByText(/^Group \d/).map((label) => label.textContent)
    await userEvent.type(first, 'XXXX')
    await userEvent.type(second, groupOf(labels[1] ?? ''))
    await userEvent.click(screen.getByRole('button', { name: 'Confirm' }))
    expect(await screen.findByText(/does not open with these groups/)).toBeVisible()
    await userEvent.clear(first)
    await userEvent.type(first, groupOf(labels[0] ?? ''))
    await userEvent.click(screen.getByRole('button', { name: 'Confirm' }))
    expect(await screen.findByText('The disk is full.')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Confirm' }))
    expect(await screen.findByText('The recovery kit is confirmed')).toBeVisible()
    expect(server.to('POST /api/recovery-kit/confirmation').at(-1)?.body).toEqual({ passphrase: 'three clouds', code })
  })

  it.each([
    [{ kitCounter: 0, isKitCurrent: false, isKitConfirmed: false }, 'There is no recovery kit yet.'],
    [{ kitCounter: 1, isKitCurrent: false, isKitConfirmed: true }, 'former recovery keys'],
    [{ kitCounter: 1, isKitCurrent: true, isKitConfirmed: false }, 'Nobody has confirmed'],
  ])('needs attention: %o', async (recovery, text) => {
    showClient('/recovery-kit', { health: healthWith({ recovery }) })
    expect(await screen.findByText(new RegExp(text))).toBeVisible()
    expect(screen.getByLabelText('The recovery kit needs attention')).toBeVisible()
  })

  it('needs no attention once it is confirmed', async () => {
    showClient('/recovery-kit')
    expect(await screen.findByRole('button', { name: 'Make a recovery kit' })).toBeVisible()
    expect(screen.queryByLabelText('The recovery kit needs attention')).toBeNull()
  })

  it('is checked with the printed page later', async () => {
    const server = serve({ 'POST /api/recovery-kit/confirmation': () => ok({}) })
    const recovery = { kitCounter: 1, isKitCurrent: true, isKitConfirmed: false }
    showClient('/recovery-kit', { health: healthWith({ recovery }) })
    await userEvent.type(await screen.findByLabelText('Passphrase for the check'), 'three clouds')
    await userEvent.type(screen.getByLabelText('File recovery code'), 'AAAA')
    await userEvent.click(screen.getByRole('button', { name: 'Check' }))
    expect(await screen.findByText('The recovery kit is confirmed')).toBeVisible()
    expect(server.to('POST /api/recovery-kit/confirmation')[0]?.body).toEqual({
      passphrase: 'three clouds',
      code: 'AAAA',
    })
  })
})
