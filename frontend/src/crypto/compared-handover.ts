import { sha256 } from '@noble/hashes/sha2.js'
import { readStored, writeStored } from '@/api/storage'
import { toBase64url, type Bytes } from './bytes'

/**
 * The key handover whose sender's words this user has compared, by its hash: the second key holder opens the same one
 * again, perhaps when the sender can no longer be asked. Another one of the same sender is compared anew.
 */
const keyOf = (uid: string) => `tessera.compared-handover.${uid}`

export function wasCompared(uid: string, data: Bytes): boolean {
  return readStored(keyOf(uid)) === toBase64url(sha256(data))
}

/** Only after its signature was checked. */
export function rememberCompared(uid: string, data: Bytes): void {
  writeStored(keyOf(uid), toBase64url(sha256(data)))
}
