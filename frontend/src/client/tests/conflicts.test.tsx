import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { fail, ok, serve } from '@/testing/server'
import { FOLDER, showClient, SPACE } from './show-client'

const URL = `/folders/${FOLDER.id}/conflicts`
const SIDE = { path: 'laptop/plan.txt', type: 'file', size: 13, files: 0, time: Date.UTC(2026, 10, 18, 9), sequence: 7 }
const CONFLICT = {
  space: SPACE,
  current: { ...SIDE, author: 'Ben Okafor' },
  other: { ...SIDE, path: 'laptop/plan (conflict, Ada, 2026-11-18 08.00).txt', author: null, sequence: 6 },
}
const LIST = 'GET /api/connected-folders/conflicts'
const RESOLVE = 'POST /api/connected-folders/conflicts'

function open(answers: Parameters<typeof serve>[0]) {
  const server = serve(answers)
  showClient(URL, {
    folders: { problem: null, service: 'running', rows: [{ ...FOLDER, state: 'conflict', conflicts: 1 }] },
  })
  return server
}

describe('the conflicts of a folder', () => {
  it('waits until they are read', async () => {
    open({ [LIST]: () => new Promise(() => undefined) })
    expect(await screen.findByRole('heading', { name: 'Conflicts' })).toBeVisible()
    expect(document.querySelector('[data-skeleton]')).toBeVisible()
  })

  it('says that there are none', async () => {
    open({ [LIST]: () => ok({ rows: [], total: 0 }) })
    expect(await screen.findByText('There are no conflicts')).toBeVisible()
  })

  it('says why they could not be read, and reads them again', async () => {
    let isLost = true
    open({ [LIST]: () => (isLost ? fail(400, 'unreachable') : ok({ rows: [CONFLICT], total: 1 })) })
    expect(await screen.findByRole('alert')).toHaveTextContent('The service cannot be reached.')
    isLost = false
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await screen.findByRole('heading', { name: 'plan.txt' })).toBeVisible()
  })

  it('goes back to the list when the folder is not connected any more', async () => {
    showClient('/folders/nothing/conflicts')
    expect(await screen.findByRole('heading', { name: 'Drive and Sync' })).toBeVisible()
  })

  it('shows who wrote each version, when, and how large it is', async () => {
    open({ [LIST]: () => ok({ rows: [CONFLICT], total: 1 }) })
    const current = await screen.findByRole('group', { name: 'Version that has the name' })
    expect(current).toHaveTextContent('Ben Okafor')
    expect(current).toHaveTextContent('Nov 18, 2026')
    expect(current).toHaveTextContent('13 bytes')
    const other = screen.getByRole('group', { name: 'Version that was kept beside it' })
    expect(other).toHaveTextContent('Former member')
    expect(other).toHaveTextContent('plan (conflict, Ada, 2026-11-18 08.00).txt')
  })

  it('compares the contents, without what a colleague has hidden in them', async () => {
    const server = open({
      [LIST]: () => ok({ rows: [CONFLICT], total: 1 }),
      'GET /api/connected-folders/preview': ({ url }) =>
        url.searchParams.get('side') === 'other'
          ? ok({ text: null, isCut: false, picture: null })
          : ok({ text: 'pay\u202e 100\n\tnow', isCut: true, picture: null }),
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Compare the contents' }))
    const current = within(screen.getByRole('group', { name: 'Version that has the name' }))
    expect((await current.findByRole('region')).textContent).toBe('pay\\u202e 100\n\tnow')
    expect(current.getByText('Only the beginning is shown.')).toBeVisible()
    expect(screen.getByText('There is no preview of this content.')).toBeVisible()
    expect(server.to('GET /api/connected-folders/preview')[0]?.url.searchParams.get('keptAs')).toBe(CONFLICT.other.path)
    await userEvent.click(screen.getByRole('button', { name: 'Hide the contents' }))
    expect(screen.queryByRole('region', { name: 'Version that has the name' })).toBeNull()
  })

  it('draws pictures, and says so where one is broken', async () => {
    const close = vi.fn()
    const drawImage = vi.fn()
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue({ drawImage } as never)
    vi.stubGlobal('createImageBitmap', ({ size }: Blob) =>
      size === 'picture'.length ? Promise.resolve({ width: 2400, height: 1200, close }) : Promise.reject(new Error()),
    )
    open({
      [LIST]: () => ok({ rows: [CONFLICT], total: 1 }),
      'GET /api/connected-folders/preview': ({ url }) =>
        ok({ text: null, isCut: false, picture: btoa(url.searchParams.get('side') === 'other' ? 'x' : 'picture') }),
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Compare the contents' }))
    const shown = await screen.findByRole<HTMLCanvasElement>('img', { name: 'Version that has the name' })
    await expect.poll(() => [shown.width, shown.height]).toEqual([1200, 600])
    expect(close).toHaveBeenCalledOnce()
    expect(await screen.findByText('There is no preview of this content.')).toBeVisible()
  })

  it.each([
    ['Keep this version of plan.txt: Version that has the name', 'current', 'plan.txt stays as it is.'],
    ['Keep this version of plan.txt: Version that was kept beside it', 'other', 'plan.txt is the other version now.'],
    ['Keep both versions of plan.txt', 'both', 'Both versions of plan.txt were kept.'],
  ])('lets somebody choose: %s', async (name, keep, told) => {
    let isResolved = false
    const server = open({
      [LIST]: () => ok(isResolved ? { rows: [], total: 0 } : { rows: [CONFLICT], total: 1 }),
      [RESOLVE]: () => {
        isResolved = true
        return ok({})
      },
    })
    await userEvent.click(await screen.findByRole('button', { name }))
    expect(await screen.findByText(new RegExp(told))).toBeVisible()
    expect(await screen.findByText('There are no conflicts')).toBeVisible()
    expect(server.to(RESOLVE)[0]?.body).toEqual({
      id: FOLDER.id,
      space: SPACE,
      path: 'laptop/plan.txt',
      keptAs: CONFLICT.other.path,
      keep,
      sequence: 7,
      otherSequence: 6,
    })
  })

  it('says that somebody was faster', async () => {
    open({ [LIST]: () => ok({ rows: [CONFLICT], total: 1 }), [RESOLVE]: () => fail(400, 'space_busy') })
    await userEvent.click(await screen.findByRole('button', { name: 'Keep both versions of plan.txt' }))
    expect(await screen.findByRole('alert')).toHaveTextContent('Somebody else has just changed the space.')
  })
})
