import { describe, expect, it } from 'vitest'
import { toUtf8 } from './bytes'
import { deriveMasterKey } from './derive-here'
import { uuidBytes } from './headers'
import { importKey } from './jwe'
import { decodeKeyBundle, openKeyBundle, sealNewKeys } from './key-bundle'
import { openKeyHandover, readKeyHandover, sealKeyHandover } from './key-handover'
import {
  encodePrivateKeys,
  fingerprintOf,
  makePrivateKeys,
  openSealed,
  publicKeysOf,
  readPublicKeys,
  sealTo,
  sign,
  verify,
  type PrivateKeys,
} from './member-keys'
import { fromBase64, fromHex, storageVectors, toHex } from './testing/vectors'
import { normaliseWords, wordsOf } from './words'

const { company, people, keyEnvelope, keyHandovers, mustFail } = storageVectors
const codes = { malformed: 'malformed', not_authentic: 'cannotOpen' }

function privateKeys(hex: string): PrivateKeys {
  const bytes = fromHex(hex)
  return { signSeed: bytes.slice(1, 33), kemSeed: bytes.slice(33) }
}

const [leader, member] = people.map((person) => privateKeys(person.privateKeys)) as [PrivateKeys, PrivateKeys]

describe('the keys of a person', () => {
  it.each(people)('are those of the vectors: $user', async (person) => {
    const keys = privateKeys(person.privateKeys)
    const publicKeys = readPublicKeys(fromBase64(person.publicKeys))
    expect(publicKeysOf(keys)).toEqual(publicKeys)
    expect(toHex(fingerprintOf(publicKeys))).toBe(person.fingerprint)
    const { message, signature } = person.signature
    expect(toHex(sign(keys, toUtf8(message)))).toBe(signature)
    verify(publicKeys, fromHex(signature), toUtf8(message))
    const opened = await openSealed(keys, fromBase64(person.sealed.data), toUtf8(person.sealed.info))
    expect(new TextDecoder().decode(opened)).toBe(person.sealed.plaintext)
  })

  it('open what is sealed to them, for its purpose only', async () => {
    const keys = makePrivateKeys()
    const sealed = await sealTo(publicKeysOf(keys), toUtf8('a secret'), toUtf8('info'))
    expect(new TextDecoder().decode(await openSealed(keys, sealed, toUtf8('info')))).toBe('a secret')
    await expect(openSealed(keys, sealed, toUtf8('another'))).rejects.toMatchObject({ code: 'cannotOpen' })
    await expect(openSealed(makePrivateKeys(), sealed, toUtf8('info'))).rejects.toMatchObject({ code: 'cannotOpen' })
  })

  it.each([...mustFail.publicKeys, ...mustFail.signingKeys])('are refused: $reason', ({ data, error }) => {
    expect(() => readPublicKeys(fromBase64(data))).toThrow(expect.objectContaining({ code: codes[error] }))
  })
})

it.each(storageVectors.signatures)('a signature has the verdict of the vectors: $about', (vector) => {
  const keys = readPublicKeys(fromBase64(vector.publicKeys))
  const check = () => verify(keys, fromHex(vector.signature), toUtf8(vector.message))
  if (vector.valid) expect(check).not.toThrow()
  else expect(check).toThrow(expect.objectContaining({ code: 'cannotOpen' }))
})

describe('six words', () => {
  it('stand for the keys', async () => {
    const { user, publicKeys, words } = people[0]!
    const secret = Uint8Array.from([...toUtf8('tessera/v1/words'), ...fromBase64(publicKeys)])
    const salt = Uint8Array.from([...uuidBytes(company), ...uuidBytes(user)])
    expect(wordsOf(await deriveMasterKey(secret, salt))).toBe(words)
  })

  it('are read in capitals, with hyphens, and by four letters', () => {
    expect(normaliseWords(' Abandon-abil ABLE  about abov zoo')).toBe('abandon ability able about above zoo')
  })

  it.each([...mustFail.words, 'abandon ability able about above zoo zoo', 'abandon ability able about above zooo'])(
    'are refused: %s',
    (text) => {
      expect(() => normaliseWords(text)).toThrow('Six words')
    },
  )
})

