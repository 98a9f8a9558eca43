import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { fail, ok, serve } from '@/testing/server'
import type { ConnectedFolder } from '../client-state'
import { FOLDER, showClient, SPACE } from './show-client'

const HOME = { path: '/home/ada', parent: null, folders: ['Documents', 'Pictures'] }
const DOCUMENTS = { path: '/home/ada/Documents', parent: '/home/ada', folders: [] }
const SUBFOLDERS = {
  rows: [
    { path: 'laptop/Videos', name: 'Videos', type: 'folder', size: 0, modified: 0, files: 1, versions: 1 },
    { path: 'laptop/Notes', name: 'Notes', type: 'folder', size: 0, modified: 0, files: 1, versions: 1 },
  ],
  offset: 0,
  total: 2,
}

function withRows(...changes: Partial<ConnectedFolder>[]) {
  return {
    folders: { problem: null, service: 'running' as const, rows: changes.map((change) => ({ ...FOLDER, ...change })) },
  }
}

describe('the list of connected folders', () => {
  it('waits until it is read', async () => {
    showClient('/folders', { folders: null })
    expect(await screen.findByRole('heading', { name: 'Drive and Sync' })).toBeVisible()
    expect(document.querySelector('[data-skeleton]')).toBeVisible()
  })

  it('says what to do while it is empty', async () => {
    showClient('/folders')
    expect(await screen.findByText('No folder is connected yet')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Connect a folder' })).toBeEnabled()
  })

  it('names a list that cannot be read', async () => {
    showClient('/folders', {
      folders: { problem: { code: 'folders_damaged', message: '' }, service: 'running', rows: [] },
    })
    expect(await screen.findByRole('alert')).toHaveTextContent('The list of connected folders')
    expect(screen.getByRole('button', { name: 'Connect a folder' })).toBeEnabled()
  })

  it('asks for a space first', async () => {
    showClient('/folders', { spaces: [] })
    expect(await screen.findByRole('button', { name: 'Create a space' })).toBeVisible()
  })

  it('shows folder, kind, space, place and what is left out', async () => {
    showClient('/folders', withRows({}))
    const item = (await screen.findByText('/home/ada/Documents')).closest('li')
    expect(item).toHaveTextContent('Synchronised · Designs · laptop')
    expect(item).toHaveTextContent('Without Videos, *.tmp')
  })

  it('shows a drive of all spaces, in which nothing can be left out', async () => {
    showClient('/folders', withRows({ kind: 'mount', space: null, path: '/', subfolders: [], patterns: [] }))
    const item = (await screen.findByText('/home/ada/Documents')).closest('li')
    expect(item).toHaveTextContent('Drive · All spaces')
    expect(screen.queryByRole('button', { name: /Leave out/ })).toBeNull()
  })

  it.each<[Partial<ConnectedFolder>, string]>([
    [{}, 'Up to date'],
    [{ state: 'starting', at: null }, 'Starting'],
    [{ state: 'waiting', waiting: 12 }, '12 files waiting'],
    [{ state: 'waiting' }, 'Changes are waiting'],
    [{ state: 'conflict', conflicts: 2 }, '2 conflicts'],
    [{ state: 'offline', waiting: 1 }, 'Offline1 file waiting'],
    [{ state: 'paused', paused: true }, 'Paused'],
    [{ state: 'stopped' }, 'Not running'],
    [{ state: 'failed', problem: { code: 'folder_gone', message: '' } }, 'The folder does not exist any more.'],
    [{ state: 'failed', problem: { code: 'other', message: 'No FUSE.\u202e' } }, 'No FUSE.\\u202e'],
    [{ state: 'waiting', waiting: 1, problem: { code: 'left', message: '1 file is left alone.' } }, 'is left alone'],
  ])('says how a folder is doing: %o', async (change, text) => {
    showClient('/folders', withRows(change))
    expect((await screen.findByText('/home/ada/Documents')).closest('li')).toHaveTextContent(text)
  })

  it('installs the program that keeps folders connected', async () => {
    const rows = [FOLDER]
    const { show } = showClient('/folders', { folders: { problem: null, service: 'missing', rows } })
    let isRefused = true
    const server = serve({
      'POST /api/connected-folders': () => (isRefused ? fail(400, 'service_no_manager', 'No systemctl.') : ok({})),
    })
    const notice = within(await screen.findByRole('region', { name: 'Background program' }))
    expect(notice.getByText('tess service install')).toBeVisible()
    await userEvent.click(notice.getByRole('button', { name: 'Install it' }))
    expect(await notice.findByRole('alert')).toHaveTextContent('No systemctl.')
    isRefused = false
    await userEvent.click(notice.getByRole('button', { name: 'Install it' }))
    await expect.poll(() => notice.queryByRole('alert')).toBeNull()
    expect(server.to('POST /api/connected-folders').at(-1)?.body).toEqual({ action: 'install' })
    show({ folders: { problem: null, service: 'stopped', rows } })
    expect(notice.getByText('tess service status')).toBeVisible()
    show({ folders: { problem: null, service: 'running', rows } })
    expect(screen.queryByRole('region', { name: 'Background program' })).toBeNull()
  })

  it('counts those that need attention in the menu', async () => {
    showClient('/folders', withRows({}, { id: 'b', state: 'failed' }, { id: 'c', conflicts: 1, state: 'conflict' }))
    expect(await screen.findByLabelText('2 folders need attention')).toHaveTextContent('2')
  })

  it('pauses, resumes and opens a folder', async () => {
    const { show } = showClient('/folders', withRows({}))
    const server = serve({ 'POST /api/connected-folders': () => ok({}) })
    await userEvent.click(await screen.findByRole('button', { name: 'Pause Documents' }))
    show(withRows({ paused: true, state: 'paused' }))
    await userEvent.click(screen.getByRole('button', { name: 'Resume Documents' }))
    await userEvent.click(screen.getByRole('button', { name: 'Open Documents in the file manager' }))
    const { id } = FOLDER
    expect(server.to('POST /api/connected-folders').map((call) => call.body)).toEqual([
      { action: 'pause', id },
      { action: 'resume', id },
      { action: 'open', id },
    ])
  })

  it('says why a folder could not be opened', async () => {
    showClient('/folders', withRows({}))
    serve({ 'POST /api/connected-folders': () => fail(400, 'no_file_manager') })
    await userEvent.click(await screen.findByRole('button', { name: 'Open Documents in the file manager' }))
    expect(await screen.findByRole('alert')).toHaveTextContent('there is no file manager')
  })

  it('says that disconnecting keeps the files', async () => {
    showClient('/folders', withRows({}))
    const server = serve({ 'POST /api/connected-folders': () => ok({}) })
    await userEvent.click(await screen.findByRole('button', { name: 'Disconnect Documents' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText(/The files stay on this computer and in the space/)).toBeVisible()
    await userEvent.click(dialog.getByRole('button', { name: 'Disconnect' }))
    await expect
      .poll(() => server.to('POST /api/connected-folders').at(0)?.body)
      .toEqual({ action: 'remove', id: FOLDER.id })
  })

  it('changes what is left out', async () => {
    showClient('/folders', withRows({}))
    const server = serve({
      'GET /api/files': () => ok(SUBFOLDERS),
      'POST /api/connected-folders': () => ok({}),
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Leave out parts of Documents' }))
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.click(await dialog.findByRole('checkbox', { name: 'Notes' }))
    expect(dialog.getByRole('checkbox', { name: 'Videos' })).toBeChecked()
    await userEvent.click(dialog.getByRole('checkbox', { name: 'Videos' }))
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
    await expect
      .poll(() => server.to('POST /api/connected-folders').at(0)?.body)
      .toEqual({ action: 'exclude', id: FOLDER.id, subfolders: ['Notes'], patterns: ['*.tmp'] })
    expect(server.to('GET /api/files')[0]?.url.searchParams.get('path')).toBe('laptop')
  })
})

describe('connecting a folder', () => {
  const local = ({ url }: { url: URL }) => ok(url.searchParams.get('path') ? DOCUMENTS : HOME)

  it('synchronises a folder that was walked to', async () => {
    showClient('/folders')
    const server = serve({
      'GET /api/local-folders': local,
      'GET /api/files': () => ok({ rows: [], offset: 0, total: 0 }),
      'POST /api/connected-folders': () => ok({}),
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Connect a folder' }))
    const dialog = within(await screen.findByRole('dialog'))
    const submit = dialog.getByRole('button', { name: 'Connect a folder' })
    const folder = await dialog.findByRole('button', { name: 'Documents' })
    expect(submit).toBeDisabled()
    await userEvent.click(folder)
    await dialog.findByText('There is no other folder in here.')
    await userEvent.type(dialog.getByLabelText('Place in the space'), 'laptop')
    await userEvent.type(dialog.getByLabelText('Leave out'), '*.tmp')
    await userEvent.click(submit)
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
    expect(server.to('POST /api/connected-folders')[0]?.body).toEqual({
      action: 'add',
      kind: 'sync',
      folder: '/home/ada/Documents',
      name: '',
      space: SPACE,
      path: 'laptop',
      subfolders: [],
      patterns: ['*.tmp'],
    })
  })

  it('makes a new folder for a drive of all spaces', async () => {
    showClient('/folders')
    const server = serve({
      'GET /api/local-folders': local,
      'GET /api/files': () => ok({ rows: [], offset: 0, total: 0 }),
      'POST /api/connected-folders': () => fail(400, 'folder_connected'),
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Connect a folder' }))
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.selectOptions(dialog.getByLabelText('How'), 'Drive')
    await userEvent.selectOptions(dialog.getByLabelText('Space'), 'All spaces')
    expect(dialog.queryByLabelText('Leave out')).toBeNull()
    await dialog.findByRole('button', { name: 'Documents' })
    await userEvent.click(dialog.getByRole('button', { name: 'Connect a folder' }))
    expect(await dialog.findByRole('alert')).toHaveTextContent('This folder is connected already')
    expect(server.to('POST /api/connected-folders')[0]?.body).toEqual({
      action: 'add',
      kind: 'mount',
      folder: '/home/ada',
      name: 'Tessera',
      space: null,
      path: '',
      subfolders: [],
      patterns: [],
    })
  })
})
