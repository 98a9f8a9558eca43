import { describe, expect, it } from 'vitest'
import { openPassphrase } from './company-secrets'
import {
  openCompanyKey,
  openRawUserKey,
  openSealedPassphrase,
  openUserKey,
  resealCompanyKey,
  resealStorageKeys,
  sealCompanyKey,
  sealPassphrase,
  sealUserKey,
} from './envelopes'
import { maxEpoch, storageKeysHeader } from './headers'
import { importKey, openJwe } from './jwe'
import { fromHex, storageVectors, toHex, vectors } from './testing/vectors'

const { uid, cid, salt, userKeyHex, companyKeyHex, wrapKeyHex } = vectors.case
const ids = { uid, cid }
const wrapKey = await importKey(fromHex(wrapKeyHex))
const userKey = await importKey(fromHex(userKeyHex))
const companyKey = await importKey(fromHex(companyKeyHex))
const { good, mustFail } = vectors

const code = { shape: 'malformed', open: 'cannotOpen' }

describe('a user key', () => {
  it('opens to the known key', async () => {
    const raw = await openRawUserKey(good.userKey, wrapKey, ids, salt)
    expect(toHex(raw)).toBe(userKeyHex)
  })

  it('cannot be carried away once it is opened', async () => {
    const key = await openUserKey(good.userKey, wrapKey, ids, salt)
    expect(key.extractable).toBe(false)
    await expect(crypto.subtle.exportKey('raw', key)).rejects.toThrow()
  })

  it('opens after sealing, and never looks the same twice', async () => {
    const raw = fromHex(userKeyHex)
    const first = await sealUserKey(raw, wrapKey, ids, salt)
    const second = await sealUserKey(raw, wrapKey, ids, salt)
    expect(first).not.toBe(second)
    expect(first.length).toBe(good.userKey.length)
    expect(toHex(await openRawUserKey(first, wrapKey, ids, salt))).toBe(userKeyHex)
  })

  it.each(mustFail.userKey)('is refused: $reason', async ({ sees, text }) => {
    await expect(openUserKey(text, wrapKey, ids, salt)).rejects.toMatchObject({ code: code[sees] })
  })

  it('is refused for a salt, user or company in another spelling', async () => {
    const capitals = 'AAAAAAAA-AAAA-4AAA-8AAA-AAAAAAAAAAAA'
    const seal = sealUserKey(fromHex(userKeyHex), wrapKey, { uid: capitals, cid }, salt)
    await expect(seal).rejects.toMatchObject({ code: 'malformed' })
    const open = openUserKey(good.userKey, wrapKey, { uid, cid: `${cid}\n` }, salt)
    await expect(open).rejects.toMatchObject({ code: 'malformed' })
    for (const { text } of mustFail.salt) {
      await expect(openUserKey(good.userKey, wrapKey, ids, text)).rejects.toMatchObject({ code: 'malformed' })
    }
  })
})

describe('a company key', () => {
  it.each(good.companyKeys)('of epoch $epoch opens to a key that stays inside', async ({ epoch, text }) => {
    const opened = await openCompanyKey(text, userKey, ids)
    expect(opened.epoch).toBe(epoch)
    expect(opened.companyKey.extractable).toBe(false)
    const [first] = good.passphrases
    expect(await openSealedPassphrase(first?.text ?? '', opened.companyKey, cid, 1)).toBe(first?.stored)
  })

  it('opens after sealing', async () => {
    const sealed = await sealCompanyKey(fromHex(companyKeyHex), userKey, ids, maxEpoch)
    expect((await openCompanyKey(sealed, userKey, ids)).epoch).toBe(maxEpoch)
  })

  it.each([0, -1, 1.5, maxEpoch + 1, NaN])('is not sealed for epoch %s', async (epoch) => {
    const seal = sealCompanyKey(fromHex(companyKeyHex), userKey, ids, epoch)
    await expect(seal).rejects.toMatchObject({ code: 'malformed' })
  })

  it('is not sealed when it has another length', async () => {
    await expect(sealCompanyKey(new Uint8Array(16), userKey, ids, 1)).rejects.toThrow(RangeError)
  })

  it.each(mustFail.companyKey)('is refused: $reason', async ({ sees, text }) => {
    await expect(openCompanyKey(text, userKey, ids)).rejects.toMatchObject({ code: code[sees] })
  })
})

