import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { sessionStore } from '@/api/session'
import { renderWithProviders } from '@/testing/render'
import { fail, ok, serve } from '@/testing/server'
import { aLeader } from '@/testing/users'
import type {
  FileRequest,
  FormerMember,
  Health,
  Repair,
  Restore,
  Share,
  SharePolicy,
  StorageDevice,
  Usage,
} from '../api'
import { scaleOf } from '../page/MonthChart'
import StoragePage from '../StoragePage'
import StorageSection from '../StorageSection'

const GB = 1_000_000_000

const aUsage: Usage = {
  quota: 25 * GB,
  used: 16.4 * GB,
  reserved: 0,
  left: 8.6 * GB,
  share: 2.2 * GB,
  startsAt: '2026-11-01T00:00:00Z',
  renewsAt: '2026-12-01T00:00:00Z',
  stored: 72 * GB,
  storedCoded: 95.4 * GB,
  months: [
    { startsAt: '2026-10-01T00:00:00Z', bytes: 18.6 * GB },
    { startsAt: '2026-11-01T00:00:00Z', bytes: 16.4 * GB },
  ],
  members: [
    { uuid: '1', name: 'Ada Lindqvist', bytes: 5.9 * GB, reserved: 0 },
    { uuid: '2', name: '', bytes: GB, reserved: 0 },
  ],
  warehouses: [{ id: 1, name: 'Frankfurt', type: 3, shards: 4620, bytes: 24 * GB, missing: 0 }],
}

const frankfurt = {
  id: 1,
  name: 'Frankfurt',
  type: 3,
  typeName: 'AWS S3',
  status: 2,
  lastCheck: null,
  isPlaced: true,
} as const
const aHealth: Health = {
  warehouses: [{ ...frankfurt, shards: 4620, missing: 114 }],
  recovery: {
    recordCounter: 1,
    recordTime: '2026-11-01T00:00:00Z',
    kitCounter: 1,
    isKitConfirmed: true,
    isKitCurrent: true,
    spacesWithFormerPair: 0,
  },
  removals: 0,
  packs: 5000,
  notSafe: 0,
  degraded: 0,
  lost: 0,
}

const aRepair: Repair = {
  id: 1,
  startedAt: '2026-11-16T06:00:00Z',
  finishedAt: null,
  packs: 312,
  repaired: 198,
  failed: 2,
  bytesRead: 1,
  bytesWritten: 1,
}

const laptop: StorageDevice = {
  id: 7,
  userUuid: 'u-2',
  userName: 'Omar Haddad',
  name: 'Laptop',
  system: 'Linux',
  version: '0.7.7',
  startedAt: '2026-11-01T00:00:00Z',
  lastUsedAt: new Date(Date.now() - 3_600_000).toISOString(),
}

const noRestore: Restore = { beganAt: null, readAt: null, closedAt: null, entries: 0, spaces: 2, waiting: [] }

type State = {
  usage?: Usage
  health?: Health
  repairs?: Repair[]
  devices?: StorageDevice[]
  waiting?: object[]
  former?: FormerMember[]
  shares?: Share[]
  policy?: SharePolicy
  requests?: FileRequest[] | 'broken'
  requestPolicy?: SharePolicy
  restore?: Partial<Restore>
}

function serveStorage({
  usage = aUsage,
  health = aHealth,
  repairs = [],
  devices = [],
  waiting = [],
  former = [],
  shares = [],
  policy = { isAllowed: true, maxDays: 30 },
  requests = [],
  requestPolicy = { isAllowed: true, maxDays: 30 },
  restore = {},
}: State = {}) {
  return serve({
    'GET /api/storage/removals': () => ok({ members: former }),
    'GET /api/storage/restore': () => ok({ ...noRestore, ...restore }),
    'GET /api/storage/usage': () => ok(usage),
    'GET /api/storage/health': () => ok(health),
    'GET /api/storage/repairs': () => ok({ repairs }),
    'GET /api/storage/waiting': () => ok({ members: waiting }),
    'GET /api/storage/devices': () => ok({ devices }),
    'DELETE /api/user/u-2/client-sessions/7': () => ok(),
    'GET /api/storage/shares': () => ok({ shares }),
    'GET /api/storage/share-policy': () => ok(policy),
    'DELETE /api/storage/shares/s-1': () => ok(),
    'PUT /api/storage/share-policy': () => ok(policy),
    'GET /api/storage/requests': () =>
      requests === 'broken' ? fail(503, 'unavailable', '') : ok({ origin: 'https://share.test', requests }),
    'GET /api/storage/request-policy': () => ok(requestPolicy),
    'DELETE /api/storage/requests/r-1': () => ok(),
    'PUT /api/storage/request-policy': () => ok(requestPolicy),
  })
}

