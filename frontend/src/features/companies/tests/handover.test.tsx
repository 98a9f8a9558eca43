import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { concat, toBase64url, u32, type Bytes } from '@/crypto/bytes'
import { openPassphrase } from '@/crypto/company-secrets'
import { openRawCompanyKey, sealStorageKeys } from '@/crypto/envelopes'
import { uuidBytes } from '@/crypto/headers'
import { sealNewKeys } from '@/crypto/key-bundle'
import { sealKeyHandover } from '@/crypto/key-handover'
import { keyring } from '@/crypto/keyring'
import { encodePrivateKeys, fingerprintOf, makePrivateKeys, publicKeysOf, type PrivateKeys } from '@/crypto/member-keys'
import { rememberEpoch } from '@/crypto/seen-epochs'
import { wordsFor } from '@/crypto/words'
import { fillIn } from '@/testing/fill-in'
import { fail, ok } from '@/testing/server'
import { ids, open, press, secret, withPassphrase } from './open-passphrase'

const stored = withPassphrase()
const sender = '11111111-1111-4111-8111-111111111111'
const keys = makePrivateKeys()
const publicKeys = toBase64url(publicKeysOf(keys).encoded)
let rawCompanyKey: Bytes
let envelope: string

beforeEach(async () => {
  rawCompanyKey = (await openRawCompanyKey(stored.pair.split('~')[0]!, keyring.userKey(), ids)).raw
  envelope = await sealNewKeys(keys, ids, keyring.userKey())
})

afterEach(() => localStorage.clear())

const sendersKeys = makePrivateKeys()
const senderKeys = toBase64url(publicKeysOf(sendersKeys).encoded)

type Changes = { companyKey?: Bytes; signer?: PrivateKeys; company?: string; recipient?: string; answer?: object }

async function openHandedOver({ companyKey = rawCompanyKey, signer = sendersKeys, answer, ...changes }: Changes = {}) {
  const bound = { company: ids.cid, sender, recipient: ids.uid, epoch: 4, ...changes }
  const data = toBase64url(await sealKeyHandover(companyKey, publicKeysOf(keys), bound, signer))
  const passphrase = stored.pair.split('~')[1]!
  return open(stored, {
    'GET /api/company/passphrase': () =>
      fail(404, 'passphrase_locked', 'You cannot open it.', { epoch: 4, handedOver: true }),
    'GET /api/company/passphrase/handover': () =>
      ok({ data, senderKeys, passphrase, senderName: 'Omar Haddad', ...answer }),
    'PUT /api/company/passphrase/handover': () => ok(),
    'GET /api/storage/keys': () => ok({ publicKeys, envelope, revision: 1 }),
  })
}

/** The envelope of a user whose client has compared the words of this leader. */
async function pinTo(server: Awaited<ReturnType<typeof openHandedOver>>, leader: Uint8Array, fingerprint: Uint8Array) {
  const bundle = new Uint8Array(4096)
  const pin = concat(Uint8Array.of(1), leader, fingerprint, u32(0))
  bundle.set(concat(Uint8Array.of(1), encodePrivateKeys(keys), pin))
  const pinned = await sealStorageKeys(bundle, ids, 1, keyring.userKey())
  server.handlers['GET /api/storage/keys'] = () => ok({ publicKeys, envelope: pinned, revision: 1 })
}

async function compare(words: string) {
  const field = await screen.findByLabelText('Six words of Omar Haddad')
  await userEvent.clear(field)
  await fillIn(userEvent, field, words)
  await press('Compare and continue')
}

const sendersWords = () => wordsFor(publicKeysOf(sendersKeys), { uid: sender, cid: ids.cid })

