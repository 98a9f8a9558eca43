import { argon2id } from 'hash-wasm'
import { keyBytes, toBase64url, toUtf8, wipe, type Bytes } from './bytes'

export type DerivedKeys = { auth: string; wrapKey: CryptoKey }

// Compiled in and named `kdf: 1`: the server cannot ask for weaker ones.
const parameters = { memorySize: 64 * 1024, iterations: 3, parallelism: 1, hashLength: keyBytes }

/** Blocks its thread for a good part of a second; only the worker calls it. */
export async function deriveHere(password: Bytes, salt: Bytes): Promise<DerivedKeys> {
  const masterKey = await deriveMasterKey(password, salt)
  try {
    const material = await crypto.subtle.importKey('raw', masterKey, 'HKDF', false, ['deriveBits', 'deriveKey'])
    const auth = new Uint8Array(await crypto.subtle.deriveBits(hkdf('tessera/v1/auth'), material, keyBytes * 8))
    // Derived inside WebCrypto: the wrap key's bytes are never in a script's reach.
    const wrapKey = await crypto.subtle.deriveKey(
      hkdf('tessera/v1/wrap'),
      material,
      { name: 'AES-GCM', length: keyBytes * 8 },
      false,
      ['encrypt', 'decrypt'],
    )
    return { auth: `a1.${toBase64url(auth)}`, wrapKey }
  } finally {
    wipe(masterKey)
  }
}

export async function deriveMasterKey(password: Bytes, salt: Bytes): Promise<Bytes> {
  try {
    const hash = await argon2id({ ...parameters, password, salt, outputType: 'binary' })
    const masterKey = Uint8Array.from(hash)
    wipe(hash)
    return masterKey
  } finally {
    wipe(password)
  }
}

function hkdf(info: string): HkdfParams {
  return { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(0), info: toUtf8(info) }
}