function open(state: State = {}) {
  const server = serveStorage(state)
  renderWithProviders(<StoragePage />, { path: '/storage', withToasts: true })
  return server
}

beforeEach(() => sessionStore.signIn('t', aLeader()))
afterEach(() => {
  sessionStore.signOut('expired')
  vi.unstubAllGlobals()
})

describe('the storage page', () => {
  it('shows uploads against the plan, months, members and warehouses', async () => {
    open({ waiting: [{ uuid: '3', name: 'Zoë Haddad', since: '2026-11-10T00:00:00Z' }] })
    expect(screen.getByRole('status', { name: 'Loading storage…' })).toBeVisible()
    const uploaded = await screen.findByRole('region', { name: 'Uploaded in November' })
    expect(uploaded).toHaveTextContent('16.4 GB of 25 GB')
    expect(uploaded).toHaveTextContent('8.6 GB left')
    expect(screen.getByRole('region', { name: 'Stored' })).toHaveTextContent('95.4 GB in 1 cloud')
    const months = within(screen.getByRole('region', { name: /Uploads by month/ })).getAllByRole('listitem')
    expect(months.map((month) => month.textContent)).toEqual(['October: 18.6 GBOct', 'November: 16.4 GBNov'])
    const members = screen.getByRole('region', { name: /By member/ })
    expect(members).toHaveTextContent('Ada Lindqvist5.9 GB')
    expect(members).toHaveTextContent('Removed member1 GB')
    expect(members).toHaveTextContent('Zoë HaddadWaiting for access')
    expect(screen.getByRole('row', { name: /Frankfurt/ })).toHaveTextContent('Active4,62024 GB114')
  })

  it('shows the uploads under way of each member and how many one may have', async () => {
    const [ada, removed] = aUsage.members
    open({ usage: { ...aUsage, reserved: GB, members: [{ ...ada!, reserved: GB }, removed!] } })
    const members = await screen.findByRole('region', { name: /By member/ })
    expect(members).toHaveTextContent('Ada Lindqvist5.9 GB + 1 GB under way')
    expect(members).toHaveTextContent('Removed member1 GB')
    expect(members).toHaveTextContent('Each member may have up to 2.2 GB under way at once.')
  })

  it('compares small months with each other instead of with the plan', async () => {
    const months = aUsage.months.map(({ startsAt, bytes }) => ({ startsAt, bytes: bytes / 1000 }))
    open({ usage: { ...aUsage, months } })
    const chart = await screen.findByRole('region', { name: 'Uploads by month' })
    expect(chart).toHaveTextContent('in MB, before spares')
    expect(within(chart).getAllByRole('listitem')[0]).toHaveTextContent('October: 18.6 MBOct')
    expect(chart).not.toHaveTextContent('Plan')
  })

  it('leads to the client while nothing is stored', async () => {
    open({ usage: { ...aUsage, stored: 0, months: [] } })
    expect(await screen.findByRole('heading', { name: 'Nothing stored yet' })).toBeVisible()
    expect(screen.getAllByRole('link', { name: 'Download client' })[1]).toHaveAttribute('href', '/download')
  })

  it('says why it could not be loaded, and tries again', async () => {
    const server = serveStorage()
    server.handlers['GET /api/storage/health'] = () => fail(503, 'unavailable', 'Back soon.')
    renderWithProviders(<StoragePage />)
    expect(await screen.findByRole('alert')).toHaveTextContent('Could not load storageBack soon.')
    server.handlers['GET /api/storage/health'] = () => ok(aHealth)
    await userEvent.setup().click(screen.getByRole('button', { name: 'Retry' }))
    expect(await screen.findByRole('region', { name: 'Stored' })).toBeVisible()
  })
})

