import { toUtf8, wipe, type Bytes } from './bytes'
import { checkUuid, type Ids } from './headers'

/** What every passkey of a user evaluates its PRF on. */
export function prfInput({ uid }: Ids): Bytes {
  return toUtf8(`tessera/v1/passkey|${checkUuid(uid)}`)
}

/** The key that seals the user key for a passkey. Wipes the PRF's output, which never leaves the browser. */
export async function passkeyWrapKey(prfOutput: Bytes): Promise<CryptoKey> {
  try {
    const material = await crypto.subtle.importKey('raw', prfOutput, 'HKDF', false, ['deriveKey'])
    const info = toUtf8('tessera/v1/passkey')
    const hkdf = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(0), info }
    return await crypto.subtle.deriveKey(hkdf, material, { name: 'AES-GCM', length: 256 }, false, [
      'encrypt',
      'decrypt',
    ])
  } finally {
    wipe(prfOutput)
  }
}
