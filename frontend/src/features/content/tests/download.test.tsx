import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { sessionStore, type User } from '@/api/session'
import { fail, ok, serve } from '@/testing/server'
import { aMember } from '@/testing/users'
import { formatBytes } from '@/i18n/format'
import { detectPlatform } from '../download/Installers'
import DownloadPage from '../DownloadPage'
import { renderIn } from './in-language'

/** Addresses of the downloads that were started. */
let fetched: string[] = []

const sha = 'ab'.repeat(32)

const file = (fileName: string, platforms: string[], change: object = {}) => ({
  fileName,
  platforms,
  machine: null,
  needsPython: false,
  isInstaller: false,
  isSigned: false,
  available: true,
  size: 84_300_000,
  sha256: sha,
  ...change,
})

const archive = (platform: string) =>
  file(`tess-0.7.7-${platform}-x64.pyz`, [platform], { machine: 'x64', needsPython: true })
const archives = ['macos', 'windows', 'linux'].map(archive)
const mac = file('tess-0.7.7-macos-arm64', ['macos'], { machine: 'arm64' })

const release = (...files: object[]) => ({ version: '0.7.7', files: files.length ? files : archives })

const agents = {
  windows: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36',
  mac: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15',
  iphone: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)',
  linux: 'Mozilla/5.0 (X11; Linux x86_64)',
  android: 'Mozilla/5.0 (Linux; Android 15; K) AppleWebKit/537.36',
}

function signIn(user: User = aMember()) {
  sessionStore.signIn('a.b.c', user)
}

function on(userAgent: string) {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(userAgent)
}

beforeEach(() => {
  signIn()
  fetched = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    fetched.push(this.getAttribute('href') ?? '')
  })
})