describe('what another user key seals', () => {
  const files = storageVectors.keyEnvelope
  const owner = { uid: files.user, cid: storageVectors.company }

  it('is the same company key, of the same epoch', async () => {
    const next = await importKey(crypto.getRandomValues(new Uint8Array(32)))
    const [first] = good.companyKeys
    const sealed = await resealCompanyKey(first?.text ?? '', ids, userKey, next)
    const opened = await openCompanyKey(sealed, next, ids)
    expect(opened.epoch).toBe(first?.epoch)
    const [typed] = good.passphrases
    expect(await openSealedPassphrase(typed?.text ?? '', opened.companyKey, cid, 1)).toBe(typed?.stored)
    await expect(openCompanyKey(sealed, userKey, ids)).rejects.toMatchObject({ code: 'cannotOpen' })
  })

  it('are the same keys for files, as the next revision', async () => {
    const before = await importKey(fromHex(files.userKey))
    const next = await importKey(crypto.getRandomValues(new Uint8Array(32)))
    const sealed = await resealStorageKeys(files.envelope, owner, before, next)
    const plaintext = Buffer.from(files.plaintext, 'base64')
    const opened = await openJwe(sealed, storageKeysHeader(owner, files.revision + 1), plaintext.length, next)
    expect(toHex(opened)).toBe(plaintext.toString('hex'))
  })

  it('is refused for somebody else, under another key and in another size', async () => {
    const before = await importKey(fromHex(files.userKey))
    const other = resealStorageKeys(files.envelope, ids, before, before)
    await expect(other).rejects.toMatchObject({ code: 'malformed' })
    const wrong = resealStorageKeys(files.envelope, owner, userKey, before)
    await expect(wrong).rejects.toMatchObject({ code: 'cannotOpen' })
    const short = files.envelope.split('.').map((part, index) => (index === 3 ? part.slice(0, 400) : part))
    const cut = resealStorageKeys(short.join('.'), owner, before, before)
    await expect(cut).rejects.toMatchObject({ code: 'malformed' })
  })
})

describe('a passphrase', () => {
  it.each(good.passphrases)('opens: $name', async ({ text, stored }) => {
    expect(await openSealedPassphrase(text, companyKey, cid, 1)).toBe(stored)
  })

  it.each(good.passphrases)('is sealed composed and trimmed: $name', async ({ typed, stored, text }) => {
    const sealed = await sealPassphrase(typed, companyKey, cid, 1)
    expect(sealed.length).toBe(text.length)
    expect(await openSealedPassphrase(sealed, companyKey, cid, 1)).toBe(stored)
  })

  it.each(mustFail.sealPassphrase)('is not sealed: $reason', async ({ text }) => {
    await expect(sealPassphrase(text, companyKey, cid, 1)).rejects.toThrow(RangeError)
  })

  it.each(mustFail.passphrase)('is refused: $reason', async ({ sees, text }) => {
    await expect(openSealedPassphrase(text, companyKey, cid, 1)).rejects.toMatchObject({ code: code[sees] })
  })
})

describe('a pair of company key and passphrase', () => {
  const keys = { userKey: () => userKey, ids: () => ids }

  it('opens', async () => {
    const pair = `${good.companyKeys[0]?.text}~${good.passphrases[0]?.text}`
    expect(await openPassphrase(pair, keys)).toBe(good.passphrases[0]?.stored)
  })

  it.each(mustFail.pair)('is refused: $reason', async ({ sees, text }) => {
    await expect(openPassphrase(text, keys)).rejects.toMatchObject({ code: code[sees] })
  })
})
