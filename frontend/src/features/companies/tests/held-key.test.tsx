import { act, cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { sessionStore } from '@/api/session'
import { fromBase64url, toBase64url, type Bytes } from '@/crypto/bytes'
import { makeCompanySecrets } from '@/crypto/company-secrets'
import { openRawCompanyKey } from '@/crypto/envelopes'
import { sealNewKeys } from '@/crypto/key-bundle'
import { openKeyHandover, readKeyHandover, sealKeyHandover } from '@/crypto/key-handover'
import { keyring } from '@/crypto/keyring'
import { makePrivateKeys, publicKeysOf } from '@/crypto/member-keys'
import { QuickWorker } from '@/crypto/testing/quick-worker'
import { makeUserKeys } from '@/crypto/user-keys'
import { wordsFor } from '@/crypto/words'
import { changeLanguage } from '@/i18n/i18n'
import { fillIn } from '@/testing/fill-in'
import { renderWithProviders } from '@/testing/render'
import { fail, ok, serve } from '@/testing/server'
import { aMember } from '@/testing/users'
import HeldKeyDialog from '../HeldKeyDialog'

const password = 'mosaic-Tile-2026'
const secret = 'three clouds, one mosaic'
const user = aMember({ isKeyHolder: true })
const ids = { uid: user.uuid, cid: user.companyUuid }
const leader = { uuid: '22222222-2222-4222-8222-222222222222', keys: makePrivateKeys() }
const keys = makePrivateKeys()
const publicKeys = toBase64url(publicKeysOf(keys).encoded)
const own = {
  since: '2026-11-06T12:00:00Z',
  isCurrent: true,
  leaderUuid: leader.uuid,
  leaderName: 'Grace Lee',
  leaderNeedsKey: false,
  handedOver: false,
  leaderPublicKeys: toBase64url(publicKeysOf(leader.keys).encoded),
}
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))
let userKeys: Awaited<ReturnType<typeof makeUserKeys>>
let raw: Bytes
let sealed: { data: string; senderKeys: string; senderName: string; passphrase: string }
let leadersWords: string
let signedByOthers: string
let envelope: string

beforeEach(async () => {
  vi.stubGlobal('Worker', QuickWorker)
  userKeys = await makeUserKeys(password, ids)
  const leaderIds = { uid: leader.uuid, cid: ids.cid }
  const pair = await makeCompanySecrets(secret, leaderIds, userKeys.key, 4)
  raw = (await openRawCompanyKey(pair.split('~')[0]!, userKeys.key, leaderIds)).raw
  const bound = { company: ids.cid, sender: leader.uuid, recipient: ids.uid, epoch: 4 }
  sealed = {
    data: toBase64url(await sealKeyHandover(raw, publicKeysOf(keys), bound, leader.keys)),
    senderKeys: toBase64url(publicKeysOf(leader.keys).encoded),
    senderName: 'Grace Lee',
    passphrase: pair.split('~')[1]!,
  }
  signedByOthers = toBase64url(await sealKeyHandover(raw, publicKeysOf(keys), bound, keys))
  leadersWords = await wordsFor(publicKeysOf(leader.keys), leaderIds)
  envelope = await sealNewKeys(keys, ids, userKeys.key)
  keyring.hold(userKeys.key, ids)
  sessionStore.signIn('t', user)
})

afterEach(async () => {
  await act(() => changeLanguage('en'))
  act(() => sessionStore.signOut('expired'))
  vi.unstubAllGlobals()
  localStorage.clear()
})

function open(held: object | null, more: Parameters<typeof serve>[0] = {}) {
  const { data, senderKeys, senderName } = sealed
  let current = held
  const server = serve({
    'GET /api/company/held-key': () => ok(current),
    'GET /api/company/held-key/passphrase': () => ok(sealed),
    'GET /api/company/held-key/sealed': () => ok({ data, senderKeys, senderName }),
    'PUT /api/company/held-key/leader': () => {
      current = { ...own, leaderNeedsKey: true, handedOver: true }
      return ok()
    },
    'GET /api/storage/keys': () => ok({ publicKeys, envelope, revision: 1 }),
    'GET /api/auth/login-token': () => ok({ user, salt: userKeys.salt, sealedUserKey: userKeys.userKey }),
    ...more,
  })
  renderWithProviders(<HeldKeyDialog onClose={vi.fn()} />, { withToasts: true })
  return server
}

