import { act, cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { sessionStore } from '@/api/session'
import { epochOf, makeCompanySecrets, openPassphrase } from '@/crypto/company-secrets'
import { PassphraseRollbackError } from '@/crypto/errors'
import { keyring } from '@/crypto/keyring'
import { rememberEpoch, requireCurrentEpoch } from '@/crypto/seen-epochs'
import { QuickWorker } from '@/crypto/testing/quick-worker'
import { makeUserKeys } from '@/crypto/user-keys'
import { fillIn } from '@/testing/fill-in'
import { renderWithProviders } from '@/testing/render'
import { fail, ok, serve } from '@/testing/server'
import { aLeader } from '@/testing/users'
import PassphraseDialog from '../PassphraseDialog'

const password = 'mosaic-Tile-2026'
const secret = 'three clouds, one mosaic'
const user = aLeader()
const ids = { uid: user.uuid, cid: user.companyUuid }
const close = vi.fn()
let keys: Awaited<ReturnType<typeof makeUserKeys>>
let pair: string

beforeEach(async () => {
  close.mockReset()
  vi.stubGlobal('Worker', QuickWorker)
  keys = await makeUserKeys(password, ids)
  pair = await makeCompanySecrets(secret, ids, keys.key, 4)
  keyring.hold(keys.key, ids)
  sessionStore.signIn('t', user)
})

afterEach(() => {
  act(() => sessionStore.signOut('expired'))
  vi.useRealTimers()
  vi.unstubAllGlobals()
  localStorage.clear()
})

type Handlers = Parameters<typeof serve>[0]

function open(more: Handlers = {}) {
  const server = serve({
    'GET /api/company/passphrase': () => new Response(pair),
    'PUT /api/company/passphrase': () => ok(),
    'GET /api/auth/login-token': () => ok({ access_token: 't', user, salt: keys.salt, sealedUserKey: keys.userKey }),
    ...more,
  })
  renderWithProviders(<PassphraseDialog open onClose={close} />, { withToasts: true })
  return server
}

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

async function enter(text: string, again = text) {
  await fillIn(userEvent, await screen.findByLabelText('Passphrase'), text)
  await fillIn(userEvent, screen.getByLabelText('Confirm passphrase'), again)
}

describe('the passphrase', () => {
  // Specification: 2.101
  it('is asked for only when somebody wants to see it', async () => {
    const server = open()
    expect(server.calls).toHaveLength(0)
    await press('Reveal')
    expect(await screen.findByText(secret)).toBeVisible()
  })

  // Specification: 3.26
  it('is copied, and hides after a minute', async () => {
    const write = vi.fn().mockResolvedValue(undefined)
    vi.useFakeTimers({ shouldAdvanceTime: true })
    open()
    const person = userEvent.setup({ advanceTimers: (ms) => vi.advanceTimersByTime(ms) })
    vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(write)
    await person.click(screen.getByRole('button', { name: 'Reveal' }))
    await person.click(await screen.findByRole('button', { name: 'Copy' }))
    expect(write).toHaveBeenCalledWith(secret)
    act(() => void vi.advanceTimersByTime(60_000))
    await waitFor(() => expect(screen.queryByText(secret)).toBeNull())
    expect(screen.getByRole('button', { name: 'Reveal' })).toBeVisible()
  })

  // Specification: 3.26
  it('is not stored in the browser while it is shown', async () => {
    open()
    await press('Reveal')
    expect(await screen.findByText(secret)).toBeVisible()
    expect(JSON.stringify([{ ...localStorage }, { ...sessionStorage }])).not.toContain(secret)
  })

  it('asks for the password when the keys are locked, and does not send it', async () => {
    keyring.lock()
    const server = open()
    await press('Reveal')
    expect(server.calls).toHaveLength(0)
    await userEvent.type(await screen.findByLabelText('Password'), 'wrong')
    await press('Unlock')
    expect(await screen.findByText('This password does not unlock your keys.')).toBeVisible()
    await userEvent.clear(screen.getByLabelText('Password'))
    await fillIn(userEvent, screen.getByLabelText('Password'), password)
    await press('Unlock')
    expect(await screen.findByText(secret)).toBeVisible()
    expect(JSON.stringify(server.calls)).not.toContain(password)
  })

  it('says what went wrong', async () => {
    open({ 'GET /api/company/passphrase': () => fail(500, 'internal') })
    await press('Reveal')
    expect(await screen.findByText('Could not reveal the passphrase')).toBeVisible()
  })
})

describe('changing it', () => {
  // Specification: 8.21
  it('takes it twice and the checkbox, seals it for the next epoch and offers the kit', async () => {
    const server = open()
    await press('Change')
    expect(await screen.findByText(/Keep the old passphrase as well/)).toBeVisible()
    const save = () => screen.getByRole('button', { name: 'Save passphrase' })
    expect(save()).toBeDisabled()
    await enter('  nine tiles of slate ')
    expect(save()).toBeDisabled()
    await userEvent.click(screen.getByRole('checkbox'))
    await userEvent.click(save())
    expect(await screen.findByText('Successfully Changed Passphrase')).toBeVisible()
    const sent = (server.to('PUT /api/company/passphrase')[0]!.body as { passphrase: string }).passphrase
    expect(epochOf(sent)).toBe(5)
    expect(await openPassphrase(sent, keyring)).toBe('nine tiles of slate')
    expect(JSON.stringify(server.calls)).not.toContain('nine tiles')
    expect(screen.getByRole('button', { name: 'Print' })).toBeVisible()
    expect(screen.getByText('nine tiles of slate')).toBeInTheDocument()
  })

  // Specification: 9.11
  it.each([
    ['short', 'short', 'Passphrase must be at least 8 characters in length.'],
    ['long enough one', 'long enough two', 'The passphrases do not match.'],
  ])('refuses %s and %s', async (one, other, message) => {
    open()
    await press('Change')
    await enter(one, other)
    await userEvent.click(screen.getByRole('checkbox'))
    await waitFor(() => expect(screen.getAllByText(message)[0]).toBeInTheDocument())
    expect(screen.getByRole('button', { name: 'Save passphrase' })).toBeDisabled()
  })

  it('shows how strong it is', async () => {
    open()
    await press('Change')
    await userEvent.type(await screen.findByLabelText('Passphrase'), 'password')
    expect(screen.getByText(/Strength: very weak/)).toBeInTheDocument()
    await fillIn(userEvent, screen.getByLabelText('Passphrase'), ' under seven walnut bridges, quietly humming 4831 #')
    expect(screen.getByText(/Strength: strong/)).toBeInTheDocument()
  })

  it('is entered again after a reset or a change of leadership, with the next epoch', async () => {
    const server = open({ 'GET /api/company/passphrase': () => fail(404, 'passphrase_locked', '', { epoch: 7 }) })
    await press('Reveal')
    expect(await screen.findByRole('heading', { name: 'Enter the passphrase' })).toBeVisible()
    expect(screen.getByText(/your password was reset or you became the team leader/)).toBeVisible()
    await enter(secret)
    await userEvent.click(screen.getByRole('checkbox'))
    await press('Save passphrase')
    await screen.findByText('Successfully Changed Passphrase')
    expect(epochOf((server.to('PUT /api/company/passphrase')[0]!.body as { passphrase: string }).passphrase)).toBe(8)
  })

  it('tells when somebody else was faster, and then replaces theirs', async () => {
    let stored = 6
    const server = open({
      'PUT /api/company/passphrase': ({ body }) =>
        epochOf((body as { passphrase: string }).passphrase) === stored + 1
          ? ok()
          : fail(409, 'passphrase_epoch_stale', 'Changed elsewhere meanwhile.', { epoch: stored }),
    })
    await press('Change')
    await enter('nine tiles of slate')
    await userEvent.click(screen.getByRole('checkbox'))
    await press('Save passphrase')
    expect(await screen.findByText('Changed elsewhere meanwhile.')).toBeVisible()
    await press('Save passphrase')
    await screen.findByText('Successfully Changed Passphrase')
    expect(server.to('PUT /api/company/passphrase')).toHaveLength(2)
    stored += 1
  })

  // Specification: 8.44
  it('falls back to its own words', async () => {
    open({ 'PUT /api/company/passphrase': () => fail(500, 'internal') })
    await press('Change')
    await enter('nine tiles of slate')
    await userEvent.click(screen.getByRole('checkbox'))
    await press('Save passphrase')
    expect(await screen.findByText('Could not Change Passphrase')).toBeVisible()
  })
})

describe('an older passphrase than this browser has seen', () => {
  const warning = /this browser has seen version 9/
  const tampered = {
    'an old pair': () => new Response(pair),
    'no copy, of an old epoch': () => fail(404, 'passphrase_locked', '', { epoch: 8 }),
    'no passphrase at all': () => fail(404, 'passphrase_locked', '', { epoch: 0 }),
  }

  it.each(Object.entries(tampered))('is refused: %s', async (_, answer) => {
    rememberEpoch(user.companyUuid, 9)
    for (const wish of ['Reveal', 'Change']) {
      const server = open({ 'GET /api/company/passphrase': answer })
      await press(wish)
      expect(await screen.findByText(warning)).toBeVisible()
      expect(screen.queryByText(secret)).toBeNull()
      expect(screen.queryByLabelText('Confirm passphrase')).toBeNull()
      expect(server.to('PUT /api/company/passphrase')).toHaveLength(0)
      cleanup()
    }
  })

  it('is refused when saving is answered with it', async () => {
    const server = open({
      'PUT /api/company/passphrase': () => fail(409, 'passphrase_epoch_stale', 'Changed.', { epoch: 0 }),
    })
    rememberEpoch(user.companyUuid, 4)
    await press('Change')
    await enter('nine tiles of slate')
    await userEvent.click(screen.getByRole('checkbox'))
    await press('Save passphrase')
    expect(await screen.findByText(/this browser has seen version 4/)).toBeVisible()
    expect(server.to('PUT /api/company/passphrase')).toHaveLength(1)
  })

  it('is known by what was opened, saved or refused before, and by company', async () => {
    open()
    await press('Reveal')
    await screen.findByText(secret)
    expect(() => requireCurrentEpoch(ids.cid, 3)).toThrow(PassphraseRollbackError)
    requireCurrentEpoch(ids.cid, 4)
    requireCurrentEpoch('another company', 0)
  })

  it('is not known by a claim alone', async () => {
    open({ 'GET /api/company/passphrase': () => fail(404, 'passphrase_locked', '', { epoch: 70 }) })
    await press('Reveal')
    await screen.findByRole('heading', { name: 'Enter the passphrase' })
    requireCurrentEpoch(ids.cid, 4)
  })
})
