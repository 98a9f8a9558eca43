import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { fillIn } from '@/testing/fill-in'
import { inventedProvider, providers } from '@/testing/providers'
import { fail, ok } from '@/testing/server'
import { aWarehouse, detailsOf, refused, s3Details } from './clouds'
import { four, header, open, openRow, row, withLeader } from './open-page'

withLeader()

const cause = 'The provider does not accept the key.'

async function openForm(more: Parameters<typeof open>[1] = {}) {
  const { server, person } = open(four, more)
  await person.click(await screen.findByRole('button', { name: 'Add warehouse' }))
  const dialog = await screen.findByRole('dialog', { name: 'Add a warehouse' })
  await within(dialog).findByRole('radio', { name: 'AWS S3' })
  return { server, person, dialog: within(dialog) }
}

type Inside = Awaited<ReturnType<typeof row>>

const labelled = (dialog: Inside, label: string) => dialog.getByLabelText(new RegExp(`^${label}$`))

async function fillS3(dialog: Inside, secret = 'right') {
  const person = userEvent.setup()
  const values = {
    'Bucket Name': 'tiles',
    Region: 'eu-central-1',
    'Account Key': 'AKIA',
    Secret: secret,
    Path: '/vault',
  }
  for (const [label, value] of Object.entries(values)) await fillIn(person, labelled(dialog, label), value)
}