describe('a passphrase that the former leader handed over', () => {
  it('is revealed without being typed, and its key is stored for the new leader', async () => {
    const server = await openHandedOver()
    await press('Reveal')
    await compare('zoo zoo zoo zoo zoo zoo')
    expect(await screen.findByText(/These words do not match the keys of Omar Haddad/)).toBeVisible()
    expect(server.to('PUT /api/company/passphrase/handover')).toHaveLength(0)
    await compare(await sendersWords())
    expect(await screen.findByText(secret)).toBeVisible()
    expect(screen.getByText('Passphrase received')).toBeVisible()
    const [call] = server.to('PUT /api/company/passphrase/handover')
    const { companyKey } = call!.body as { companyKey: string }
    expect(await openPassphrase(`${companyKey}~${stored.pair.split('~')[1]!}`, keyring)).toBe(secret)
    const sent = JSON.stringify(server.calls)
    expect(sent).not.toContain(secret)
    expect(sent).not.toContain(toBase64url(rawCompanyKey))
  })

  it('needs no words where the client has compared those of this leader', async () => {
    const server = await openHandedOver()
    await pinTo(server, uuidBytes(sender), fingerprintOf(publicKeysOf(sendersKeys)))
    await press('Reveal')
    expect(await screen.findByText(secret)).toBeVisible()
    expect(server.to('PUT /api/company/passphrase/handover')).toHaveLength(1)
  })

  it.each([
    ['another leader', uuidBytes(ids.uid), fingerprintOf(publicKeysOf(sendersKeys))],
    ['other keys of this leader', uuidBytes(sender), fingerprintOf(publicKeysOf(keys))],
  ])('needs the words where the client knows %s', async (_, leader, fingerprint) => {
    const server = await openHandedOver()
    await pinTo(server, leader, fingerprint)
    await press('Reveal')
    await compare(await sendersWords())
    expect(await screen.findByText(secret)).toBeVisible()
    expect(server.to('PUT /api/company/passphrase/handover')).toHaveLength(1)
  })

  it('is not received when the server made it with keys of its own', async () => {
    const forger = makePrivateKeys()
    const server = await openHandedOver({
      signer: forger,
      answer: { senderKeys: toBase64url(publicKeysOf(forger).encoded) },
    })
    await press('Reveal')
    await compare(await sendersWords())
    expect(await screen.findByText(/These words do not match the keys of Omar Haddad/)).toBeVisible()
    expect(server.to('PUT /api/company/passphrase/handover')).toHaveLength(0)
  })

  it.each<[string, Changes]>([
    ['opens another passphrase', { companyKey: new Uint8Array(32) }],
    ['is not signed by the sender’s keys', { signer: keys }],
    ['was sealed for another company', { company: sender }],
  ])('is typed instead when the key %s', async (_, changes) => {
    const server = await openHandedOver(changes)
    await press('Reveal')
    await compare(await sendersWords())
    expect(await screen.findByText(/handed over to you, but your keys cannot open it/)).toBeVisible()
    expect(screen.getByLabelText('Passphrase')).toBeVisible()
    expect(server.to('PUT /api/company/passphrase/handover')).toHaveLength(0)
  })

  it.each<[string, Changes]>([
    ['is for somebody else', { recipient: '33333333-3333-4333-8333-333333333333' }],
    ['comes from somebody who has left', { answer: { senderName: null } }],
    ['is not signed', { answer: { data: toBase64url(new Uint8Array(1205)) } }],
  ])('is typed at once when the key %s', async (_, changes) => {
    const server = await openHandedOver(changes)
    await press('Reveal')
    expect(await screen.findByText(/handed over to you, but your keys cannot open it/)).toBeVisible()
    expect(server.to('PUT /api/company/passphrase/handover')).toHaveLength(0)
  })

  it('is refused when it is of an earlier passphrase than this browser has seen', async () => {
    const server = await openHandedOver()
    const { handlers } = server
    handlers['GET /api/company/passphrase'] = () => {
      // The server hides the change between the two answers.
      rememberEpoch(ids.cid, 5)
      return fail(404, 'passphrase_locked', '', { epoch: 5, handedOver: true })
    }
    await press('Reveal')
    await compare(await sendersWords())
    expect(await screen.findByRole('alert')).toBeVisible()
    expect(server.to('PUT /api/company/passphrase/handover')).toHaveLength(0)
    expect(screen.queryByText(secret)).toBeNull()
  })

  it('is typed instead when the server has swapped the public keys', async () => {
    const other = toBase64url(publicKeysOf(makePrivateKeys()).encoded)
    const server = await openHandedOver()
    server.handlers['GET /api/storage/keys'] = () => ok({ publicKeys: other, envelope, revision: 1 })
    await press('Reveal')
    expect(await screen.findByText(/handed over to you, but your keys cannot open it/)).toBeVisible()
  })
})
