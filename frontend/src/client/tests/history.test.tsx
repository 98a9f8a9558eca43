import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { fail, ok, serve } from '@/testing/server'
import { showClient, SPACE } from './show-client'

const moment = (sequence: number, change: object = {}) => ({
  sequence,
  time: 1_700_000_000_000 + sequence,
  author: 'Ada',
  stored: 2,
  removed: 1,
  bytes: 3_000,
  ...change,
})
const FOLDER = { path: 'Photos', name: 'Photos', type: 'folder', size: 5, modified: 1, files: 3, versions: 1 }

describe('the history of a space', () => {
  it('lists changes, also of a folder, and pages through them', async () => {
    const server = serve({
      'GET /api/moments': ({ url }) => {
        const offset = Number(url.searchParams.get('offset'))
        return ok({ rows: [moment(200 - offset, { author: offset ? null : 'Ada' })], total: 150 })
      },
    })
    showClient(`/history/${SPACE}?path=Photos`)
    expect(await screen.findByText('2 items stored, 3 kB · 1 item removed', { exact: false })).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Older' }))
    expect(await screen.findByText('Former member')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Older' })).toBeDisabled()
    expect(server.to('GET /api/moments').at(-1)?.url.search).toBe(`?space=${SPACE}&path=Photos&offset=100`)
  })

  it('says that nothing has changed yet', async () => {
    serve({ 'GET /api/moments': () => ok({ rows: [], total: 0 }) })
    showClient(`/history/${SPACE}`)
    expect(await screen.findByRole('heading', { name: 'Nothing has changed yet' })).toBeVisible()
  })

  it('says why it cannot be read, and tries again', async () => {
    const server = serve({ 'GET /api/moments': () => fail(400, 'unreachable') })
    showClient(`/history/${SPACE}`)
    expect(await screen.findByText(/The service cannot be reached. Check/)).toBeVisible()
    server.handlers['GET /api/moments'] = () => ok({ rows: [moment(1)], total: 1 })
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await screen.findByText('Ada')).toBeVisible()
  })
})

describe('a moment', () => {
  const open = (preview: object) => {
    const server = serve({
      'GET /api/files': () => ok({ rows: [FOLDER], offset: 0, total: 1 }),
      'POST /api/restore': ({ body }) =>
        ok((body as { isPreview: boolean }).isPreview ? preview : { restored: 3, removed: 2, blocked: [] }),
    })
    showClient(`/history/${SPACE}/7/1700000000000/`)
    return server
  }

  it('shows the files as they were, and restores a folder after saying what that does', async () => {
    const server = open({ restored: 3, removed: 2, blocked: [] })
    expect(await screen.findByRole('link', { name: 'Photos' })).toHaveAttribute(
      'href',
      expect.stringContaining(`/history/${SPACE}/7/1700000000000/Photos`),
    )
    expect(server.to('GET /api/files')[0]?.url.searchParams.get('at')).toBe('7')
    await userEvent.click(screen.getByRole('button', { name: 'Restore Photos' }))
    const dialog = within(screen.getByRole('dialog'))
    expect(await dialog.findByText(/3 items become what they were then. 2 newer items go to the trash./)).toBeVisible()
    await userEvent.click(dialog.getByRole('button', { name: 'Restore' }))
    expect(await screen.findByText('3 items were restored')).toBeVisible()
    const body = { space: SPACE, paths: ['Photos'], sequence: 7 }
    expect(server.to('POST /api/restore').map((call) => call.body)).toEqual([
      { ...body, isPreview: true },
      { ...body, isPreview: false },
    ])
  })

  it('restores nothing where nothing differs', async () => {
    open({ restored: 0, removed: 0, blocked: [] })
    await userEvent.click(await screen.findByRole('button', { name: 'Restore the whole space' }))
    const dialog = within(screen.getByRole('dialog'))
    expect(await dialog.findByText('Everything is as it was then.')).toBeVisible()
    expect(dialog.getByRole('button', { name: 'Restore' })).toBeDisabled()
  })

  it.each(['seven/1', '7/x', '7/9000000000000000'])(
    'gives way to the files at an address such as %s',
    async (moment) => {
      serve({ 'GET /api/files': () => ok({ rows: [], offset: 0, total: 0 }) })
      showClient(`/history/${SPACE}/${moment}/`)
      await waitFor(() => expect(screen.getByRole('button', { name: 'Upload' })).toBeVisible())
    },
  )
})
