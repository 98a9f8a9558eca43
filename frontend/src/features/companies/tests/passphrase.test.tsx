import { act, cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { epochOf, makeCompanySecrets, openFormerPassphrase, openPassphrase } from '@/crypto/company-secrets'
import { PassphraseRollbackError } from '@/crypto/errors'
import { keyring } from '@/crypto/keyring'
import { rememberEpoch, requireCurrentEpoch } from '@/crypto/seen-epochs'
import { fillIn } from '@/testing/fill-in'
import { fail, ok } from '@/testing/server'
import { ids, open, password, press, secret, user, withPassphrase } from './open-passphrase'

const stored = withPassphrase()

const bodyOf = (call: { body: unknown } | undefined) => call?.body as { passphrase: string; formerKey: string | null }

async function enter(text: string, again = text) {
  await fillIn(userEvent, await screen.findByLabelText('Passphrase'), text)
  await fillIn(userEvent, screen.getByLabelText('Confirm passphrase'), again)
}

describe('the passphrase', () => {
  // Specification: 2.101
  it('fetches the passphrase only when it is revealed', async () => {
    const server = open(stored)
    expect(server.to('GET /api/company/passphrase')).toHaveLength(0)
    await press('Reveal')
    expect(await screen.findByText(secret)).toBeVisible()
  })

  // Specification: 3.26
  it('copies the passphrase and hides it after a minute', async () => {
    const write = vi.fn().mockResolvedValue(undefined)
    vi.useFakeTimers({ shouldAdvanceTime: true })
    open(stored)
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
    open(stored)
    await press('Reveal')
    expect(await screen.findByText(secret)).toBeVisible()
    expect(JSON.stringify([{ ...localStorage }, { ...sessionStorage }])).not.toContain(secret)
  })

  it('asks for the password when the keys are locked, and does not send it', async () => {
    keyring.lock()
    const server = open(stored)
    await press('Reveal')
    expect(server.to('GET /api/company/passphrase')).toHaveLength(0)
    await userEvent.type(await screen.findByLabelText('Password'), 'wrong')
    await press('Unlock')
    expect(await screen.findByText('This password does not unlock your keys.')).toBeVisible()
    await userEvent.clear(screen.getByLabelText('Password'))
    await fillIn(userEvent, screen.getByLabelText('Password'), password)
    await press('Unlock')
    expect(await screen.findByText(secret)).toBeVisible()
    expect(JSON.stringify(server.calls)).not.toContain(password)
  })

  it('shows an error when the passphrase cannot be revealed', async () => {
    open(stored, { 'GET /api/company/passphrase': () => fail(500, 'internal') })
    await press('Reveal')
    expect(await screen.findByText('Could not reveal the passphrase')).toBeVisible()
  })
})

describe('changing it', () => {
  // Specification: 8.21
  it('takes it twice and the checkbox, seals it for the next epoch and offers the kit', async () => {
    const server = open(stored)
    await press('Change')
    expect(await screen.findByText(/Keep the old passphrase as well/)).toBeVisible()
    const save = () => screen.getByRole('button', { name: 'Save passphrase' })
    expect(save()).toBeDisabled()
    await enter('  nine tiles of slate ')
    expect(save()).toBeDisabled()
    await userEvent.click(screen.getByRole('checkbox'))
    await userEvent.click(save())
    expect(await screen.findByText('Successfully Changed Passphrase')).toBeVisible()
    const { passphrase: sent, formerKey } = bodyOf(server.to('PUT /api/company/passphrase')[0])
    expect(epochOf(sent)).toBe(5)
    expect(await openPassphrase(sent, keyring)).toBe('nine tiles of slate')
    const [companyKey = ''] = sent.split('~')
    const former = { companyKey, formerKeys: [formerKey ?? ''], passphrase: stored.pair.split('~')[1] ?? '' }
    expect(await openFormerPassphrase(former, 4, keyring)).toBe(secret)
    expect(JSON.stringify(server.calls)).not.toContain('nine tiles')
    expect(screen.getByRole('button', { name: 'Print' })).toBeVisible()
    expect(screen.getByText('nine tiles of slate')).toBeInTheDocument()
  })

  // Specification: 9.11
  it.each([
    ['short', 'short', 'Passphrase must be at least 8 characters in length.'],
    ['long enough one', 'long enough two', 'The passphrases do not match.'],
  ])('refuses %s and %s', async (one, other, message) => {
    open(stored)
    await press('Change')
    await enter(one, other)
    await userEvent.click(screen.getByRole('checkbox'))
    await waitFor(() => expect(screen.getAllByText(message)[0]).toBeInTheDocument())
    expect(screen.getByRole('button', { name: 'Save passphrase' })).toBeDisabled()
  })

  it('shows how strong it is', async () => {
    open(stored)
    await press('Change')
    await userEvent.type(await screen.findByLabelText('Passphrase'), 'password')
    expect(screen.getByText(/Strength: very weak/)).toBeInTheDocument()
    await fillIn(userEvent, screen.getByLabelText('Passphrase'), ' under seven walnut bridges, quietly humming 4831 #')
    expect(screen.getByText(/Strength: strong/)).toBeInTheDocument()
  })

  it('is entered again after a reset or a change of leadership, with the next epoch', async () => {
    const server = open(stored, {
      'GET /api/company/passphrase': () => fail(404, 'passphrase_locked', '', { epoch: 7 }),
    })
    await press('Reveal')
    expect(await screen.findByRole('heading', { name: 'Enter the passphrase' })).toBeVisible()
    expect(screen.getByText(/your password was reset or you became the team leader/)).toBeVisible()
    await enter(secret)
    await userEvent.click(screen.getByRole('checkbox'))
    await press('Save passphrase')
    await screen.findByText('Successfully Changed Passphrase')
    const sent = bodyOf(server.to('PUT /api/company/passphrase')[0])
    expect(epochOf(sent.passphrase)).toBe(8)
    expect(sent.formerKey).toBeNull()
  })

  it('tells when somebody else was faster, and then replaces theirs', async () => {
    const theirs = await makeCompanySecrets('theirs was faster', ids, stored.keys.key, 6)
    const server = open(stored, {
      'PUT /api/company/passphrase': (call) => {
        if (epochOf(bodyOf(call).passphrase) === 7) return ok()
        stored.pair = theirs
        return fail(409, 'passphrase_epoch_stale', 'Changed elsewhere meanwhile.', { epoch: 6 })
      },
    })
    await press('Change')
    await enter('nine tiles of slate')
    await userEvent.click(screen.getByRole('checkbox'))
    await press('Save passphrase')
    expect(await screen.findByText('Changed elsewhere meanwhile.')).toBeVisible()
    await press('Save passphrase')
    await screen.findByText('Successfully Changed Passphrase')
    const { passphrase: sent, formerKey } = bodyOf(server.to('PUT /api/company/passphrase')[1])
    const [companyKey = ''] = sent.split('~')
    const former = { companyKey, formerKeys: [formerKey ?? ''], passphrase: theirs.split('~')[1] ?? '' }
    expect(await openFormerPassphrase(former, 6, keyring)).toBe('theirs was faster')
  })

  // Specification: 8.44
  it('falls back to its own words', async () => {
    open(stored, { 'PUT /api/company/passphrase': () => fail(500, 'internal') })
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
    'an old pair': () => new Response(stored.pair),
    'no copy, of an old epoch': () => fail(404, 'passphrase_locked', '', { epoch: 8 }),
    'no passphrase at all': () => fail(404, 'passphrase_locked', '', { epoch: 0 }),
  }

  it.each(Object.entries(tampered))('is refused: %s', async (_, answer) => {
    rememberEpoch(user.companyUuid, 9)
    for (const wish of ['Reveal', 'Change']) {
      const server = open(stored, { 'GET /api/company/passphrase': answer })
      await press(wish)
      expect(await screen.findByText(warning)).toBeVisible()
      expect(screen.queryByText(secret)).toBeNull()
      expect(screen.queryByLabelText('Confirm passphrase')).toBeNull()
      expect(server.to('PUT /api/company/passphrase')).toHaveLength(0)
      cleanup()
    }
  })

  it('is refused when saving is answered with it', async () => {
    const server = open(stored, {
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
    open(stored)
    await press('Reveal')
    await screen.findByText(secret)
    expect(() => requireCurrentEpoch(ids.cid, 3)).toThrow(PassphraseRollbackError)
    requireCurrentEpoch(ids.cid, 4)
    requireCurrentEpoch('another company', 0)
  })

  it('is not known by a claim alone', async () => {
    open(stored, { 'GET /api/company/passphrase': () => fail(404, 'passphrase_locked', '', { epoch: 70 }) })
    await press('Reveal')
    await screen.findByRole('heading', { name: 'Enter the passphrase' })
    requireCurrentEpoch(ids.cid, 4)
  })
})
