import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { fail, ok } from '@/testing/server'
import { aWarehouse, azure } from './clouds'
import { four, open, openRow, row, withLeader } from './open-page'

withLeader()

describe('the default warehouse', () => {
  // Specification: 2.66, 4.35
  it('is chosen by a tick, and cannot be unticked', async () => {
    const path = 'PUT /api/warehouse/default-warehouse/12'
    const { server, person } = open(four, { more: { [path]: () => ok(azure) } })
    const first = await openRow(person, 'Frankfurt archive')
    expect(first.getByRole('checkbox', { name: 'Default warehouse' })).toBeChecked()
    expect(first.getByRole('checkbox')).toBeDisabled()
    const second = await openRow(person, 'Azure')
    expect(second.getByRole('checkbox')).not.toBeChecked()
    await person.click(second.getByRole('checkbox'))
    expect(await screen.findByText('Warehouse Updated')).toBeVisible()
    expect(server.to(path)).toHaveLength(1)
    await waitFor(() => expect(server.to('GET /api/all').length).toBeGreaterThan(1))
  })

  // Specification: 8.42
  it('stays when the change fails', async () => {
    const { person } = open(four, { more: { 'PUT /api/warehouse/default-warehouse/12': () => fail(500, 'internal') } })
    const panel = await openRow(person, 'Azure')
    await person.click(panel.getByRole('checkbox'))
    expect(await screen.findByText('Could not Update Warehouse')).toBeVisible()
    expect(panel.getByRole('checkbox')).not.toBeChecked()
  })
})

describe('Republish Health File', () => {
  const path = 'POST /api/warehouse/health-check/13'

  // Specification: 2.69, 4.34
  it('is there only when Connected, and says what the server said', async () => {
    const { server, person } = open(four, { more: { [path]: () => new Response('Health file published just now.') } })
    const panel = await openRow(person, 'Zürich cold store')
    await person.click(panel.getByRole('button', { name: 'Republish Health File' }))
    expect(await screen.findByText('Health file published just now.')).toBeVisible()
    expect(server.to(path)).toHaveLength(1)
    for (const name of ['Frankfurt archive', 'Dropbox spare']) {
      expect((await openRow(person, name)).queryByRole('button', { name: 'Republish Health File' })).toBeNull()
    }
  })

  it('says the cause when it fails', async () => {
    const { person } = open(four, {
      more: { [path]: () => fail(502, 'warehouse_check_failed', 'Cannot reach the provider.') },
    })
    await person.click((await row('Zürich cold store')).getByRole('button', { name: 'Republish Health File' }))
    expect(await screen.findByText('Cannot reach the provider.')).toBeVisible()
  })
})

describe('removing', () => {
  it('is refused for the default one while others exist, with the reason', async () => {
    const { person } = open()
    const button = (await openRow(person, 'Frankfurt archive')).getByRole('button', { name: 'Remove' })
    expect(button).toBeDisabled()
    expect(button.parentElement).toHaveAccessibleDescription(
      'This is the default warehouse. Choose another default first.',
    )
  })

  it('is possible for the last one', async () => {
    const { person } = open([aWarehouse()])
    const panel = await openRow(person, 'Frankfurt archive')
    await person.click(panel.getByRole('button', { name: 'Remove' }))
    expect(await screen.findByRole('alertdialog')).toHaveTextContent(
      'No warehouses remain. The service requires at least 3.',
    )
  })

  it('asks, and does not warn while enough remain', async () => {
    const { server, person } = open(four, { more: { 'DELETE /api/warehouse/14': () => ok() } })
    await person.click((await openRow(person, 'Dropbox spare')).getByRole('button', { name: 'Remove' }))
    const dialog = await screen.findByRole('alertdialog', { name: 'Remove Dropbox spare?' })
    expect(dialog).not.toHaveTextContent('The service requires at least')
    await person.click(within(dialog).getByRole('button', { name: 'Remove warehouse' }))
    expect(await screen.findByText('Warehouse Removed')).toBeVisible()
    expect(server.to('DELETE /api/warehouse/14')).toHaveLength(1)
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Dropbox spare' })).toBeNull())
  })

  it('warns when fewer than three Active ones would remain', async () => {
    const { person } = open()
    await person.click((await openRow(person, 'Azure')).getByRole('button', { name: 'Remove' }))
    expect(await screen.findByRole('alertdialog')).toHaveTextContent('Only 1 Active warehouse remains.')
  })

  it('warns when fewer than three would remain, and says why it failed', async () => {
    const { person } = open([aWarehouse(), azure, aWarehouse({ id: 15, nickName: 'Third', isDefault: false })], {
      more: { 'DELETE /api/warehouse/15': () => fail(500, 'internal') },
    })
    await person.click((await openRow(person, 'Third')).getByRole('button', { name: 'Remove' }))
    const dialog = await screen.findByRole('alertdialog', { name: 'Remove Third?' })
    expect(dialog).toHaveTextContent('Only 2 warehouses remain. The service requires at least 3.')
    await person.click(within(dialog).getByRole('button', { name: 'Remove warehouse' }))
    expect(await screen.findByText('Could not Remove Warehouse')).toBeVisible()
    expect(dialog).toBeInTheDocument()
  })
})