describe('health', () => {
  it('shows files as safe when every pack is complete', async () => {
    open()
    const card = await screen.findByRole('region', { name: 'Health' })
    expect(card).toHaveTextContent('All safe5,000 of 5,000 packs completeEverything survives the loss of a warehouse')
  })

  it('shows the progress of a repair', async () => {
    open({ repairs: [aRepair], health: { ...aHealth, notSafe: 114 } })
    const card = await screen.findByRole('region', { name: 'Repair' })
    expect(card).toHaveTextContent('Running198 of 312 packs repaired114 packs without a spare2 not possible yet')
  })

  it('says that files are lost when packs are', async () => {
    open({ health: { ...aHealth, lost: 1 }, repairs: [{ ...aRepair, finishedAt: '2026-11-16T07:00:00Z' }] })
    const card = await screen.findByRole('region', { name: 'Health' })
    expect(card).toHaveTextContent('Files lost4,999 of 5,000 packs complete1 pack can no longer be read')
  })
})

describe('former members', () => {
  const deleted: FormerMember = {
    uuid: '4',
    name: 'Lena Novák',
    emailAddress: 'lena@northwind.test',
    reason: 'deleted',
    spaces: 2,
  }

  it('lists former members with their spaces and who removes them', async () => {
    const disabled: FormerMember = {
      ...deleted,
      uuid: '5',
      name: '',
      emailAddress: null,
      reason: 'disabled',
      spaces: 1,
    }
    open({ former: [deleted, disabled] })
    const card = await screen.findByRole('region', { name: /Still members of spaces/ })
    expect(card).toHaveTextContent('The team leader’s client removes them from the spaces: tess revoke --requested')
    const rows = within(card).getAllByRole('listitem')
    expect(rows.map((row) => row.textContent)).toEqual([
      'Lena Novák' + 'lena@northwind.test · in 2 spaces' + 'Deleted',
      'Deleted member' + 'in 1 space' + 'Disabled',
    ])
  })

  it('lists former members while nothing is stored', async () => {
    open({ usage: { ...aUsage, stored: 0, months: [] }, former: [deleted] })
    expect(await screen.findByRole('heading', { name: 'Nothing stored yet' })).toBeVisible()
    expect(screen.getByRole('region', { name: /Still members of spaces/ })).toBeVisible()
  })

  it('shows no card when there are no former members', async () => {
    open()
    await screen.findByRole('region', { name: 'Stored' })
    expect(screen.queryByRole('region', { name: /Still members/ })).toBeNull()
    expect(screen.queryByRole('region', { name: 'Recovery keys' })).toBeNull()
  })
})

describe('recovery keys', () => {
  it.each([
    [{ spacesWithFormerPair: 1 }, '1 space still uses former recovery keys and is read-only until they are replaced.'],
    [{ spacesWithFormerPair: 3 }, '3 spaces still use former recovery keys and are read-only until they are replaced.'],
    [{ isKitCurrent: false }, 'The recovery kit holds former recovery keys and does not open new files.'],
  ])('warn when replaced ones are still in use: %o', async (change, text) => {
    open({ health: { ...aHealth, recovery: { ...aHealth.recovery, ...change } } })
    const card = await screen.findByRole('region', { name: 'Recovery keys' })
    expect(card).toHaveTextContent(`Action needed${text}`)
    expect(card).toHaveTextContent(/makes a new kit: tess recovery-kit --to kit.html$/)
  })

  it('warn while nobody has confirmed having the kit', async () => {
    open({ health: { ...aHealth, recovery: { ...aHealth.recovery, isKitConfirmed: false } } })
    const card = await screen.findByRole('region', { name: 'Recovery keys' })
    expect(card).toHaveTextContent('Nobody has confirmed having the code of the newest recovery kit.')
    expect(card).toHaveTextContent(/checks the printed page: tess recovery-kit --confirm$/)
  })

  it('shows no warning before a recovery kit was made', async () => {
    open({ health: { ...aHealth, recovery: { ...aHealth.recovery, kitCounter: 0, isKitCurrent: false } } })
    await screen.findByRole('region', { name: 'Stored' })
    expect(screen.queryByRole('region', { name: 'Recovery keys' })).toBeNull()
  })
})

