import { fromBase64url, saltBytes, toBase64url, toUtf8, type Bytes } from './bytes'
import { EnvelopeError } from './errors'

/** Who an envelope belongs to: the user's and the company's UUID, in lower case. */
export type Ids = { uid: string; cid: string }

export const maxEpoch = 2 ** 31 - 1

const maxCredentialIdBytes = 1023

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const epochAtEnd = /"ep":([1-9][0-9]{0,9})\}$/
const revisionAtEnd = /"rev":([1-9][0-9]{0,9})\}$/

/*
 * A header is never interpreted. Once user, company, salt and epoch are known it is known byte
 * for byte, so the expected one is built and compared: other algorithms, `zip`, `crit`, extra
 * or reordered members and other spellings need no separate rule.
 */

export function userKeyHeader({ uid, cid }: Ids, salt: string): string {
  const slt = checkSalt(salt)
  return encode({ typ: 'tessera-uk+1', kdf: 1, slt, uid: checkUuid(uid), cid: checkUuid(cid) })
}

export function passkeyHeader({ uid, cid }: Ids, salt: string, credentialId: string): string {
  const slt = checkSalt(salt)
  return encode({
    typ: 'tessera-pk+1',
    slt,
    uid: checkUuid(uid),
    cid: checkUuid(cid),
    crd: checkCredentialId(credentialId),
  })
}

export function companyKeyHeader({ uid, cid }: Ids, epoch: number): string {
  const ep = checkNumber(epoch)
  return encode({ typ: 'tessera-ck+1', uid: checkUuid(uid), cid: checkUuid(cid), ep })
}

export function passphraseHeader(cid: string, epoch: number): string {
  return encode({ typ: 'tessera-pp+1', cid: checkUuid(cid), ep: checkNumber(epoch) })
}

export function formerKeyHeader(cid: string, epoch: number): string {
  return encode({ typ: 'tessera-fk+1', cid: checkUuid(cid), ep: checkNumber(epoch) })
}

export function storageKeysHeader({ uid, cid }: Ids, revision: number): string {
  return encode({ typ: 'tessera-kp+1', uid: checkUuid(uid), cid: checkUuid(cid), rev: checkNumber(revision) })
}

/** The epoch the header claims; the header is then compared as a whole. */
export function claimedEpoch(envelope: string): number {
  return claimedNumber(envelope, epochAtEnd)
}

export function claimedRevision(envelope: string): number {
  return claimedNumber(envelope, revisionAtEnd)
}

export function checkUuid(text: string): string {
  if (!uuid.test(text)) throw new EnvelopeError('malformed', 'Expected a UUID in lower case.')
  return text
}

export function uuidBytes(text: string): Bytes {
  const digits = checkUuid(text).replaceAll('-', '').match(/../g) ?? []
  return Uint8Array.from(digits, (pair) => parseInt(pair, 16))
}

export function uuidText(bytes: Uint8Array): string {
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

function encode(members: Record<string, string | number>): string {
  return toBase64url(toUtf8(JSON.stringify({ alg: 'dir', enc: 'A256GCM', ...members })))
}

function checkSalt(salt: string): string {
  if (fromBase64url(salt)?.length !== saltBytes) {
    throw new EnvelopeError('malformed', 'A salt has 16 bytes in base64url.')
  }
  return salt
}

function checkCredentialId(id: string): string {
  const length = fromBase64url(id)?.length ?? 0
  if (length < 1 || length > maxCredentialIdBytes) {
    throw new EnvelopeError('malformed', 'A credential id has 1 to 1023 bytes in base64url.')
  }
  return id
}

function claimedNumber(envelope: string, atEnd: RegExp): number {
  const header = fromBase64url(envelope.split('.', 1)[0] ?? '')
  const claim = header && atEnd.exec(new TextDecoder().decode(header))
  if (!claim) throw new EnvelopeError('malformed', 'The header names no epoch or revision.')
  return checkNumber(Number(claim[1]))
}

function checkNumber(number: number): number {
  if (!Number.isInteger(number) || number < 1 || number > maxEpoch) {
    throw new EnvelopeError('malformed', 'The epoch or revision is out of range.')
  }
  return number
}
