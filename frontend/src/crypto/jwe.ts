import { fromBase64url, randomBytes, toBase64url, toUtf8, type Bytes } from './bytes'
import { EnvelopeError } from './errors'

const ivBytes = 12
const tagBytes = 16

/** Non-extractable: a script that got hold of the key could use it, but not carry it away. */
export function importKey(raw: Bytes): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', raw, 'AES-GCM', false, ['encrypt', 'decrypt'])
}

export async function sealJwe(header: string, plaintext: Bytes, key: CryptoKey): Promise<string> {
  const iv = randomBytes(ivBytes)
  const sealed = new Uint8Array(await crypto.subtle.encrypt(gcm(iv, header), key, plaintext))
  const ciphertext = sealed.subarray(0, -tagBytes)
  const tag = sealed.subarray(-tagBytes)
  return [header, '', toBase64url(iv), toBase64url(ciphertext), toBase64url(tag)].join('.')
}

/** Opens an envelope that has exactly this header and holds exactly this many bytes. */
export async function openJwe(
  envelope: string,
  header: string,
  plaintextBytes: number,
  key: CryptoKey,
): Promise<Bytes> {
  const [head, encryptedKey, iv, ciphertext, tag, ...more] = envelope.split('.')
  if (tag === undefined || more.length > 0) throw malformed('An envelope has five segments.')
  if (head !== header) throw malformed('The header is not the expected one.')
  if (encryptedKey !== '') throw malformed('The encrypted key must be empty.')
  const sealed = new Uint8Array(plaintextBytes + tagBytes)
  sealed.set(segment(ciphertext, plaintextBytes))
  sealed.set(segment(tag, tagBytes), plaintextBytes)
  return decrypt(gcm(segment(iv, ivBytes), header), key, sealed)
}

async function decrypt(algorithm: AesGcmParams, key: CryptoKey, sealed: Bytes): Promise<Bytes> {
  try {
    return new Uint8Array(await crypto.subtle.decrypt(algorithm, key, sealed))
  } catch {
    throw new EnvelopeError('cannotOpen', 'Another key, or a changed envelope.')
  }
}

function gcm(iv: Bytes, header: string): AesGcmParams {
  return { name: 'AES-GCM', iv, additionalData: toUtf8(header), tagLength: tagBytes * 8 }
}

function segment(text: string | undefined, length: number): Bytes {
  const data = fromBase64url(text ?? '')
  if (data?.length !== length) throw malformed(`A segment must have ${length} bytes.`)
  return data
}

function malformed(reason: string): EnvelopeError {
  return new EnvelopeError('malformed', reason)
}
