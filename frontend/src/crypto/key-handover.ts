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

/** A company key, sealed by its holder to the keys of one other member, and signed. */
export type KeyHandover = { sender: string; recipient: string; epoch: number; sealed: Bytes; signature: Uint8Array }
export type HandoverIds = { company: string; sender: string; recipient: string; epoch: number }

const label = 'tessera/v1/company-key'
const signatureLabel = 'tessera/v1/key-handover'
const headBytes = 1 + 16 + 16 + 4
const sealedBytes = encapsulatedBytes + keyBytes + tagBytes
const signedBytes = headBytes + sealedBytes

export async function sealKeyHandover(
  rawCompanyKey: Bytes,
  keys: PublicKeys,
  ids: HandoverIds,
  signer: PrivateKeys,
): Promise<Bytes> {
  if (rawCompanyKey.length !== keyBytes) throw new RangeError('A key has 32 bytes.')
  const sealed = await sealTo(keys, rawCompanyKey, infoFor(ids))
  const signature = sign(signer, signedPart(ids, sealed))
  const { sender, recipient, epoch } = ids
  return concat(Uint8Array.of(suite), uuidBytes(sender), uuidBytes(recipient), u32(epoch), sealed, signature)
}

export function readKeyHandover(data: Bytes): KeyHandover {
  if (data.length !== signedBytes + signatureBytes) throw malformed('A key handover has 1269 bytes.')
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
    sealed: data.slice(headBytes, signedBytes),
    signature: data.slice(signedBytes),
  }
}

/**
 * Checks the signature first, by the keys that the caller knows as the sender's: anyone can seal. The caller has to wipe
 * the bytes.
 */
export async function openKeyHandover(
  handover: KeyHandover,
  company: string,
  keys: PrivateKeys,
  sender: PublicKeys,
): Promise<Bytes> {
  verify(sender, handover.signature, signedPart({ ...handover, company }, handover.sealed))
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
