import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { concat, toBase64url, u32, type Bytes } from '@/crypto/bytes'
import { openPassphrase } from '@/crypto/company-secrets'
import { openRawCompanyKey, sealStorageKeys } from '@/crypto/envelopes'
import { sealNewKeys } from '@/crypto/key-bundle'
import { sealKeyHandover } from '@/crypto/key-handover'
import { keyring } from '@/crypto/keyring'
import { encodePrivateKeys, makePrivateKeys, publicKeysOf, type PrivateKeys } from '@/crypto/member-keys'
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

type Changes = { companyKey?: Bytes; senderKeys?: string | null; signer?: PrivateKeys | null }

async function openHandedOver({ companyKey = rawCompanyKey, senderKeys = null, signer = null }: Changes = {}) {
  const bound = { company: ids.cid, sender, recipient: ids.uid, epoch: 4 }
  const data = toBase64url(await sealKeyHandover(companyKey, publicKeysOf(keys), bound, signer))
  const passphrase = stored.pair.split('~')[1]!
  return open(stored, {
    'GET /api/company/passphrase': () =>
      fail(404, 'passphrase_locked', 'You cannot open it.', { epoch: 4, handedOver: true }),
    'GET /api/company/passphrase/handover': () => ok({ data, senderKeys, passphrase, senderName: 'Omar Haddad' }),
    'PUT /api/company/passphrase/handover': () => ok(),
    'GET /api/storage/keys': () => ok({ publicKeys, envelope, revision: 1 }),
  })
}

describe('a passphrase that the former leader handed over', () => {
  it('is revealed without being typed, and its key is stored for the new leader', async () => {
    const server = await openHandedOver()
    await press('Reveal')
    expect(await screen.findByText(secret)).toBeVisible()
    expect(screen.getByText('Passphrase received')).toBeVisible()
    const [call] = server.to('PUT /api/company/passphrase/handover')
    const { companyKey } = call!.body as { companyKey: string }
    expect(await openPassphrase(`${companyKey}~${stored.pair.split('~')[1]!}`, keyring)).toBe(secret)
    const sent = JSON.stringify(server.calls)
    expect(sent).not.toContain(secret)
    expect(sent).not.toContain(toBase64url(rawCompanyKey))
  })

  it.each([
    ['opens another passphrase', { companyKey: new Uint8Array(32) }],
    ['is not signed by the sender’s keys', { senderKeys: publicKeys }],
  ])('is typed instead when the key %s', async (_, changes) => {
    const server = await openHandedOver(changes)
    await press('Reveal')
    expect(await screen.findByText(/handed over to you, but your keys cannot open it/)).toBeVisible()
    expect(screen.getByLabelText('Passphrase')).toBeVisible()
    expect(server.to('PUT /api/company/passphrase/handover')).toHaveLength(0)
  })

  describe('by somebody other than the leader whose words the client has compared', () => {
    const sendersKeys = makePrivateKeys()
    const senderKeys = toBase64url(publicKeysOf(sendersKeys).encoded)

    async function openFromHolder() {
      const server = await openHandedOver({ senderKeys, signer: sendersKeys })
      const pin = concat(Uint8Array.of(1), new Uint8Array(16).fill(7), new Uint8Array(32).fill(7), u32(0))
      const bundle = new Uint8Array(4096)
      bundle.set(concat(Uint8Array.of(1), encodePrivateKeys(keys), pin))
      const pinned = await sealStorageKeys(bundle, ids, 1, keyring.userKey())
      server.handlers['GET /api/storage/keys'] = () => ok({ publicKeys, envelope: pinned, revision: 1 })
      await press('Reveal')
      return server
    }

    it('is revealed after the sender’s words were compared', async () => {
      const words = await wordsFor(publicKeysOf(sendersKeys), { uid: sender, cid: ids.cid })
      const server = await openFromHolder()
      const field = await screen.findByLabelText('Six words of Omar Haddad')
      await fillIn(userEvent, field, 'zoo zoo zoo zoo zoo zoo')
      await press('Compare and receive')
      expect(await screen.findByText(/These words do not match the keys of Omar Haddad/)).toBeVisible()
      expect(server.to('PUT /api/company/passphrase/handover')).toHaveLength(0)
      await userEvent.clear(field)
      await fillIn(userEvent, field, words)
      await press('Compare and receive')
      expect(await screen.findByText(secret)).toBeVisible()
      expect(server.to('PUT /api/company/passphrase/handover')).toHaveLength(1)
    })
  })

  it('is typed instead when the server has swapped the public keys', async () => {
    const other = toBase64url(publicKeysOf(makePrivateKeys()).encoded)
    const server = await openHandedOver()
    server.handlers['GET /api/storage/keys'] = () => ok({ publicKeys: other, envelope, revision: 1 })
    await press('Reveal')
    expect(await screen.findByText(/handed over to you, but your keys cannot open it/)).toBeVisible()
  })
})