it('logs a device out after a confirmation', async () => {
  const server = open({ devices: [laptop] })
  const person = userEvent.setup()
  const card = await screen.findByRole('region', { name: /Devices/ })
  expect(await within(card).findByText('Omar Haddad · Linux · version 0.7.7 · used 1 hour ago')).toBeVisible()
  await person.click(within(card).getByRole('button', { name: 'Log out Laptop' }))
  const dialog = await screen.findByRole('alertdialog', { name: 'Log out Laptop?' })
  server.handlers['GET /api/storage/devices'] = () => ok({ devices: [] })
  await person.click(within(dialog).getByRole('button', { name: 'Log out' }))
  expect(await screen.findByText('Device Logged Out')).toBeVisible()
  expect(await within(card).findByText('Nobody is logged in with the client.')).toBeVisible()
})

it('shows the used storage in the quick panel', async () => {
  serveStorage()
  renderWithProviders(<StorageSection onClose={vi.fn()} />)
  expect(await screen.findByText('16.4 GB of 25 GB this month')).toBeVisible()
})

it.each([
  [0, 1],
  [18, 20],
  [25, 25],
  [26, 50],
  [101, 200],
])('the chart of %i GB ends at %i', (gigabytes, end) => {
  expect(scaleOf(gigabytes)).toBe(end)
})

describe('share links', () => {
  const aShare: Share = {
    id: 's-1',
    author: '1',
    authorName: 'Ada Lindqvist',
    state: 'open',
    bytes: 3_000_000,
    downloads: 2,
    maxDownloads: 5,
    createdAt: '2026-11-01T08:00:00Z',
    expiresAt: '2026-11-08T08:00:00Z',
    lastDownloadAt: null,
    endedAt: null,
  }

  it('lists them with their downloads and ends one', async () => {
    const server = open({ shares: [aShare, { ...aShare, id: 's-2', authorName: '', state: 'used' }] })
    const card = await screen.findByRole('region', { name: /Share links/ })
    const [first, second] = await within(card).findAllByRole('listitem')
    expect(first).toHaveTextContent('Ada Lindqvist3 MB · opened 2 of 5 times · created Nov 1, 2026 · ends Nov 8, 2026')
    expect(second).toHaveTextContent('Removed member')
    expect(second).toHaveTextContent('Used up')
    const user = userEvent.setup()
    await user.click(within(first!).getByRole('button', { name: 'End Ada Lindqvist' }))
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'End' }))
    expect(await screen.findByText('Share Link Ended')).toBeVisible()
    expect(server.to('DELETE /api/storage/shares/s-1')).toHaveLength(1)
  })

  it('changes what members may do', async () => {
    const server = open()
    const card = await screen.findByRole('region', { name: /Share links/ })
    expect(await within(card).findByText('for at most 30 days')).toBeVisible()
    const user = userEvent.setup()
    await user.click(within(card).getByRole('button', { name: 'Rules Share links' }))
    const days = await screen.findByRole('spinbutton', { name: 'Days at most' })
    await user.clear(days)
    await user.type(days, '400')
    expect(screen.getAllByText('Enter 1 to 365 days.')[0]).toBeVisible()
    await user.clear(days)
    await user.type(days, '3')
    await user.click(screen.getByRole('checkbox', { name: 'Members may create share links' }))
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Rules Saved')).toBeVisible()
    const [saved] = server.to('PUT /api/storage/share-policy')
    expect(saved?.body).toEqual({ isAllowed: false, maxDays: 3 })
  })

  it('says that they are not allowed', async () => {
    open({ policy: { isAllowed: false, maxDays: 30 } })
    const card = await screen.findByRole('region', { name: /Share links/ })
    expect(await within(card).findByText('not allowed')).toBeVisible()
    expect(within(card).getByText('There are no share links.')).toBeVisible()
  })
})