afterEach(() => {
  sessionStore.signOut('loggedOut')
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('platform', () => {
  it.each([
    [{ userAgent: agents.windows, maxTouchPoints: 10 }, 'windows'],
    [{ userAgent: agents.mac, maxTouchPoints: 0 }, 'macos'],
    [{ userAgent: agents.mac, maxTouchPoints: 5 }, null],
    [{ userAgent: agents.iphone, maxTouchPoints: 5 }, null],
    [{ userAgent: agents.linux, maxTouchPoints: 0 }, 'linux'],
    [{ userAgent: agents.android, maxTouchPoints: 5 }, null],
    [{ userAgent: agents.mac, maxTouchPoints: 0, userAgentData: { platform: 'Windows' } }, 'windows'],
    [{ userAgent: agents.windows, maxTouchPoints: 0, userAgentData: { platform: 'Android' } }, null],
  ])('%j is %s', (hints, platform) => {
    expect(detectPlatform(hints)).toBe(platform)
  })
})

describe('size', () => {
  it.each([
    [0, '0 bytes'],
    [999, '999 bytes'],
    [98_000, '98 kB'],
    [84_300_000, '84.3 MB'],
    [2_500_000_000, '2.5 GB'],
  ])('%i is %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text)
  })
})

describe('the download page', () => {
  it('shows how far the first build is, and then its files', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    let answer: object = { version: null, files: [], building: { done: 3, total: 12 } }
    serve({ 'GET /api/downloads': () => ok(answer) })
    await renderIn('en', <DownloadPage />)
    const bar = await screen.findByRole('progressbar', { name: /^The client is being built/ })
    expect(bar).toHaveAttribute('value', '3')
    expect(screen.queryByText('No release yet')).toBeNull()
    answer = release()
    await act(() => vi.advanceTimersByTimeAsync(2_000))
    vi.useRealTimers()
    expect(await screen.findByRole('region', { name: 'macOS' })).toHaveTextContent('Version 0.7.7')
  })

  it('names devices that have not backed up', async () => {
    const devices = [
      { name: 'Laptop', days: 5 },
      { name: 'Desktop', days: 1 },
    ]
    serve({ 'GET /api/downloads': () => ok(release()), 'GET /api/storage/backups/overdue': () => ok({ devices }) })
    await renderIn('en', <DownloadPage />)
    const list = await screen.findByRole('list', { name: 'Overdue backups' })
    expect(list).toHaveTextContent(/No backup for 5 days from \W?Laptop/)
    expect(list).toHaveTextContent(/No backup for 1 day from \W?Desktop/)
  })

  it('puts the own platform first', async () => {
    serve({ 'GET /api/downloads': () => ok(release()) })
    on(agents.windows)
    await renderIn('en', <DownloadPage />)
    const [first] = await screen.findAllByRole('heading', { level: 2 })
    expect(first).toHaveTextContent('Windows')
    expect(within(screen.getByRole('region', { name: 'Windows' })).getByText('For this computer')).toBeInTheDocument()
  })

  // Specification: 2.38
  it('shows version, size, hash and the command that checks it', async () => {
    serve({ 'GET /api/downloads': () => ok(release()) })
    on(agents.mac)
    await renderIn('en', <DownloadPage />)
    const card = await screen.findByRole('region', { name: 'macOS' })
    expect(card).toHaveTextContent('Version 0.7.7')
    expect(card).toHaveTextContent('84.3 MB')
    expect(card).toHaveTextContent(sha)
    expect(card).toHaveTextContent('shasum -a 256 ~/Downloads/tess-0.7.7-macos-x64.pyz')
    expect(screen.getByRole('region', { name: 'Windows' })).toHaveTextContent('Get-FileHash')
    expect(screen.getByRole('region', { name: 'Linux' })).toHaveTextContent('sha256sum')
  })

  it('shows the commands that log in at this service', async () => {
    serve({ 'GET /api/downloads': () => ok(release(...archives, mac)) })
    await renderIn('en', <DownloadPage />)
    const command = async (name: string) =>
      (await screen.findByRole('region', { name: `Login command for ${name}` })).textContent
    const login = `login ${window.location.origin} --email ${aMember().email_address}`
    expect(await command('Linux (x64, Python)')).toBe(`python3 ~/Downloads/tess-0.7.7-linux-x64.pyz ${login}`)
    expect(await command('Windows (x64, Python)')).toBe(`py "$HOME\\Downloads\\tess-0.7.7-windows-x64.pyz" ${login}`)
    const path = '~/Downloads/tess-0.7.7-macos-arm64'
    expect(await command('macOS (arm64)')).toBe(`chmod +x ${path} && ${path} ${login}`)
  })

  it('offers the program that needs no Python first, and says which one does', async () => {
    serve({ 'GET /api/downloads': () => ok(release(...archives, mac)) })
    await renderIn('en', <DownloadPage />)
    const card = await screen.findByRole('region', { name: 'macOS' })
    const buttons = within(card).getAllByRole('button', { name: /^Download/ })
    expect(buttons.map((button) => button.textContent)).toEqual([
      'Download for macOS (arm64)',
      'Download for macOS (x64, Python)',
    ])
    expect(card).toHaveTextContent('Needs Python 3.11 or newer')
    expect(card).toHaveTextContent('Needs nothing else')
  })

  it('offers installers first, and the programs that need no installation below them', async () => {
    const user = userEvent.setup()
    const installer = { machine: 'x64', isInstaller: true }
    const deb = file('tess-0.7.7-linux-x64.deb', ['linux'], installer)
    serve({ 'GET /api/downloads': () => ok(release(...archives, deb)) })
    await renderIn('en', <DownloadPage />)
    const card = await screen.findByRole('region', { name: 'Linux' })
    const login = `tess login ${window.location.origin} --email ${aMember().email_address}`
    expect(within(card).getByRole('region', { name: 'Login command for Linux (x64, installer)' })).toHaveTextContent(
      `sudo apt install ~/Downloads/tess-0.7.7-linux-x64.deb && ${login}`,
    )
    expect(within(card).getByText('Needs Python 3.11 or newer', { exact: false })).not.toBeVisible()
    await user.click(within(card).getByText('Without installing'))
    const buttons = within(card).getAllByRole('button', { name: /^Download/ })
    expect(buttons.map((button) => button.textContent)).toEqual([
      'Download for Linux (x64, installer)',
      'Download for Linux (x64, Python)',
    ])
    expect(card).not.toHaveTextContent('Not signed')
  })

  it.each([
    ['windows', 'tess-0.7.7-windows-x64-setup.exe', /“Run anyway”/],
    ['macos', 'tess-0.7.7-macos-x64.pkg', /“Privacy & Security”/],
  ])('says what to do with an installer for %s that is not signed', async (platform, name, advice) => {
    const installer = file(name, [platform], { machine: 'x64', isInstaller: true })
    serve({ 'GET /api/downloads': () => ok(release(installer)) })
    await renderIn('en', <DownloadPage />)
    expect(await screen.findByText(advice)).toBeVisible()
    expect(screen.getByText(/Open the file and follow its steps/)).toBeVisible()
  })

  it('gives no such advice for one that is signed', async () => {
    const installer = { machine: 'x64', isInstaller: true, isSigned: true }
    serve({
      'GET /api/downloads': () => ok(release(file('tess-0.7.7-windows-x64-setup.exe', ['windows'], installer))),
    })
    await renderIn('en', <DownloadPage />)
    expect(await screen.findByText(/Open the file and follow its steps/)).toBeVisible()
    expect(screen.queryByText(/Not signed/)).not.toBeInTheDocument()
  })

  it('downloads through a link that carries no session', async () => {
    const user = userEvent.setup()
    const server = serve({
      'GET /api/downloads': () => ok(release()),
      'POST /api/downloads/tess-0.7.7-macos-x64.pyz/link': () =>
        ok({ url: '/api/downloads/file?ticket=t', expiresAt: '2030-01-01T00:00:00Z' }),
    })
    await renderIn('en', <DownloadPage />)
    await user.click(await screen.findByRole('button', { name: 'Download for macOS (x64, Python)' }))
    expect(await screen.findByText(/Your download has started/)).toBeInTheDocument()
    expect(fetched).toEqual(['/api/downloads/file?ticket=t'])
    expect(server.to('POST /api/downloads/tess-0.7.7-macos-x64.pyz/link')).toHaveLength(1)
  })

  it('says why a download did not start', async () => {
    const user = userEvent.setup()
    serve({
      'GET /api/downloads': () => ok(release()),
      'POST /api/downloads/tess-0.7.7-macos-x64.pyz/link': () =>
        fail(404, 'installer_missing', 'There is no installer.'),
    })
    await renderIn('en', <DownloadPage />)
    await user.click(await screen.findByRole('button', { name: 'Download for macOS (x64, Python)' }))
    expect(await screen.findByRole('alert')).toHaveTextContent('There is no installer.')
    expect(fetched).toEqual([])
  })

  it('says that a file is missing, without a button for it', async () => {
    serve({
      'GET /api/downloads': () => ok(release({ ...mac, available: false })),
    })
    await renderIn('en', <DownloadPage />)
    const card = await screen.findByRole('region', { name: 'macOS' })
    expect(card).toHaveTextContent('for macOS is currently not available')
    expect(within(card).queryByRole('button')).not.toBeInTheDocument()
  })

  it('says that nothing is published yet', async () => {
    serve({ 'GET /api/downloads': () => ok({ version: null, files: [] }) })
    await renderIn('en', <DownloadPage />)
    expect(await screen.findByText('No release yet')).toBeInTheDocument()
  })

  it('can be tried again when it fails', async () => {
    const user = userEvent.setup()
    let broken = true
    serve({ 'GET /api/downloads': () => (broken ? fail(503, 'releases_not_readable', 'Not now.') : ok(release())) })
    await renderIn('en', <DownloadPage />)
    expect(await screen.findByRole('alert')).toHaveTextContent('Not now.')
    broken = false
    await user.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await screen.findByRole('region', { name: 'macOS' })).toBeInTheDocument()
  })
})