describe('the envelope of the keys', () => {
  const ids = { uid: keyEnvelope.user, cid: company }

  it('opens to the keys and the pinned leader', async () => {
    const bundle = await openKeyBundle(keyEnvelope.envelope, ids, await importKey(fromHex(keyEnvelope.userKey)))
    expect(toHex(encodePrivateKeys(bundle.keys))).toBe(keyEnvelope.privateKeys)
    expect(bundle.leader?.uuid).toBe(keyEnvelope.leader.user)
    expect(toHex(bundle.leader!.fingerprint)).toBe(keyEnvelope.leader.fingerprint)
  })

  it('opens after keys were made', async () => {
    const userKey = await importKey(fromHex(keyEnvelope.userKey))
    const keys = makePrivateKeys()
    const bundle = await openKeyBundle(await sealNewKeys(keys, ids, userKey), ids, userKey)
    expect(bundle).toEqual({ keys, leader: null })
  })

  it.each(mustFail.keyEnvelopes)('is refused: $reason', async ({ envelope, error }) => {
    const opening = openKeyBundle(envelope, ids, await importKey(fromHex(keyEnvelope.userKey)))
    await expect(opening).rejects.toMatchObject({ code: codes[error] })
  })

  it.each(mustFail.keyBundles)('is refused when it holds: $reason', ({ data, error }) => {
    expect(() => decodeKeyBundle(fromBase64(data))).toThrow(expect.objectContaining({ code: codes[error] }))
  })
})

describe('a key handover', () => {
  it.each(keyHandovers)('opens to the company key: epoch $epoch', async (vector) => {
    const handover = readKeyHandover(fromBase64(vector.data))
    const { sender, recipient, epoch } = vector
    expect(handover).toMatchObject({ sender, recipient, epoch })
    expect(toHex(await openKeyHandover(handover, company, member, publicKeysOf(leader)))).toBe(vector.companyKey)
  })

  it('opens after sealing, for this company only', async () => {
    const { sender, recipient, companyKey } = keyHandovers[0]!
    const ids = { company, sender, recipient, epoch: 5 }
    const data = await sealKeyHandover(fromHex(companyKey), publicKeysOf(member), ids, leader)
    expect(data.length).toBe(1269)
    const handover = readKeyHandover(data)
    expect(toHex(await openKeyHandover(handover, company, member, publicKeysOf(leader)))).toBe(companyKey)
    await expect(openKeyHandover(handover, sender, member, publicKeysOf(leader))).rejects.toThrow('signature')
  })

  it.each(['sender', 'recipient', 'epoch', 'sealed', 'signature', 'signer'] as const)(
    'does not open with another %s',
    async (part) => {
      const { sender, recipient, companyKey } = keyHandovers[0]!
      const ids = { company, sender, recipient, epoch: 5 }
      const forger = makePrivateKeys()
      const seal = async (key: Uint8Array<ArrayBuffer>, by: PrivateKeys) =>
        readKeyHandover(await sealKeyHandover(key, publicKeysOf(member), ids, by))
      const genuine = await seal(fromHex(companyKey), leader)
      // Sealed properly: HPKE alone would open it.
      const forged = await seal(new Uint8Array(32), forger)
      const other = {
        sender: company,
        recipient: company,
        epoch: 6,
        sealed: forged.sealed,
        signature: forged.signature,
      }
      const handover = part === 'signer' ? forged : { ...genuine, [part]: other[part] }
      await expect(openKeyHandover(handover, company, member, publicKeysOf(leader))).rejects.toThrow('signature')
    },
  )

  it.each(mustFail.keyHandovers)('is refused: $reason', async ({ data, error }) => {
    const read = async () => {
      const handover = readKeyHandover(fromBase64(data))
      return openKeyHandover(handover, company, member, publicKeysOf(leader))
    }
    await expect(read()).rejects.toMatchObject({ code: codes[error] })
  })
})