describe('requests for files', () => {
  const aRequest: FileRequest = {
    id: 'r-1',
    spaceId: 'sp-1',
    generation: 1,
    author: '1',
    authorName: 'Ada Lindqvist',
    state: 'open',
    details: '',
    folder: '',
    maxBytes: 1_000_000_000,
    receivedBytes: 3_000_000,
    accepted: 2,
    arrivals: [{ id: 'a-1', bytes: 1000, arrivedAt: '2026-11-02T08:00:00Z' }],
    createdAt: '2026-11-01T08:00:00Z',
    expiresAt: '2026-11-08T08:00:00Z',
  }

  it('lists them with what was sent and ends one', async () => {
    const server = open({ requests: [aRequest, { ...aRequest, id: 'r-2', authorName: '', state: 'superseded' }] })
    const card = await screen.findByRole('region', { name: /Requests for files/ })
    const [first, second] = await within(card).findAllByRole('listitem')
    expect(first).toHaveTextContent('Ada Lindqvist3 MB of 1 GB received · 1 waiting, 2 accepted · created Nov 1, 2026')
    expect(second).toHaveTextContent('Removed member')
    expect(second).toHaveTextContent('No longer usable')
    const user = userEvent.setup()
    await user.click(within(first!).getByRole('button', { name: 'End Ada Lindqvist' }))
    const dialog = await screen.findByRole('alertdialog')
    expect(dialog).toHaveTextContent('what has come and was not accepted is deleted')
    await user.click(within(dialog).getByRole('button', { name: 'End' }))
    expect(await screen.findByText('Request Ended')).toBeVisible()
    expect(server.to('DELETE /api/storage/requests/r-1')).toHaveLength(1)
    expect(server.to('DELETE /api/storage/shares/r-1')).toHaveLength(0)
  })

  it('forbids them without changing what shares may do', async () => {
    const server = open()
    const card = await screen.findByRole('region', { name: /Requests for files/ })
    expect(await within(card).findByText('There are no requests for files.')).toBeVisible()
    const user = userEvent.setup()
    await user.click(within(card).getByRole('button', { name: 'Rules Requests for files' }))
    await user.click(await screen.findByRole('checkbox', { name: 'Members may request files' }))
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Rules Saved')).toBeVisible()
    expect(server.to('PUT /api/storage/request-policy')[0]?.body).toEqual({ isAllowed: false, maxDays: 30 })
    expect(server.to('PUT /api/storage/share-policy')).toHaveLength(0)
  })

  it('says that they could not be loaded, beside shares that were', async () => {
    open({ requests: 'broken' })
    const card = await screen.findByRole('region', { name: /Requests for files/ })
    expect(await within(card).findByRole('alert')).toBeVisible()
    expect(await screen.findByText('There are no share links.')).toBeVisible()
  })
})

describe('after a restore of the service', () => {
  const began = '2026-11-19T08:00:00Z'
  const waiting = { id: 's-1', sequence: 4, seen: 6, members: 1, isInWarehouses: false }

  it('says what came back, what is missing, and how the leader closes it', async () => {
    open({ restore: { beganAt: began, readAt: began, entries: 12, waiting: [waiting] } })
    const card = within(await screen.findByRole('region', { name: 'Our service was restored from a backup' }))
    expect(card.getByText('12 entries of your spaces came back.')).toBeVisible()
    expect(card.getByText(/1 space still lacks entries/)).toBeVisible()
    expect(card.getByText('tess give-up SPACE')).toBeVisible()
    expect(card.getByText('tess reopen')).toBeVisible()
    expect(card.getByText('Open')).toBeVisible()
    expect(card.queryByText(/are being read/)).toBeNull()
  })

  it('says that the warehouses are being read, and when everything is there', async () => {
    open({ restore: { beganAt: began } })
    expect(await screen.findByText(/Your warehouses are being read/)).toBeVisible()
    expect(screen.queryByText('tess give-up SPACE')).toBeNull()
  })

  it('can be closed', async () => {
    open({ restore: { beganAt: began, readAt: began } })
    expect(await screen.findByText('Ready to close')).toBeVisible()
  })

  it('is over once it was closed', async () => {
    open({ restore: { beganAt: began, readAt: began, closedAt: began } })
    expect(await screen.findByRole('heading', { name: 'Storage' })).toBeVisible()
    expect(screen.queryByText('Our service was restored from a backup')).toBeNull()
  })
})
