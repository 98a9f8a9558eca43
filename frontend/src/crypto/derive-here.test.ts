import { describe, expect, it } from 'vitest'
import { deriveHere } from './derive-here'
import { openUserKey } from './envelopes'
import { importKey } from './jwe'
import { passwordBytes } from './derive'
import { fromHex, toHex, vectors } from './testing/vectors'

describe('deriving keys from a password', () => {
  it.each(vectors.derivations)('gives the known answer: $name', async (vector) => {
    const password = passwordBytes(vector.password)
    const { auth, wrapKey } = await deriveHere(password, fromHex(vector.saltHex))
    expect(auth).toBe(vector.authSecret)
    expect(password.every((byte) => byte === 0)).toBe(true)
    expect(wrapKey.extractable).toBe(false)
    // The key shows no bytes: what it encrypts tells whether it is the right one.
    const known = await importKey(fromHex(vector.wrapKeyHex))
    expect(await encryptZeros(wrapKey)).toBe(await encryptZeros(known))
  })

  it('reads compatibility forms as the letters they stand for', () => {
    for (const { password, normalised } of vectors.derivations) {
      expect(passwordBytes(password)).toEqual(new TextEncoder().encode(normalised))
    }
  })

  it('refuses an empty password and half a character', () => {
    expect(() => passwordBytes('')).toThrow(RangeError)
    expect(() => passwordBytes('mosaic \ud800 tile')).toThrow(RangeError)
  })
})

describe('the known wrap key', () => {
  it('opens the known envelope', async () => {
    const { uid, cid, salt, wrapKeyHex } = vectors.case
    const wrapKey = await importKey(fromHex(wrapKeyHex))
    expect(await openUserKey(vectors.good.userKey, wrapKey, { uid, cid }, salt)).toBeDefined()
  })
})

async function encryptZeros(key: CryptoKey): Promise<string> {
  const algorithm = { name: 'AES-GCM', iv: new Uint8Array(12) }
  return toHex(new Uint8Array(await crypto.subtle.encrypt(algorithm, key, new Uint8Array(16))))
}
