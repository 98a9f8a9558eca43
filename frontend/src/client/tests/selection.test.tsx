import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { fail, ok, serve } from '@/testing/server'
import { showClient, SPACE } from './show-client'

const row = (name: string, change: object = {}) => ({
  path: name,
  name,
  type: 'file',
  size: 5,
  modified: 1_700_000_000_000,
  files: 0,
  versions: 1,
  ...change,
})
const ROWS = [row('Photos', { type: 'folder', files: 3 }), ...['a.txt', 'b.txt', 'c.txt'].map((name) => row(name))]

function answer(handlers: Parameters<typeof serve>[0] = {}) {
  const folders = [ROWS[0]]
  return serve({
    'GET /api/files': ({ url }) => {
      const rows = url.searchParams.get('folders') ? (url.searchParams.get('path') ? [] : folders) : ROWS
      return ok({ rows, offset: 0, total: rows.length })
    },
    'POST /api/protection': () => ok({}),
    'POST /api/downloads': () => ok({ path: 'Designs.zip' }),
    'POST /api/remove': () => ok(null),
    'POST /api/move': () => ok(null),
    ...handlers,
  })
}

const box = (name: string) => screen.findByRole('checkbox', { name: `Select ${name}` })
const bar = () => within(screen.getByRole('group', { name: 'Actions for the selection' }))

