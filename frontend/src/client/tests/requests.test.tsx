import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { fail, ok, serve } from '@/testing/server'
import { showClient, SPACE } from './show-client'

const RULES = { isAllowed: true, maxDays: 30, maxFiles: 4000, maxBytes: 1e12 }
const MADE = { link: 'https://share.test/r/1#1.secret', expires: Date.UTC(2026, 10, 23, 12) }
const ARRIVAL = { id: 'a-1', bytes: 2_000_000, arrived: Date.UTC(2026, 10, 17, 12) }
const REQUEST = {
  id: 'r-1',
  title: 'Tax documents',
  place: { space: SPACE, name: 'Designs', folder: 'Taxes' },
  link: MADE.link,
  author: 'Omar Haddad',
  isOwn: false,
  state: 'open',
  isForged: false,
  accepted: 2,
  expires: MADE.expires,
  arrivals: [ARRIVAL],
}

describe('requests for files', () => {
  it('begin with a link to what is needed', async () => {
    const { to } = serve({
      'GET /api/requests': () => ok([]),
      'GET /api/requests/rules': () => ok({ ...RULES, maxDays: 3 }),
      'POST /api/requests': () => ok(MADE),
    })
    showClient('/requests')
    await userEvent.click(await screen.findByRole('button', { name: 'Request files' }))
    const dialog = await screen.findByRole('dialog')
    const create = await within(dialog).findByRole('button', { name: 'Create link' })
    expect(create).toBeDisabled()
    await userEvent.type(within(dialog).getByRole('textbox', { name: 'What do you need?' }), 'Scans')
    await userEvent.type(within(dialog).getByRole('textbox', { name: 'Folder' }), '/Taxes/')
    expect(within(dialog).getByRole('spinbutton', { name: 'Days' })).toHaveValue(3)
    await userEvent.click(create)
    expect(await screen.findByText(MADE.link)).toBeVisible()
    expect(to('POST /api/requests')[0]?.body).toEqual({
      title: 'Scans',
      space: SPACE,
      folder: 'Taxes',
      days: 3,
      files: 100,
      bytes: 1_000_000_000,
    })
  })

  it('go to a space that was created while the dialog opened', async () => {
    const { to } = serve({
      'GET /api/requests': () => ok([]),
      'GET /api/requests/rules': () => ok(RULES),
      'POST /api/requests': () => ok(MADE),
    })
    const { show } = showClient('/requests', { spaces: [] })
    await userEvent.click(await screen.findByRole('button', { name: 'Request files' }))
    const dialog = await screen.findByRole('dialog')
    await userEvent.type(await within(dialog).findByRole('textbox', { name: 'What do you need?' }), 'Scans')
    show({})
    await userEvent.click(within(dialog).getByRole('button', { name: 'Create link' }))
    expect(await screen.findByText(MADE.link)).toBeVisible()
    expect(to('POST /api/requests')[0]?.body).toMatchObject({ space: SPACE })
  })

  it('name one that somebody made up', async () => {
    serve({ 'GET /api/requests': () => ok([{ ...REQUEST, title: null, place: null, link: null, isForged: true }]) })
    showClient('/requests')
    expect(await screen.findByRole('heading', { name: /nobody who has the keys/ })).toBeVisible()
    expect(screen.queryByRole('button', { name: /^Accept what/ })).toBeNull()
  })

  it('say that the leader forbids them', async () => {
    serve({
      'GET /api/requests': () => ok([]),
      'GET /api/requests/rules': () => ok({ ...RULES, isAllowed: false }),
    })
    showClient('/requests')
    await userEvent.click(await screen.findByRole('button', { name: 'Request files' }))
    expect(await screen.findByText('Your team leader does not allow requests for files.')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Create link' })).toBeNull()
  })

  it('show what has come as from outside, and accept it', async () => {
    const { to } = serve({
      'GET /api/requests': () => ok([REQUEST]),
      'POST /api/requests/accept': () => ok({ paths: ['Taxes/a', 'Taxes/b'], failed: [] }),
    })
    showClient('/requests')
    expect(await screen.findByRole('heading', { name: 'Tax documents' })).toBeVisible()
    expect(screen.getByText('Designs:/Taxes')).toBeVisible()
    expect(screen.getByText(/^From outside\. Nobody knows who sent it/)).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: /Accept what arrived/ }))
    expect(await screen.findByText('2 files are in the space')).toBeVisible()
    expect(to('POST /api/requests/accept')[0]?.body).toEqual({ arrival: 'a-1' })
  })

  it('name what could not be stored, and why nothing was', async () => {
    let answer = ok({ paths: [], failed: [{ path: 'Taxes/con', reason: 'bad name' }] })
    serve({ 'GET /api/requests': () => ok([REQUEST]), 'POST /api/requests/accept': () => answer })
    showClient('/requests')
    const accept = await screen.findByRole('button', { name: /Accept what arrived/ })
    await userEvent.click(accept)
    expect(await screen.findByText('Taxes/con')).toBeVisible()
    answer = fail(400, 'arrival_damaged', 'What was sent is damaged.')
    await userEvent.click(accept)
    expect(await screen.findByText('What was sent is damaged.')).toBeVisible()
  })

  it('refuse what has come and end after a question', async () => {
    const { to } = serve({
      'GET /api/requests': () =>
        ok([REQUEST, { ...REQUEST, id: 'r-2', state: 'superseded', link: null, arrivals: [] }]),
      'POST /api/requests/refuse': () => ok(null),
      'POST /api/requests/end': () => ok(null),
    })
    showClient('/requests')
    await userEvent.click(await screen.findByRole('button', { name: /Refuse what arrived/ }))
    await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Refuse' }))
    expect(await screen.findByText('The files were refused')).toBeVisible()
    expect(to('POST /api/requests/refuse')[0]?.body).toEqual({ arrival: 'a-1' })
    // The other one cannot be used any more.
    await userEvent.click(screen.getByRole('button', { name: 'End the request “Tax documents”' }))
    await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'End' }))
    expect(await screen.findByText('The request has ended')).toBeVisible()
    expect(to('POST /api/requests/end')[0]?.body).toEqual({ request: 'r-1' })
  })

  it('hide titles of spaces that are not one’s own', async () => {
    serve({ 'GET /api/requests': () => ok([{ ...REQUEST, title: null, place: null, link: null }]) })
    showClient('/requests')
    expect(await screen.findByText('Of a space that you are not a member of')).toBeVisible()
    expect(screen.queryByRole('button', { name: /Accept/ })).toBeNull()
  })

  it('say that they could not be loaded', async () => {
    serve({ 'GET /api/requests': () => fail(503, 'unreachable', '') })
    showClient('/requests')
    expect(
      await screen.findByText('The service cannot be reached. Check the address and your connection.'),
    ).toBeVisible()
  })
})
