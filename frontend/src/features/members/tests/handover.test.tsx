import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { sessionStore } from '@/api/session'
import { fromBase64url, toBase64url } from '@/crypto/bytes'
import { makeCompanySecrets } from '@/crypto/company-secrets'
import { openRawCompanyKey } from '@/crypto/envelopes'
import { sealNewKeys } from '@/crypto/key-bundle'
import { openKeyHandover, readKeyHandover } from '@/crypto/key-handover'
import { keyring } from '@/crypto/keyring'
import { makePrivateKeys, publicKeysOf, readPublicKeys } from '@/crypto/member-keys'
import { rememberEpoch } from '@/crypto/seen-epochs'
import { QuickWorker } from '@/crypto/testing/quick-worker'
import { makeUserKeys } from '@/crypto/user-keys'
import { wordsFor } from '@/crypto/words'
import { fillIn } from '@/testing/fill-in'
import { renderWithProviders } from '@/testing/render'
import { fail, ok, serve } from '@/testing/server'
import { aLeader } from '@/testing/users'
import { ReassignDialog } from '../page/ReassignDialog'
import { aMemberRow } from '@/testing/members'

const password = 'mosaic-Tile-2026'
const user = aLeader()
const ids = { uid: user.uuid, cid: user.companyUuid }
const omar = aMemberRow()
const omarsKeys = makePrivateKeys()
const path = `PUT /api/user/team-leader/${omar.uuid}`
let userKeys: Awaited<ReturnType<typeof makeUserKeys>>
let pair: string
let words: string

beforeEach(async () => {
  vi.stubGlobal('Worker', QuickWorker)
  userKeys = await makeUserKeys(password, ids)
  pair = await makeCompanySecrets('three clouds, one mosaic', ids, userKeys.key, 3)
  words = await wordsFor(publicKeysOf(omarsKeys), { uid: omar.uuid, cid: ids.cid })
  keyring.hold(userKeys.key, ids)
  sessionStore.signIn('t', user)
})

afterEach(() => {
  act(() => sessionStore.signOut('expired'))
  vi.unstubAllGlobals()
  localStorage.clear()
})

function open(more: Parameters<typeof serve>[0] = {}) {
  const server = serve({
    [`GET /api/user/${omar.uuid}/public-keys`]: () => ok({ publicKeys: toBase64url(publicKeysOf(omarsKeys).encoded) }),
    'GET /api/company/key-holder': () => ok(null),
    'GET /api/company/passphrase': () => new Response(pair),
    'GET /api/storage/keys': () => fail(404, 'storage_keys_missing'),
    'PUT /api/storage/keys': ({ body }) => ok({ ...(body as object), revision: 1 }),
    'GET /api/auth/login-token': () => ok({ user, salt: userKeys.salt, sealedUserKey: userKeys.userKey }),
    [path]: () => ok(omar),
    ...more,
  })
  renderWithProviders(<ReassignDialog member={omar} company={null} onClose={vi.fn()} />, { withToasts: true })
  return server
}

async function handOver(typed: string) {
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Hand over the passphrase too' }))
  expect(screen.getByRole('button', { name: 'Change team leader' })).toBeDisabled()
  await fillIn(userEvent, await screen.findByLabelText('Six words of Omar Haddad'), typed)
}

const confirm = () => userEvent.click(screen.getByRole('button', { name: 'Change team leader' }))

async function sentTo(server: ReturnType<typeof open>) {
  expect(await screen.findByText('Team Leader Changed')).toBeVisible()
  const { keyHandover } = server.to(path)[0]!.body as { keyHandover: string }
  return readKeyHandover(fromBase64url(keyHandover)!)
}