describe('choosing rows', () => {
  it('counts them, and downloads several as one ZIP', async () => {
    const server = answer()
    const user = userEvent.setup()
    showClient(`/files/${SPACE}`)
    await user.click(await box('a.txt'))
    await user.click(await box('Photos'))
    expect(bar().getByText('2 selected')).toBeVisible()
    expect(screen.getByRole('checkbox', { name: 'Select all' })).toBePartiallyChecked()
    await user.click(bar().getByRole('button', { name: 'Download' }))
    expect(await screen.findByText('Designs.zip goes to your Downloads folder')).toBeVisible()
    expect(server.to('POST /api/downloads')[0]?.body).toEqual({
      space: SPACE,
      paths: ['a.txt', 'Photos'],
      isArchive: true,
      sequence: null,
    })
    await user.click(bar().getByRole('button', { name: 'Clear the selection' }))
    expect(screen.queryByRole('group', { name: 'Actions for the selection' })).toBeNull()
    expect(screen.getByRole('navigation', { name: 'Folders' })).toBeVisible()
  })

  it('downloads a single file as it is', async () => {
    const server = answer()
    showClient(`/files/${SPACE}`)
    await userEvent.click(await box('a.txt'))
    await userEvent.click(bar().getByRole('button', { name: 'Download' }))
    expect(server.to('POST /api/downloads')[0]?.body).toMatchObject({ paths: ['a.txt'], isArchive: false })
  })

  it('takes a range with the shift key, all rows, and none', async () => {
    const server = answer()
    const user = userEvent.setup()
    showClient(`/files/${SPACE}`)
    await user.click(await box('a.txt'))
    await user.keyboard('{Shift>}')
    await user.click(await box('c.txt'))
    await user.keyboard('{/Shift}')
    expect(await bar().findByText('3 selected')).toBeVisible()
    const all = screen.getByRole('checkbox', { name: 'Select all' })
    await user.click(all)
    expect(await bar().findByText('4 selected')).toBeVisible()
    expect(all).toBeChecked()
    expect(server.to('GET /api/files').at(-1)?.url.searchParams.get('all')).toBe('1')
    await user.click(all)
    expect(screen.queryByText(/selected/)).toBeNull()
  })

  it('works with the keyboard alone', async () => {
    answer()
    const user = userEvent.setup()
    showClient(`/files/${SPACE}`)
    const first = await box('a.txt')
    first.focus()
    await user.keyboard(' {Shift>}{ArrowDown}{/Shift}')
    expect(await box('b.txt')).toHaveFocus()
    expect(await bar().findByText('2 selected')).toBeVisible()
    await user.keyboard('{Control>}a{/Control}')
    expect(await bar().findByText('4 selected')).toBeVisible()
    await user.keyboard('{Escape}')
    expect(screen.queryByText(/selected/)).toBeNull()
    await user.keyboard(' {Delete}')
    expect(await screen.findByRole('dialog', { name: 'Remove b.txt?' })).toBeVisible()
  })

  it('removes several in one call', async () => {
    const server = answer()
    showClient(`/files/${SPACE}`)
    await userEvent.click(await box('Photos'))
    await userEvent.click(await box('b.txt'))
    await userEvent.click(bar().getByRole('button', { name: 'Remove' }))
    const dialog = within(screen.getByRole('dialog', { name: 'Remove 2 items?' }))
    expect(dialog.getByText(/4 files are removed/)).toBeVisible()
    await userEvent.click(dialog.getByRole('button', { name: 'Remove' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(server.to('POST /api/remove')[0]?.body).toEqual({ space: SPACE, paths: ['Photos', 'b.txt'] })
    expect(screen.queryByText('2 selected')).toBeNull()
  })

  it('moves several into a folder, and keeps them chosen when that is refused', async () => {
    const server = answer({ 'POST /api/move': () => fail(400, 'name_taken') })
    showClient(`/files/${SPACE}`)
    await userEvent.click(await box('a.txt'))
    await userEvent.click(await box('b.txt'))
    await userEvent.click(bar().getByRole('button', { name: 'Move' }))
    const dialog = within(screen.getByRole('dialog', { name: 'Move 2 items' }))
    expect(dialog.getByRole('button', { name: 'Move' })).toBeDisabled()
    await userEvent.click(await dialog.findByRole('button', { name: 'Photos' }))
    expect(dialog.getByRole('status')).toHaveTextContent('Designs/Photos')
    await userEvent.click(dialog.getByRole('button', { name: 'Move' }))
    expect(await dialog.findByText('There is something with this name already.')).toBeVisible()
    expect(server.to('POST /api/move')[0]?.body).toEqual({
      space: SPACE,
      moves: { 'a.txt': 'Photos/a.txt', 'b.txt': 'Photos/b.txt' },
    })
    await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
    expect(bar().getByText('2 selected')).toBeVisible()
  })

  it('says so when the list cannot be read as a whole', async () => {
    answer({
      'GET /api/files': ({ url }) =>
        url.searchParams.get('all') ? fail(400, 'space_busy') : ok({ rows: ROWS, offset: 0, total: 4 }),
    })
    showClient(`/files/${SPACE}`)
    await box('a.txt')
    await userEvent.click(screen.getByRole('checkbox', { name: 'Select all' }))
    expect(await screen.findByText('Somebody else has just changed the space. Try again.')).toBeVisible()
  })
})

describe('the list of files', () => {
  it('shows empty files with their size, and control characters in names as escapes', async () => {
    answer({ 'GET /api/files': () => ok({ rows: [row('a\u0007b\nc', { size: 0 })], offset: 0, total: 1 }) })
    showClient(`/files/${SPACE}`)
    const line = await screen.findByRole('row', { name: /a\\x07b\\x0ac/ })
    expect(within(line).getByText('0 bytes')).toBeVisible()
    expect(within(line).getByText('Empty')).toBeVisible()
    expect(within(line).getByRole('checkbox', { name: 'Select a\\x07b\\x0ac' })).toBeVisible()
  })
})

describe('the trash', () => {
  it('restores chosen folders and files at once, and names what stays', async () => {
    const server = answer({
      'POST /api/restore': () => ok({ restored: 4, removed: 0, blocked: ['Photos/x.jpg'] }),
    })
    showClient(`/trash/${SPACE}`)
    expect(await screen.findByRole('link', { name: 'Photos' })).toBeVisible()
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Select all' }))
    expect(await bar().findByText('4 selected')).toBeVisible()
    await userEvent.click(bar().getByRole('button', { name: 'Restore' }))
    expect(await screen.findByText('4 items were restored')).toBeVisible()
    expect(screen.getByText('Photos/x.jpg stays in the trash: something else is there now.')).toBeVisible()
    expect(server.to('POST /api/restore')[0]?.body).toMatchObject({
      paths: ['Photos', 'a.txt', 'b.txt', 'c.txt'],
      sequence: null,
      isPreview: false,
    })
  })
})