async function compare(words: string) {
  await fillIn(userEvent, await screen.findByLabelText('Six words of Grace Lee'), words)
  await press('Compare and continue')
}

describe('the key of the second holder', () => {
  it('opens the passphrase in the browser', async () => {
    const server = open(own)
    expect(await screen.findByText('Key holder since November 6, 2026')).toBeVisible()
    await press('Reveal passphrase')
    await compare(leadersWords)
    expect(await screen.findByText(secret)).toBeVisible()
    const sent = JSON.stringify(server.calls)
    expect(sent).not.toContain(secret)
    expect(sent).not.toContain(toBase64url(raw))
  })

  it('is unlocked with the password after a reload', async () => {
    keyring.lock()
    const server = open(own)
    await screen.findByText(/You are the second key holder/)
    await press('Reveal passphrase')
    await fillIn(userEvent, await screen.findByLabelText('Password'), 'wrong')
    await press('Unlock')
    expect(await screen.findByText('This password does not unlock your keys.')).toBeVisible()
    expect(server.to('GET /api/company/held-key/passphrase')).toHaveLength(0)
    await userEvent.clear(screen.getByLabelText('Password'))
    await fillIn(userEvent, screen.getByLabelText('Password'), password)
    await press('Unlock')
    await compare(leadersWords)
    expect(await screen.findByText(secret)).toBeVisible()
  })

  it('asks for the leader’s words once in this browser, and for each new key again', async () => {
    open(own)
    await screen.findByText(/You are the second key holder/)
    await press('Reveal passphrase')
    await compare('zoo zoo zoo zoo zoo zoo')
    expect(await screen.findByText(/These words do not match the keys of Grace Lee/)).toBeVisible()
    await userEvent.clear(screen.getByLabelText('Six words of Grace Lee'))
    await compare(leadersWords)
    expect(await screen.findByText(secret)).toBeVisible()
    cleanup()
    open(own)
    await screen.findByText(/You are the second key holder/)
    await press('Reveal passphrase')
    expect(await screen.findByText(secret)).toBeVisible()
    cleanup()
    const bound = { company: ids.cid, sender: leader.uuid, recipient: ids.uid, epoch: 4 }
    const renewed = toBase64url(await sealKeyHandover(raw, publicKeysOf(keys), bound, leader.keys))
    open(own, { 'GET /api/company/held-key/passphrase': () => ok({ ...sealed, data: renewed }) })
    await screen.findByText(/You are the second key holder/)
    await press('Reveal passphrase')
    expect(await screen.findByLabelText('Six words of Grace Lee')).toBeVisible()
  })

  it('is refused when the server made it with keys of its own', async () => {
    const forger = makePrivateKeys()
    const bound = { company: ids.cid, sender: leader.uuid, recipient: ids.uid, epoch: 4 }
    const data = toBase64url(await sealKeyHandover(raw, publicKeysOf(keys), bound, forger))
    const senderKeys = toBase64url(publicKeysOf(forger).encoded)
    open(own, { 'GET /api/company/held-key/passphrase': () => ok({ ...sealed, data, senderKeys }) })
    await screen.findByText(/You are the second key holder/)
    await press('Reveal passphrase')
    await compare(leadersWords)
    expect(await screen.findByText(/These words do not match the keys of Grace Lee/)).toBeVisible()
    expect(screen.queryByText(secret)).toBeNull()
  })

  it.each([
    ['comes from somebody who has left', () => ({ senderName: null })],
    ['is not signed', () => ({ data: toBase64url(fromBase64url(sealed.data)!.slice(0, 1205)) })],
  ])('says when it %s', async (_, changes) => {
    open(own, { 'GET /api/company/held-key/passphrase': () => ok({ ...sealed, ...changes() }) })
    await screen.findByText(/You are the second key holder/)
    await press('Reveal passphrase')
    expect(await screen.findByRole('alert')).toHaveTextContent('Ask your team leader to renew it.')
  })

  it.each([
    ['is signed by other keys than its sender’s', () => ({ data: signedByOthers })],
    ['opens another passphrase', () => ({ passphrase: sealed.passphrase.slice(0, -4) + 'AAAA' })],
  ])('says when it %s', async (_, changes) => {
    open(own, { 'GET /api/company/held-key/passphrase': () => ok({ ...sealed, ...changes() }) })
    await screen.findByText(/You are the second key holder/)
    await press('Reveal passphrase')
    await compare(leadersWords)
    expect(await screen.findByRole('alert')).toHaveTextContent('Ask your team leader to renew it.')
  })

  it('says what the server refuses', async () => {
    open(own, { 'GET /api/company/held-key/passphrase': () => fail(409, 'key_holder_outdated', 'It has changed.') })
    await screen.findByText(/You are the second key holder/)
    await press('Reveal passphrase')
    expect(await screen.findByRole('alert')).toHaveTextContent('It has changed.')
  })

  it('goes to a leader who has none, sealed and signed', async () => {
    const server = open({ ...own, leaderNeedsKey: true })
    const words = await wordsFor(publicKeysOf(leader.keys), { uid: leader.uuid, cid: ids.cid })
    await userEvent.click(await screen.findByRole('button', { name: 'Hand over the key' }))
    const field = screen.getByLabelText('Six words of Grace Lee')
    await fillIn(userEvent, field, 'zoo zoo zoo zoo zoo zoo')
    await press('Hand over the key')
    expect(await screen.findByText(/These words do not match the keys of Grace Lee/)).toBeVisible()
    expect(server.to('GET /api/company/held-key/sealed')).toHaveLength(0)
    await userEvent.clear(field)
    await fillIn(userEvent, field, words)
    await press('Hand over the key')
    // The key came from the leader, whose words are therefore asked for in both directions.
    await compare('zoo zoo zoo zoo zoo zoo')
    expect(await screen.findByText(/These words do not match the keys of Grace Lee/)).toBeVisible()
    expect(server.to('PUT /api/company/held-key/leader')).toHaveLength(0)
    await userEvent.clear(screen.getByLabelText('Six words of Grace Lee'))
    await compare(words)
    expect(await screen.findByText('Key handed over to Grace Lee')).toBeVisible()
    expect(await screen.findByText(/Grace Lee has to open “Passphrase” once/)).toBeVisible()
    const { keyHandover } = server.to('PUT /api/company/held-key/leader')[0]!.body as { keyHandover: string }
    const handover = readKeyHandover(fromBase64url(keyHandover)!)
    expect(handover).toMatchObject({ sender: ids.uid, recipient: leader.uuid, epoch: 4 })
    expect(await openKeyHandover(handover, ids.cid, leader.keys, publicKeysOf(keys))).toEqual(raw)
    // Nothing was shown, so nothing is recorded as such.
    expect(server.to('GET /api/company/held-key/passphrase')).toHaveLength(0)
    expect(JSON.stringify(server.calls)).not.toContain(toBase64url(raw))
  })

  it('waits for a leader without keys', async () => {
    open({ ...own, leaderNeedsKey: true, leaderPublicKeys: null })
    expect(await screen.findByText(/To receive the key, Grace Lee first needs keys/)).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Hand over the key' })).toBeNull()
  })

  it.each([
    ['en', 'you hold the key of the former passphrase', { ...own, isCurrent: false }],
    ['tr', 'sizdeki anahtar önceki parola cümlesine ait', { ...own, isCurrent: false }],
    ['ar', 'لديك مفتاح عبارة المرور السابقة', { ...own, isCurrent: false }],
    ['en', 'You are no longer the second key holder.', null],
  ] as const)('opens nothing when outdated or gone, in %s: %s', async (language, sentence, held) => {
    await act(() => changeLanguage(language))
    // The right-to-left styles of dialogs are fetched.
    await act(async () => {
      open(held)
    })
    expect(await screen.findByText(new RegExp(sentence))).toBeVisible()
    // Close, and the question what a key holder is.
    expect(screen.getAllByRole('button')).toHaveLength(2)
  })
})