describe('handing the passphrase over with leadership', () => {
  it('makes the leader’s keys first, and seals the company key to the keys that the words stand for', async () => {
    const { raw } = await openRawCompanyKey(pair.split('~')[0]!, userKeys.key, ids)
    const server = open()
    await handOver(words.toUpperCase())
    await confirm()
    const handover = await sentTo(server)
    expect(handover).toMatchObject({ sender: user.uuid, recipient: omar.uuid, epoch: 3 })
    const [made] = server.to('PUT /api/storage/keys')
    const sender = readPublicKeys(fromBase64url((made!.body as { publicKeys: string }).publicKeys)!)
    expect(await openKeyHandover(handover, ids.cid, omarsKeys, sender)).toEqual(raw)
    expect(JSON.stringify(server.calls)).not.toContain(toBase64url(raw))
    await waitFor(() => expect(sessionStore.get().status).toBe('guest'))
  })

  it('signs it with the leader’s keys, and unlocks them with the password', async () => {
    const keys = makePrivateKeys()
    const publicKeys = toBase64url(publicKeysOf(keys).encoded)
    const envelope = await sealNewKeys(keys, ids, userKeys.key)
    keyring.lock()
    const server = open({ 'GET /api/storage/keys': () => ok({ publicKeys, envelope, revision: 1 }) })
    await handOver(words)
    await fillIn(userEvent, screen.getByLabelText('Your password'), 'wrong')
    await confirm()
    expect(await screen.findByText('This password does not unlock your keys.')).toBeVisible()
    expect(server.to(path)).toHaveLength(0)
    await userEvent.clear(screen.getByLabelText('Your password'))
    await fillIn(userEvent, screen.getByLabelText('Your password'), password)
    await confirm()
    await openKeyHandover(await sentTo(server), ids.cid, omarsKeys, publicKeysOf(keys))
    expect(server.to('PUT /api/storage/keys')).toHaveLength(0)
    expect(JSON.stringify(server.calls)).not.toContain(password)
  })

  it.each([
    ['zoo zoo zoo zoo zoo zoo', /These words do not match the keys of Omar Haddad/],
    ['just three words', /Enter six words of the list/],
  ])('changes nothing after the words %s', async (typed, message) => {
    const server = open()
    await handOver(typed)
    await confirm()
    expect(await screen.findByText(message)).toBeVisible()
    expect(server.to(path)).toHaveLength(0)
    expect(server.to('GET /api/company/passphrase')).toHaveLength(0)
  })

  it('changes nothing when the leader’s keys were locked by a reset', async () => {
    const publicKeys = toBase64url(publicKeysOf(makePrivateKeys()).encoded)
    const server = open({ 'GET /api/storage/keys': () => ok({ publicKeys, envelope: null, revision: 1 }) })
    await handOver(words)
    await confirm()
    expect(await screen.findByRole('alert')).toHaveTextContent('Your password was reset')
    expect(server.to('GET /api/company/passphrase')).toHaveLength(0)
    expect(server.to(path)).toHaveLength(0)
  })

  it('changes nothing when the server answers the key of an earlier passphrase', async () => {
    rememberEpoch(ids.cid, 4)
    const server = open()
    await handOver(words)
    await confirm()
    await waitFor(() => expect(server.to('GET /api/company/passphrase')).toHaveLength(1))
    await waitFor(() => expect(screen.getByRole('button', { name: 'Change team leader' })).toBeEnabled())
    expect(server.to(path)).toHaveLength(0)
  })

  it('changes nothing when the server has swapped the new leader’s keys', async () => {
    const swapped = toBase64url(publicKeysOf(makePrivateKeys()).encoded)
    const server = open({ [`GET /api/user/${omar.uuid}/public-keys`]: () => ok({ publicKeys: swapped }) })
    await handOver(words)
    await confirm()
    expect(await screen.findByText(/These words do not match the keys of Omar Haddad/)).toBeVisible()
    expect(server.to(path)).toHaveLength(0)
  })

  it('changes nothing when the leader cannot open the passphrase', async () => {
    const server = open({ 'GET /api/company/passphrase': () => fail(404, 'passphrase_locked', '', { epoch: 3 }) })
    await handOver(words)
    await confirm()
    expect(await screen.findByRole('alert')).toHaveTextContent('Your keys cannot open the passphrase')
    expect(server.to(path)).toHaveLength(0)
  })

  it('is not needed for the second key holder', async () => {
    const holder = { uuid: omar.uuid, firstName: 'Omar', lastName: 'Haddad', since: '', isCurrent: true }
    const server = open({ 'GET /api/company/key-holder': () => ok(holder) })
    expect(await screen.findByText(/is the second key holder and keeps the key/)).toBeVisible()
    expect(screen.queryByRole('checkbox')).toBeNull()
    await confirm()
    await waitFor(() => expect(server.to(path)[0]?.body).toEqual({ keyHandover: null }))
  })

  it('is not offered for a member without keys, and says what they can do', async () => {
    const server = open({ [`GET /api/user/${omar.uuid}/public-keys`]: () => ok({ publicKeys: null }) })
    expect(await screen.findByText(/ask them to open “Your six words” in their profile/)).toBeVisible()
    await waitFor(() => expect(server.to(`GET /api/user/${omar.uuid}/public-keys`)).toHaveLength(1))
    expect(screen.queryByRole('checkbox')).toBeNull()
    await confirm()
    await waitFor(() => expect(server.to(path)[0]?.body).toEqual({ keyHandover: null }))
  })
})