describe('adding a warehouse', () => {
  // Specification: 2.99, 3.9, 3.12, 3.13, 3.14, 3.15, 5.32, 5.33, 5.34, 5.35, 5.36, 9.14
  it.each([
    ['AWS S3', ['Bucket Name', 'Region', 'Account Key', 'Secret', 'Path'], [], '#aws-s3'],
    ['Azure', ['Application Name', 'Path', 'Connection String'], [], '#azure'],
    ['Dropbox', ['Access Token', 'Path'], ['App Key', 'App Secret', 'Refresh Token'], '#dropbox'],
    [
      'Google Cloud',
      ['Bucket Name', 'Project Id', 'Client Email', 'Client Id', 'Private Key Id', 'Private Key', 'Client Cert URL'],
      ['Path'],
      '#google-cloud',
    ],
  ])('asks for what %s needs', async (type, required, optional, section) => {
    const { person, dialog } = await openForm()
    expect(dialog.getByRole('radio', { name: 'AWS S3' })).toBeChecked()
    await person.click(dialog.getByRole('radio', { name: type }))
    for (const label of required) expect(labelled(dialog, label)).toBeRequired()
    for (const label of ['Nickname \\(optional\\)', ...optional]) expect(labelled(dialog, label)).not.toBeRequired()
    const button = dialog.getByRole('button', { name: 'Add and test' })
    expect(button).toBeDisabled()
    expect(button.parentElement).toHaveAccessibleDescription(`Missing: ${required.join(', ')}`)
    expect(dialog.getByRole('link', { name: 'View the steps' })).toHaveAttribute('href', `/faq${section}`)
  })

  it('takes an app and its refresh token instead of an access token', async () => {
    const { server, person, dialog } = await openForm({
      more: { 'POST /api/warehouse': () => ok(aWarehouse({ id: 20 })) },
    })
    await person.click(dialog.getByRole('radio', { name: 'Dropbox' }))
    await fillIn(person, labelled(dialog, 'App Key'), 'n0rthw1nd')
    expect(labelled(dialog, 'Access Token')).not.toBeRequired()
    const button = dialog.getByRole('button', { name: 'Add and test' })
    expect(button.parentElement).toHaveAccessibleDescription('Missing: App Secret, Refresh Token, Path')
    const rest = { 'App Secret': 'hidden', 'Refresh Token': 'lasting', Path: 'tessera' }
    for (const [label, value] of Object.entries(rest)) await fillIn(person, labelled(dialog, label), value)
    await person.click(button)
    expect(await screen.findByText('Warehouse Added')).toBeVisible()
    expect(server.to('POST /api/warehouse')[0]!.body).toMatchObject({
      wareHouseId: 1,
      appKey: 'n0rthw1nd',
      appSecret: 'hidden',
      refreshToken: 'lasting',
      accessToken: '',
    })
  })

  it('names the two keys of AWS as AWS does', async () => {
    const { dialog } = await openForm()
    expect(labelled(dialog, 'Account Key')).toHaveAccessibleDescription('AWS calls this “Access key ID”.')
    expect(labelled(dialog, 'Secret')).toHaveAccessibleDescription('AWS calls this “Secret access key”.')
  })

  // Specification: 2.67, 8.18
  it('sends only what belongs to the type', async () => {
    const { server, person, dialog } = await openForm({
      more: { 'POST /api/warehouse': () => ok(aWarehouse({ id: 20 })) },
    })
    await person.click(dialog.getByRole('radio', { name: 'Dropbox' }))
    await fillIn(person, labelled(dialog, 'Access Token'), 'left-over')
    await person.click(dialog.getByRole('radio', { name: 'AWS S3' }))
    await fillS3(dialog)
    await fillIn(person, labelled(dialog, 'Nickname \\(optional\\)'), ' Oslo ')
    await person.click(dialog.getByRole('button', { name: 'Add and test' }))
    expect(await screen.findByText('Warehouse Added')).toBeVisible()
    expect(server.to('POST /api/warehouse')[0]!.body).toEqual({
      wareHouseId: 3,
      nickName: 'Oslo',
      bucketName: 'tiles',
      region: 'eu-central-1',
      accountKey: 'AKIA',
      secret: 'right',
      path: '/vault',
    })
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await waitFor(() => expect(server.to('GET /api/all').length).toBeGreaterThan(1))
  })

  it.each([false, true])('says whether browsers may read for shares: %s', async (letsBrowsersRead) => {
    const { server, person, dialog } = await openForm({
      more: {
        'POST /api/warehouse/test': () => ok({ connected: true, error: null, errorCode: null, letsBrowsersRead }),
      },
    })
    await fillS3(dialog, 'right')
    await person.click(dialog.getByRole('button', { name: 'Test connection' }))
    expect(await dialog.findByRole('status')).toHaveTextContent('works')
    const hint = dialog.queryByText(/Browsers cannot read from this cloud/)
    expect(hint === null).toBe(letsBrowsersRead)
    if (hint) expect(dialog.getByRole('link', { name: 'How to allow it' })).toHaveAttribute('href', '/faq#aws-s3')
    expect(server.to('POST /api/warehouse')).toHaveLength(0)
  })

  it('saves nothing that does not connect, unless told to', async () => {
    let connected = false
    const { server, person, dialog } = await openForm({
      more: {
        'POST /api/warehouse/test': () =>
          ok(
            connected
              ? { connected, error: null, errorCode: null }
              : { connected, error: cause, errorCode: 'wrong_key' },
          ),
        'POST /api/warehouse': () => ok(aWarehouse({ id: 20 })),
      },
    })
    await fillS3(dialog, 'wrong')
    await person.click(dialog.getByRole('button', { name: 'Add and test' }))
    expect(await dialog.findByRole('alert')).toHaveTextContent(`${cause} Nothing is saved yet.`)
    expect(screen.queryByText('Warehouse Added')).toBeNull()
    expect(server.to('POST /api/warehouse')).toHaveLength(0)
    connected = true
    await person.clear(labelled(dialog, 'Secret'))
    await fillIn(person, labelled(dialog, 'Secret'), 'right')
    await person.click(dialog.getByRole('button', { name: 'Add and test' }))
    expect(await screen.findByText('Warehouse Added')).toBeVisible()
    expect(server.to('POST /api/warehouse')).toHaveLength(1)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('is saved anyway, with a warning and no success', async () => {
    const stored = aWarehouse({ id: 20, status: 0, lastError: cause, lastErrorCode: 'wrong_key' })
    const { server, person, dialog } = await openForm({
      more: {
        'POST /api/warehouse/test': () => ok({ connected: false, error: cause, errorCode: 'wrong_key' }),
        'POST /api/warehouse': () => ok(stored),
      },
    })
    await fillS3(dialog, 'wrong')
    await person.click(dialog.getByRole('button', { name: 'Add and test' }))
    await person.click(await dialog.findByRole('button', { name: 'Save anyway' }))
    expect(await screen.findByText('Warehouse saved, but not connected')).toBeVisible()
    expect(screen.queryByText('Warehouse Added')).toBeNull()
    expect(server.to('POST /api/warehouse')).toHaveLength(1)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('tests the connection alone', async () => {
    const { server, person, dialog } = await openForm()
    expect(dialog.getByRole('button', { name: 'Test connection' })).toBeDisabled()
    await fillS3(dialog)
    await person.click(dialog.getByRole('button', { name: 'Test connection' }))
    expect(await dialog.findByText('The connection to AWS S3 works.')).toBeVisible()
    expect(server.to('POST /api/warehouse')).toHaveLength(0)
  })

  // Specification: 7.37
  it('warns Processing... when the provider is slow', async () => {
    const slow = aWarehouse({ id: 20, status: 0, checking: true })
    const { dialog, person } = await openForm({
      more: { 'POST /api/warehouse': () => Response.json(slow, { status: 202 }) },
    })
    await fillS3(dialog)
    await person.click(dialog.getByRole('button', { name: 'Add and test' }))
    expect(await screen.findByText('Processing...')).toBeVisible()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('says what it is doing meanwhile, and is not sent twice', async () => {
    let answer: (response: Response) => void = () => undefined
    const { server, person, dialog } = await openForm({
      more: { 'POST /api/warehouse': () => new Promise((resolve) => (answer = resolve)) },
    })
    await fillS3(dialog)
    await person.click(dialog.getByRole('button', { name: 'Add and test' }))
    expect(await dialog.findByText('Testing the connection to AWS S3…')).toBeVisible()
    expect(dialog.getByRole('button', { name: 'Add and test' })).toBeDisabled()
    expect(dialog.getByRole('button', { name: 'Cancel' })).toBeDisabled()
    answer(ok(aWarehouse({ id: 20 })))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(server.to('POST /api/warehouse')).toHaveLength(1)
  })

  // Specification: 8.41
  it('puts the server’s words beside their field, or says its own', async () => {
    let answer = () => fail(422, 'invalid', '', { fields: { bucketName: 'This is no bucket name.' } })
    const { person, dialog } = await openForm({ more: { 'POST /api/warehouse': () => answer() } })
    await fillS3(dialog)
    await person.click(dialog.getByRole('button', { name: 'Add and test' }))
    expect(await dialog.findByText('This is no bucket name.')).toBeVisible()
    expect(labelled(dialog, 'Bucket Name')).toHaveAttribute('aria-invalid', 'true')
    answer = () => fail(500, 'internal')
    await person.type(labelled(dialog, 'Bucket Name'), 's')
    await person.click(dialog.getByRole('button', { name: 'Add and test' }))
    expect(await screen.findByText('Could not add Warehouse')).toBeVisible()
  })

  it('fills the fields from a key file of Google', async () => {
    const { person, dialog } = await openForm()
    await person.click(dialog.getByRole('radio', { name: 'Google Cloud' }))
    const paste = labelled(dialog, 'Service account JSON \\(optional\\)')
    await person.click(paste)
    await person.paste('{ "half": ')
    expect(await dialog.findByText('This is not a service account key file.')).toBeVisible()
    await person.clear(paste)
    const file = {
      type: 'service_account',
      project_id: 'tiles-1',
      private_key_id: 'ab12',
      private_key: '-----BEGIN PRIVATE KEY-----\nMII\n-----END PRIVATE KEY-----\n',
      client_email: 'tiles@tiles-1.iam.gserviceaccount.com',
      client_id: '1234567',
      client_x509_cert_url: 'https://www.googleapis.com/robot/v1/metadata/x509/tiles',
    }
    await person.paste(JSON.stringify(file))
    expect(await dialog.findByText('6 fields filled in')).toBeVisible()
    expect(labelled(dialog, 'Client Email')).toHaveValue(file.client_email)
    expect(labelled(dialog, 'Private Key')).toHaveValue(file.private_key)
    expect(labelled(dialog, 'Client Cert URL')).toHaveValue(file.client_x509_cert_url)
    expect(paste).toHaveValue('')
  })
})

describe('a provider that only the service knows', () => {
  it('gets its form from the description', async () => {
    const { server, person, dialog } = await openForm({
      more: {
        'GET /api/providers': () => ok([...providers, inventedProvider]),
        'POST /api/warehouse': () => ok(aWarehouse({ id: 20 })),
      },
    })
    await person.click(dialog.getByRole('radio', { name: 'Attic Disks' }))
    expect(dialog.getByRole('link', { name: 'View the steps' })).toHaveAttribute('href', '/faq#attic-disks')
    const button = dialog.getByRole('button', { name: 'Add and test' })
    expect(button.parentElement).toHaveAccessibleDescription('Missing: Shelf, Padlock, Ticket')
    expect(labelled(dialog, 'Shelf')).toHaveAccessibleDescription('The number on the door.')
    expect(labelled(dialog, 'Padlock')).toHaveAttribute('type', 'password')
    await person.click(labelled(dialog, 'Ticket file'))
    await person.paste('{ "ticket_text": "mine" }')
    expect(labelled(dialog, 'Ticket').tagName).toBe('TEXTAREA')
    expect(labelled(dialog, 'Ticket')).toHaveValue('mine')
    await fillIn(person, labelled(dialog, 'Shelf'), 'north')
    await fillIn(person, labelled(dialog, 'Padlock'), '1234')
    await person.click(button)
    expect(await screen.findByText('Warehouse Added')).toBeVisible()
    expect(server.to('POST /api/warehouse')[0]!.body).toEqual({
      wareHouseId: 77,
      nickName: null,
      shelf: 'north',
      padlock: '1234',
      ticket: 'mine',
      path: '',
    })
  })

  it('has its name and values in the list, under a neutral mark', async () => {
    const attic = aWarehouse({ id: 30, wareHouseId: 77, typeName: 'Attic Disks', nickName: null })
    const { person } = open([attic], {
      more: {
        'GET /api/providers': () => ok([...providers, inventedProvider]),
        'GET /api/warehouse': () => ok({ ...detailsOf(attic), shelf: 'north', padlock: '••••••••' }),
      },
    })
    const panel = await openRow(person, 'Attic Disks')
    expect(await panel.findByText('north')).toBeVisible()
    expect(panel.getByRole('button', { name: 'Show Padlock' })).toBeVisible()
    expect(panel.queryByText('••••••••')).toBeNull()
    expect(document.querySelector('[data-type="77"] svg path')).not.toBeNull()
  })

  it('says so when the descriptions cannot be loaded, and tries again', async () => {
    const { server, person } = open(four, { more: { 'GET /api/providers': () => fail(503, 'busy', 'Back soon.') } })
    await person.click(await screen.findByRole('button', { name: 'Add warehouse' }))
    expect(await screen.findByRole('alert')).toHaveTextContent('Back soon.')
    server.handlers['GET /api/providers'] = () => ok(providers)
    await person.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await screen.findByRole('radio', { name: 'AWS S3' })).toBeChecked()
  })
})

describe('editing a warehouse', () => {
  // Specification: 2.65, 2.99, 4.36, 8.19
  it('shares the form, with the type locked and what is stored filled in', async () => {
    const { server, person } = open(four, {
      more: { 'PUT /api/warehouse': () => ok(aWarehouse({ nickName: 'Oslo' })) },
    })
    const panel = await openRow(person, 'Frankfurt archive')
    await person.click(panel.getByRole('button', { name: 'Edit' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit warehouse' }))
    expect(dialog.getByText('The type cannot be changed.')).toBeVisible()
    expect(dialog.queryByRole('radio')).toBeNull()
    expect(labelled(dialog, 'Secret')).toHaveValue(s3Details.secret)
    expect(labelled(dialog, 'Secret')).toHaveAttribute('type', 'password')
    await person.clear(labelled(dialog, 'Region'))
    await fillIn(person, labelled(dialog, 'Region'), 'eu-west-1')
    await person.click(dialog.getByRole('button', { name: 'Save and test' }))
    expect(await screen.findByText('Warehouse Updated')).toBeVisible()
    expect(server.to('PUT /api/warehouse')[0]!.body).toMatchObject({ id: 11, wareHouseId: 3, region: 'eu-west-1' })
    expect(await screen.findByText('eu-west-1')).toBeInTheDocument()
    expect(server.to('GET /api/warehouse').map(({ url }) => url.searchParams.get('view'))).toEqual(['masked', 'edit'])
  })

  // Specification: 8.42
  it('is at hand beside the cause of a failure', async () => {
    const details = detailsOf(refused, { accessToken: 'wrong', path: '/spare' })
    const { person } = open(four, {
      more: {
        'GET /api/warehouse': () => ok(details),
        'PUT /api/warehouse': () => fail(409, 'conflict', ''),
      },
    })
    expect((await row('Dropbox spare')).getByText(cause)).toBeVisible()
    await person.click(await header('Edit Dropbox spare'))
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit warehouse' }))
    expect(dialog.getByRole('alert')).toHaveTextContent(`Not connected: ${cause}`)
    expect(labelled(dialog, 'Access Token')).toHaveValue('wrong')
    await person.click(dialog.getByRole('button', { name: 'Save and test' }))
    expect(await screen.findByText('Could not Update Warehouse')).toBeVisible()
  })
})