describe('without a subscription', () => {
  const contact = () => ok({ name: 'Ada Lindqvist', emailAddress: 'leader@northwind.test' })

  it('tells a member whom to ask, and asks for no files', async () => {
    signIn(aMember({ isSubscribed: false }))
    const server = serve({ 'GET /api/downloads/contact': contact })
    await renderIn('en', <DownloadPage />)
    expect(await screen.findByText('Ada Lindqvist')).toBeInTheDocument()
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(/subscription of .*Northwind.* is not active/)
    expect(screen.getByRole('link', { name: 'Send email' })).toHaveAttribute(
      'href',
      'mailto:leader@northwind.test?subject=Tessera%3A%20subscription%20of%20Northwind',
    )
    expect(server.to('GET /api/downloads')).toHaveLength(0)
  })

  it('names the team leader by role when the name cannot be had', async () => {
    signIn(aMember({ isSubscribed: false }))
    serve({ 'GET /api/downloads/contact': () => fail(500, 'internal_error') })
    await renderIn('en', <DownloadPage />)
    expect(await screen.findByText(/Please ask your team leader/)).toBeInTheDocument()
  })

  it('notices when it ended a moment ago', async () => {
    serve({
      'GET /api/downloads': () => fail(403, 'subscription_required', 'No subscription.'),
      'GET /api/downloads/contact': contact,
    })
    await renderIn('en', <DownloadPage />)
    expect(await screen.findByText('Ada Lindqvist')).toBeInTheDocument()
  })
})
