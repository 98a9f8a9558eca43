import { describe, expect, it } from 'vitest'
import { fail, ok, serve } from '@/testing/server'
import { filesOfDrop, handOver } from '../files/upload'

function folder(name: string, ...children: object[]): object {
  const rest = [children, []]
  const createReader = () => ({ readEntries: (done: (some: object[]) => void) => done(rest.shift() ?? []) })
  return { name, isFile: false, isDirectory: true, createReader }
}

function dropped(...entries: object[]): DataTransferItemList {
  const items = entries.map((entry) => ({ webkitGetAsEntry: () => entry, getAsFile: () => null }))
  return items as unknown as DataTransferItemList
}

describe('a dropped folder', () => {
  it('keeps the empty folders in it', async () => {
    const found = await filesOfDrop(dropped(folder('Contracts', folder('2025'), folder('2026'))))
    expect(found).toEqual([
      { file: null, path: 'Contracts/2025' },
      { file: null, path: 'Contracts/2026' },
    ])
    const server = serve({ 'POST /api/folders': () => ok({}) })
    await handOver('space', 'Clients', found)
    expect(server.calls.map((call) => call.body)).toEqual([
      { space: 'space', path: 'Clients/Contracts/2025' },
      { space: 'space', path: 'Clients/Contracts/2026' },
    ])
  })

  it('may be there already', async () => {
    serve({ 'POST /api/folders': () => fail(400, 'name_taken') })
    await handOver('space', '', [{ file: null, path: 'Contracts' }])
  })

  it('reports other failures', async () => {
    serve({ 'POST /api/folders': () => fail(400, 'bad_name') })
    await expect(handOver('space', '', [{ file: null, path: 'a:b' }])).rejects.toMatchObject({ code: 'bad_name' })
  })
})