describe('the new encryption key', () => {
  // Specification: 1.12, 2.68, 8.20
  it('is made after a confirmation that says what it does', async () => {
    const { server, person } = open(four, {
      more: { 'PUT /api/company/newkey': () => ok({ keyVersion: 3, warehouses: 4 }) },
    })
    await person.click(await screen.findByRole('button', { name: 'New encryption key' }))
    const dialog = await screen.findByRole('alertdialog', { name: 'Generate a new encryption key?' })
    expect(dialog).toHaveTextContent('The credentials of 4 warehouses are re-encrypted with a new key')
    expect(server.to('PUT /api/company/newkey')).toHaveLength(0)
    await person.click(within(dialog).getByRole('button', { name: 'Generate new key' }))
    expect(await screen.findByText('All Database Entries Encrypted With New Key')).toBeVisible()
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  })

  // Specification: 8.43
  it('says when it failed', async () => {
    const { person } = open(four, { more: { 'PUT /api/company/newkey': () => fail(500, 'internal') } })
    await person.click(await screen.findByRole('button', { name: 'New encryption key' }))
    await person.click(await screen.findByRole('button', { name: 'Generate new key' }))
    expect(await screen.findByText('Could not Generate New Key')).toBeVisible()
  })
})

describe('removing a warehouse that holds pieces of files', () => {
  const held = { shards: 4, bytes: 20_000_000, isPossible: true, isUnderWay: false }
  const path = '/api/storage/warehouses/14/relocation'
  const begin = async (relocation: object, more = {}) => {
    const opened = open(four, {
      more: {
        [`GET ${path}`]: () => ok(relocation),
        [`POST ${path}`]: () => ok({ ...held, isUnderWay: true }),
        'DELETE /api/warehouse/14': () => ok(),
        ...more,
      },
    })
    await opened.person.click((await openRow(opened.person, 'Dropbox spare')).getByRole('button', { name: 'Remove' }))
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Remove Dropbox spare?' }))
    await dialog.findByText('4 pieces of your files (20 MB) are stored here.')
    return { ...opened, dialog }
  }

  it('moves them first', async () => {
    const { server, person, dialog } = await begin(held)
    expect(dialog.getByRole('button', { name: 'Remove warehouse' })).toBeDisabled()
    server.handlers[`GET ${path}`] = () => ok({ ...held, isUnderWay: true })
    await person.click(dialog.getByRole('button', { name: 'Move them first (20 MB to read)' }))
    expect(await dialog.findByText(/They are being moved/)).toBeVisible()
    expect(server.to(`POST ${path}`)).toHaveLength(1)
  })

  it('is not offered before it is known whether there are any', async () => {
    let answer: (response: Response) => void = () => {}
    const { person } = open(four, {
      more: { [`GET ${path}`]: () => new Promise<Response>((resolve) => (answer = resolve)) },
    })
    await person.click((await openRow(person, 'Dropbox spare')).getByRole('button', { name: 'Remove' }))
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Remove Dropbox spare?' }))
    expect(dialog.getByRole('status')).toHaveTextContent('Checking for pieces of your files…')
    expect(dialog.getByRole('button', { name: 'Remove warehouse' })).toBeDisabled()
    answer(ok({ ...held, shards: 0, bytes: 0 }))
    await waitFor(() => expect(dialog.getByRole('button', { name: 'Remove warehouse' })).toBeEnabled())
    expect(dialog.queryByRole('status')).toBeNull()
  })

  it('is not offered when that cannot be found out, until a retry succeeds', async () => {
    const { server, person } = open(four, { more: { [`GET ${path}`]: () => fail(500, 'internal') } })
    await person.click((await openRow(person, 'Dropbox spare')).getByRole('button', { name: 'Remove' }))
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Remove Dropbox spare?' }))
    expect(await dialog.findByRole('alert')).toHaveTextContent('Could not check for pieces of your files.')
    expect(dialog.getByRole('button', { name: 'Remove warehouse' })).toBeDisabled()
    server.handlers[`GET ${path}`] = () => ok({ ...held, shards: 0, bytes: 0 })
    await person.click(dialog.getByRole('button', { name: 'Retry' }))
    await waitFor(() => expect(dialog.getByRole('button', { name: 'Remove warehouse' })).toBeEnabled())
    expect(dialog.queryByRole('alert')).toBeNull()
  })

  it('gives them up when that is confirmed', async () => {
    const { server, person, dialog } = await begin({ ...held, isPossible: false })
    expect(dialog.getByText(/connect another warehouse first/)).toBeVisible()
    await person.click(dialog.getByRole('checkbox', { name: /give these pieces up/ }))
    await person.click(dialog.getByRole('button', { name: 'Remove warehouse' }))
    expect(await screen.findByText('Warehouse Removed')).toBeVisible()
    expect(server.to('DELETE /api/warehouse/14')[0]?.url.searchParams.get('loseData')).toBe('true')
  })
})
