import { sha256 } from '@noble/hashes/sha2.js'
import { areEqual, concat, keyBytes, toUtf8, u32, type Bytes } from './bytes'
import { EnvelopeError } from './errors'
import { maxEpoch, uuidBytes, uuidText } from './headers'
import {
  encapsulatedBytes,
  openSealed,
  sealTo,
  sign,
  signatureBytes,
  suite,
  tagBytes,
  verify,
  type PrivateKeys,
  type PublicKeys,
} from './member-keys'

/** A company key, sealed by its holder to the keys of one other member. Not signed when its sender has no keys. */
export type KeyHandover = { sender: string; recipient: string; epoch: number; sealed: Bytes; signature: Uint8Array }
export type HandoverIds = { company: string; sender: string; recipient: string; epoch: number }

const label = 'tessera/v1/company-key'
const signatureLabel = 'tessera/v1/key-handover'
const headBytes = 1 + 16 + 16 + 4
const sealedBytes = encapsulatedBytes + keyBytes + tagBytes
const unsignedBytes = headBytes + sealedBytes

export async function sealKeyHandover(
  rawCompanyKey: Bytes,
  keys: PublicKeys,
  ids: HandoverIds,
  signer: PrivateKeys | null,
): Promise<Bytes> {
  if (rawCompanyKey.length !== keyBytes) throw new RangeError('A key has 32 bytes.')
  const sealed = await sealTo(keys, rawCompanyKey, infoFor(ids))
  const signature = signer ? sign(signer, signedPart(ids, sealed)) : new Uint8Array(0)
  const { sender, recipient, epoch } = ids
  return concat(Uint8Array.of(suite), uuidBytes(sender), uuidBytes(recipient), u32(epoch), sealed, signature)
}

export function readKeyHandover(data: Bytes): KeyHandover {
  if (data.length !== unsignedBytes && data.length !== unsignedBytes + signatureBytes) {
    throw malformed('A key handover has 1205 bytes, or 1269 with its signature.')
  }
  if (data[0] !== suite) throw malformed('The suite of the key handover is unknown.')
  const sender = data.subarray(1, 17)
  const recipient = data.subarray(17, 33)
  const epoch = new DataView(data.buffer, data.byteOffset).getUint32(33)
  if (areEqual(sender, recipient)) throw malformed('The sender is the recipient.')
  if (epoch < 1 || epoch > maxEpoch) throw malformed('The epoch is out of range.')
  return {
    sender: uuidText(sender),
    recipient: uuidText(recipient),
    epoch,
    sealed: data.slice(headBytes, unsignedBytes),
    signature: data.slice(unsignedBytes),
  }
}

/** Refuses a signature that is missing, too. */
export function verifyKeyHandover(handover: KeyHandover, company: string, sender: PublicKeys): void {
  verify(sender, handover.signature, signedPart({ ...handover, company }, handover.sealed))
}

/** The caller has to wipe the bytes. */
export function openKeyHandover(handover: KeyHandover, company: string, keys: PrivateKeys): Promise<Bytes> {
  return openSealed(keys, handover.sealed, infoFor({ ...handover, company }))
}

function infoFor(ids: HandoverIds): Bytes {
  return concat(toUtf8(label), bound(ids))
}

function signedPart(ids: HandoverIds, sealed: Uint8Array): Bytes {
  return concat(toUtf8(signatureLabel), bound(ids), sha256(sealed))
}

function bound({ company, sender, recipient, epoch }: HandoverIds): Bytes {
  return concat(Uint8Array.of(suite), uuidBytes(company), uuidBytes(sender), uuidBytes(recipient), u32(epoch))
}

function malformed(reason: string): EnvelopeError {
  return new EnvelopeError('malformed', reason)
}
