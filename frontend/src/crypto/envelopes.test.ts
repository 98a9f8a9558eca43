import { describe, expect, it } from 'vitest'
import { makeCompanySecrets, openFormerPassphrase, openPassphrase, replaceCompanySecrets } from './company-secrets'
import {
  openCompanyKey,
  openFormerKey,
  openPasskeyKey,
  openRawUserKey,
  openSealedPassphrase,
  openUserKey,
  resealCompanyKey,
  resealStorageKeys,
  sealCompanyKey,
  sealFormerKey,
  sealPasskeyKey,
  sealPassphrase,
  sealUserKey,
} from './envelopes'
import { maxEpoch, storageKeysHeader } from './headers'
import { importKey, openJwe } from './jwe'
import { passkeyWrapKey, prfInput } from './passkey-keys'
import { fromHex, storageVectors, toHex, vectors } from './testing/vectors'

const { uid, cid, salt, userKeyHex, companyKeyHex, wrapKeyHex } = vectors.case
const ids = { uid, cid }
const wrapKey = await importKey(fromHex(wrapKeyHex))
const userKey = await importKey(fromHex(userKeyHex))
const companyKey = await importKey(fromHex(companyKeyHex))
const nextCompanyKey = await importKey(fromHex(vectors.case.nextCompanyKeyHex))
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

describe('a user key sealed for a passkey', () => {
  const { credentialId, prfOutputHex } = vectors.case
  const passkeyKey = passkeyWrapKey(fromHex(prfOutputHex))

  it('opens with what the passkey derives, to the user key', async () => {
    const key = await openPasskeyKey(good.passkeyKey, await passkeyKey, ids, salt, credentialId)
    expect(key.extractable).toBe(false)
    expect((await openCompanyKey(good.companyKeys[0]?.text ?? '', key, ids)).epoch).toBe(1)
  })

  it('opens after sealing', async () => {
    const sealed = await sealPasskeyKey(fromHex(userKeyHex), await passkeyKey, ids, salt, credentialId)
    expect(sealed.length).toBe(good.passkeyKey.length)
    await openPasskeyKey(sealed, await passkeyKey, ids, salt, credentialId)
  })

  it('is derived from an input of the user alone, and the output is wiped', async () => {
    expect(new TextDecoder().decode(prfInput(ids))).toBe(`tessera/v1/passkey|${uid}`)
    const output = fromHex(prfOutputHex)
    await passkeyWrapKey(output)
    expect(output.every((byte) => byte === 0)).toBe(true)
  })

  it.each(mustFail.passkeyKey)('is refused: $reason', async ({ sees, text }) => {
    const opening = openPasskeyKey(text, await passkeyKey, ids, salt, credentialId)
    await expect(opening).rejects.toMatchObject({ code: code[sees] })
  })

  it.each(['', 'not base64url!', 'A'.repeat(1368)])('is not opened for the passkey %s', async (id) => {
    const opening = openPasskeyKey(good.passkeyKey, await passkeyKey, ids, salt, id)
    await expect(opening).rejects.toMatchObject({ code: 'malformed' })
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

describe('a former company key', () => {
  it('opens with the key of the next epoch, to a key that stays inside', async () => {
    const key = await openFormerKey(good.formerKey, nextCompanyKey, cid, 1)
    expect(key.extractable).toBe(false)
    const [first] = good.passphrases
    expect(await openSealedPassphrase(first?.text ?? '', key, cid, 1)).toBe(first?.stored)
    await expect(openFormerKey(good.formerKey, nextCompanyKey, cid, 2)).rejects.toMatchObject({ code: 'malformed' })
  })

  it('is sealed from the own copy', async () => {
    const sealed = await sealFormerKey(good.companyKeys[0]?.text ?? '', ids, userKey, nextCompanyKey)
    expect(sealed.length).toBe(good.formerKey.length)
    const key = await openFormerKey(sealed, nextCompanyKey, cid, 1)
    const [first] = good.passphrases
    expect(await openSealedPassphrase(first?.text ?? '', key, cid, 1)).toBe(first?.stored)
  })

  it.each(mustFail.formerKey)('is refused: $reason', async ({ sees, text }) => {
    await expect(openFormerKey(text, nextCompanyKey, cid, 1)).rejects.toMatchObject({ code: code[sees] })
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

describe('former passphrases', () => {
  const keys = { userKey: () => userKey, ids: () => ids }
  const keyOf = (pair: string) => pair.split('~')[0] ?? ''
  const passphraseOf = (pair: string) => pair.split('~')[1] ?? ''

  it('open with the current key, one epoch after the other', async () => {
    const first = await makeCompanySecrets('the first', ids, userKey)
    const second = await replaceCompanySecrets('the second', first, keys)
    const third = await replaceCompanySecrets('the third', second.pair, keys)
    const companyKey = keyOf(third.pair)
    const links = [third.formerKey ?? '', second.formerKey ?? '']
    const latest = { companyKey, formerKeys: links.slice(0, 1), passphrase: passphraseOf(second.pair) }
    expect(await openFormerPassphrase(latest, 2, keys)).toBe('the second')
    const oldest = { companyKey, formerKeys: links, passphrase: passphraseOf(first) }
    expect(await openFormerPassphrase(oldest, 1, keys)).toBe('the first')
    const swapped = openFormerPassphrase({ ...oldest, formerKeys: links.toReversed() }, 1, keys)
    await expect(swapped).rejects.toMatchObject({ code: 'malformed' })
    await expect(openFormerPassphrase(latest, 1, keys)).rejects.toMatchObject({ code: 'malformed' })
    const other = openFormerPassphrase({ ...oldest, passphrase: passphraseOf(second.pair) }, 1, keys)
    await expect(other).rejects.toMatchObject({ code: 'malformed' })
  })

  it('stay behind when their key does not open, and do not hinder a change', async () => {
    const stranger = await importKey(crypto.getRandomValues(new Uint8Array(32)))
    const former = await makeCompanySecrets('the first', ids, stranger, 7)
    const { pair, formerKey } = await replaceCompanySecrets('the second', former, keys)
    expect(formerKey).toBeNull()
    expect(await openPassphrase(pair, keys)).toBe('the second')
  })
})
