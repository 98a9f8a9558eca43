import { fireEvent, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { fail, ok, serve } from '@/testing/server'
import { BACKUP, showClient, SPACE } from './show-client'

const TIME = Date.UTC(2026, 10, 16, 12)
const RUN = {
  time: TIME,
  began: TIME,
  stored: 0,
  unchanged: 0,
  bytes: 0,
  notSafe: 0,
  failed: 0,
  problems: [],
  code: '',
  message: '',
}
const HOME = { path: '/home/ada', parent: null, folders: ['Documents', 'Pictures'] }
const DOCUMENTS = { path: '/home/ada/Documents', parent: '/home/ada', folders: [] }

function withRun(change: object) {
  return { backups: { problem: null, rows: [{ ...BACKUP, lastRun: { ...RUN, ...change } }] } }
}

describe('the list of backups', () => {
  it('waits until it is read', async () => {
    showClient('/backups', { backups: null })
    expect(await screen.findByRole('heading', { name: 'Backups' })).toBeVisible()
    expect(document.querySelector('[data-skeleton]')).toBeVisible()
  })

  it('says what to do while it is empty', async () => {
    showClient('/backups')
    expect(await screen.findByText('No folder is backed up yet')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Back up a folder' })).toBeEnabled()
  })

  it('names a damaged list', async () => {
    showClient('/backups', { backups: { problem: { code: 'backups_damaged', message: '' }, rows: [] } })
    expect(await screen.findByRole('alert')).toHaveTextContent('The list of backups on this computer is damaged.')
  })

  it('asks for a space first', async () => {
    showClient('/backups', { spaces: [] })
    expect(await screen.findByRole('button', { name: 'Create a space' })).toBeVisible()
  })

  it('shows folder, target, rules and that it was not run', async () => {
    showClient('/backups', { backups: { problem: null, rows: [BACKUP] } })
    const row = await screen.findByText('/home/ada/Documents')
    const item = row.closest('li')
    expect(item).toHaveTextContent('Designs · laptop/Documents · Watched while this program runs')
    expect(item).toHaveTextContent('Without *.tmp')
    expect(item).toHaveTextContent('Not run yet')
  })

  it.each([
    [{ stored: 2, bytes: 3_000_000 }, '2 files stored, 3 MB'],
    [{ unchanged: 4 }, 'Nothing had changed'],
    [{ stored: 1, notSafe: 1 }, '1 file has no spare piece yet'],
    [{ code: 'folder_gone' }, 'The folder does not exist any more.'],
    [{ code: 'folder_not_readable' }, 'The folder cannot be read.'],
    [{ code: 'quota_exceeded' }, 'Your team has used its upload for this month.'],
    [{ code: 'unreachable' }, 'The service cannot be reached.'],
    [{ code: 'other', message: 'Something else.' }, 'Something else.'],
    [{ failed: 1, problems: ['/home/ada/Documents/x: Permission denied.'] }, '1 file could not be stored'],
  ])('says how the last run ended: %o', async (change, text) => {
    showClient('/backups', withRun(change))
    expect((await screen.findByText('/home/ada/Documents')).closest('li')).toHaveTextContent(text)
  })

  it('shows schedule, reminder and next run', async () => {
    const at = Date.UTC(2100, 0, 4, 9, 30)
    const planned = { ...BACKUP, isWatched: false, every: 'week' as const, at: '09:30', remindAfter: 5, nextRun: at }
    const { show } = showClient('/backups', { backups: { problem: null, rows: [planned] } })
    const item = (await screen.findByText('/home/ada/Documents')).closest('li')
    expect(item).toHaveTextContent(/laptop\/Documents · Every Monday at 9:30\sAM/)
    expect(item).toHaveTextContent('Email after 5 days without a backup')
    expect(item).toHaveTextContent(/Next run: Jan 4, 2100/)
    show({ backups: { problem: null, rows: [{ ...planned, isWatched: true, every: 'hour', state: 'running' }] } })
    expect(item).toHaveTextContent('Watched while this program runs · Every hour')
    expect(item).not.toHaveTextContent('Next run')
  })

  it('cannot be started twice', async () => {
    const { show } = showClient('/backups', { backups: { problem: null, rows: [BACKUP] } })
    const server = serve({ 'POST /api/backups': () => ok({}) })
    const start = await screen.findByRole('button', { name: 'Back up Documents now' })
    await userEvent.click(start)
    expect(server.to('POST /api/backups')[0]?.body).toEqual({ action: 'run', id: 'a1' })
    show({ backups: { problem: null, rows: [{ ...BACKUP, state: 'running' }] } })
    expect(screen.getByRole('status')).toHaveTextContent('On its way')
    expect(start).toBeDisabled()
  })
})

describe('adding a folder', () => {
  it('walks to a folder and sends the rules', async () => {
    showClient('/backups')
    const server = serve({
      'GET /api/local-folders': ({ url }) => ok(url.searchParams.get('path') ? DOCUMENTS : HOME),
      'POST /api/backups': () => ok({}),
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Back up a folder' }))
    const dialog = within(await screen.findByRole('dialog'))
    const submit = dialog.getByRole('button', { name: 'Back up a folder' })
    const folder = await dialog.findByRole('button', { name: 'Documents' })
    expect(submit).toBeDisabled()
    await userEvent.click(folder)
    expect(await dialog.findByText('There is no other folder in here.')).toBeVisible()
    await userEvent.type(dialog.getByLabelText('Leave out'), '*.tmp, node_modules')
    await userEvent.click(dialog.getByRole('checkbox'))
    expect(dialog.queryByLabelText('Time')).toBeNull()
    await userEvent.selectOptions(dialog.getByLabelText('Schedule'), 'Every day')
    fireEvent.change(dialog.getByLabelText('Time'), { target: { value: '02:30' } })
    await userEvent.selectOptions(dialog.getByLabelText('Email me if there was no backup for'), '3 days')
    await userEvent.click(submit)
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
    expect(server.to('POST /api/backups')[0]?.body).toEqual({
      action: 'add',
      folder: '/home/ada/Documents',
      space: SPACE,
      path: '',
      exclude: ['*.tmp', 'node_modules'],
      isWatched: false,
      every: 'day',
      at: '02:30',
      remindAfter: 3,
    })
  })

  it('shows why it was refused', async () => {
    showClient('/backups')
    serve({
      'GET /api/local-folders': ({ url }) => ok(url.searchParams.get('path') ? DOCUMENTS : HOME),
      'POST /api/backups': () => fail(400, 'backup_exists'),
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Back up a folder' }))
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.click(await dialog.findByRole('button', { name: 'Documents' }))
    await dialog.findByText('There is no other folder in here.')
    await userEvent.click(dialog.getByRole('button', { name: 'Back up a folder' }))
    expect(await dialog.findByRole('alert')).toHaveTextContent('This folder is backed up there already.')
  })
})

describe('a backup', () => {
  const shown = { backups: { problem: null, rows: [BACKUP] } }

  it('shows what it would store', async () => {
    showClient('/backups', shown)
    const preview = { files: ['laptop/Documents/a.txt'], count: 3, bytes: 2_000, unchanged: 5, failed: 0, problems: [] }
    serve({ 'GET /api/backups/preview': () => ok(preview) })
    await userEvent.click(await screen.findByRole('button', { name: 'Preview the backup of Documents' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(await dialog.findByText(/3 new or changed files/)).toHaveTextContent('5 files are stored already.')
    expect(dialog.getByText('laptop/Documents/a.txt')).toBeVisible()
    expect(dialog.getByText('and 2 more')).toBeVisible()
  })

  it('changes its rules', async () => {
    showClient('/backups', shown)
    const server = serve({ 'POST /api/backups': () => ok({}) })
    await userEvent.click(await screen.findByRole('button', { name: 'Edit the backup of Documents' }))
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.clear(dialog.getByLabelText('Leave out'))
    await userEvent.click(dialog.getByRole('checkbox'))
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
    await expect
      .poll(() => server.to('POST /api/backups').at(0)?.body)
      .toEqual({
        action: 'change',
        id: 'a1',
        exclude: [''],
        isWatched: false,
        every: null,
        at: '',
        remindAfter: null,
      })
  })

  it('says that removing it keeps what is stored', async () => {
    showClient('/backups', shown)
    const server = serve({ 'POST /api/backups': () => ok({}) })
    await userEvent.click(await screen.findByRole('button', { name: 'Remove the backup of Documents' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText(/What is stored stays in the space/)).toBeVisible()
    await userEvent.click(dialog.getByRole('button', { name: 'Stop backing up' }))
    await expect.poll(() => server.to('POST /api/backups').at(0)?.body).toEqual({ action: 'remove', id: 'a1' })
  })
})
